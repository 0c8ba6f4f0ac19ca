/**
 * The same bits everywhere: runs the seeded program of packages/engine/test/kernel-bits.ts on Node
 * 22, 24 and this one, with and without the optimising compiler (on the others only with GROUNDRULE_FULL), and on Bun and Deno where they can be
 * installed, and compares the hashes.
 */
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { findHost, nodeOf, OTHER_HOSTS, OTHER_NODES } from "./machine/hosts.ts";

const PROGRAM = join(import.meta.dirname, "../packages/engine/test/run-kernel-bits.ts");
/** Node 22.13 strips types only with this flag; the others accept it. */
const STRIP_TYPES = ["--experimental-strip-types", "--disable-warning=ExperimentalWarning"];

const hosts = [
  ...OTHER_NODES.map((version) => [version, nodeOf(version)] as const),
  [process.versions.node, process.execPath] as const,
];
const hashes = new Set<string>();
for (const [version, node] of hosts) {
  const strip = version.startsWith("22.") ? STRIP_TYPES : [];
  const isWhole = process.env.GROUNDRULE_FULL !== undefined || node === process.execPath;
  for (const flags of isWhole ? [[], ["--no-opt"]] : [[]]) {
    const hash = execFileSync(node, [...strip, ...flags, PROGRAM], { encoding: "utf8" }).trim();
    hashes.add(hash);
    console.log(`${hash}  Node ${version} ${flags.join(" ")}`);
  }
}
for (const host of OTHER_HOSTS) {
  const program = findHost(host);
  if (program === undefined) continue;
  const hash = execFileSync(program, [...host.run, PROGRAM], { encoding: "utf8" }).trim();
  hashes.add(hash);
  console.log(`${hash}  ${host.name} ${host.version}`);
}
console.log(hashes.size === 1 ? "the same bits on every host" : `${hashes.size} DIFFERENT answers`);
process.exitCode = hashes.size === 1 ? 0 : 1;
