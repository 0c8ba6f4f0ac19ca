/**
 * The same bits everywhere: runs the seeded program of packages/engine/test/kernel-bits.ts on Node
 * 22, 24 and this one, with and without the optimising compiler, and compares the hashes.
 */
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { nodeOf, OTHER_NODES } from "./node-of.ts";

const PROGRAM = join(import.meta.dirname, "../packages/engine/test/run-kernel-bits.ts");
/** Node 22.13 strips types only when asked to; the others take the flag for granted. */
const STRIP_TYPES = ["--experimental-strip-types", "--disable-warning=ExperimentalWarning"];

const hosts = [
  ...OTHER_NODES.map((version) => [version, nodeOf(version)] as const),
  [process.versions.node, process.execPath] as const,
];
const hashes = new Set<string>();
for (const [version, node] of hosts) {
  const strip = version.startsWith("22.") ? STRIP_TYPES : [];
  for (const flags of [[], ["--no-opt"]]) {
    const hash = execFileSync(node, [...strip, ...flags, PROGRAM], { encoding: "utf8" }).trim();
    hashes.add(hash);
    console.log(`${hash}  Node ${version} ${flags.join(" ")}`);
  }
}
console.log(hashes.size === 1 ? "the same bits on every host" : `${hashes.size} DIFFERENT answers`);
process.exitCode = hashes.size === 1 ? 0 : 1;
