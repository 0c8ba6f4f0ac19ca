/**
 * The same bits and the same verdict everywhere: compares the kernel's seeded program on Node 22, 24 and this one, with
 * and without the optimising compiler, and on Bun and Deno where they can be installed. Then records verdicts with the command on this Node, then reaches each of
 * them again from the packed packages on Node 22, 24 and this one, in other time zones and locales, in
 * this thread and in workers, without the optimising compiler, and with shuffled members.
 * `apps/cli/test/identity.test.ts` asks the same over HTTP.
 *
 * `GROUNDRULE_FULL=1` evaluates 2,000 plots under each ruleset and tries every way on every Node; without it, 60 plots, and
 * other Nodes in one place and in workers, with the optimising compiler. `--plots N` sets another number.
 */
import { execFile, execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs, promisify } from "node:util";
import { generateDemo } from "../data/demo/generate.ts";
import { readDemoRuleset } from "../data/demo/index.ts";
import { Random } from "../data/demo/random.ts";
import { presets, presetVersions } from "../data/rulesets/index.ts";
import { findHostProgram, installNode, OTHER_HOSTS, OTHER_NODES } from "./machine/hosts.ts";
import { REPOSITORY as root } from "./machine/repository.ts";
import { listNeededTarballs } from "./packages/needed-tarballs.ts";
import { packPublishedPackages } from "./packages/pack.ts";

const PLACES = [
  { TZ: "UTC", LC_ALL: "C" },
  { TZ: "Asia/Kathmandu", LC_ALL: "tr_TR.UTF-8" },
  { TZ: "America/St_Johns", LC_ALL: "de_DE.UTF-8" },
];
const SEED = 20_261_120;

const NODES = [
  ...OTHER_NODES.map((version): [string, string] => [version, installNode(version)]),
  [process.versions.node, process.execPath] as [string, string],
];
const call = promisify(execFile);
const isFull = process.env.GROUNDRULE_FULL !== undefined;
const { values } = parseArgs({
  options: { plots: { type: "string", default: isFull ? "2000" : "60" } },
});
const plotCount = Number(values.plots);
const workshop = mkdtempSync(join(tmpdir(), "groundrule-identity-"));
let failures = 0;

try {
  compareKernelsOnHosts();
  const data = join(workshop, "data");
  runGroundrule(["demo", "--build-only", "--data", data]);
  const plots = join(workshop, "plots.ndjson");
  writeFileSync(plots, createPlotLines(plotCount).join(""));
  const records = join(workshop, "records");
  let recorded = 0;
  for (const [name, ruleset] of listRulesets())
    recorded += recordVerdicts(name, ruleset, { data, plots, records });
  await replayOnEveryHost(data, records, recorded);
} finally {
  rmSync(workshop, { recursive: true, force: true });
}
process.exitCode = failures === 0 ? 0 : 1;

/** A process that reaches the recorded verdicts again. */
interface Replay {
  readonly label: string;
  readonly node: string;
  /** Task of `replay-records.mjs`. */
  readonly how: "main" | "worker" | "shuffled";
  readonly flags?: readonly string[];
  readonly place?: NodeJS.ProcessEnv;
}

/** Runs the kernel's seeded program from its sources on every host. */
function compareKernelsOnHosts(): void {
  const program = join(root, "packages/engine/test/run-kernel-bits.ts");
  const runs = NODES.flatMap(([version, node]) => {
    // Node 22.13 strips types only with this flag; the others accept it.
    const words = ["--experimental-strip-types", "--disable-warning=ExperimentalWarning"];
    const label = `Node ${version}`;
    const unoptimized = { label: `${label} --no-opt`, host: node, words: [...words, "--no-opt"] };
    return [{ label, host: node, words }, ...(isFull || node === process.execPath ? [unoptimized] : [])];
  });
  for (const other of OTHER_HOSTS) {
    const host = findHostProgram(other);
    if (host !== undefined)
      runs.push({ label: `${other.name} ${other.version}`, host, words: [...other.run] });
  }
  const [first, ...others] = runs.map(({ label, host, words }) => {
    return { label, hash: execFileSync(host, [...words, program], { encoding: "utf8" }).trim() };
  });
  for (const { label, hash } of others) {
    reportDifferences(
      `kernel, ${label}`,
      1,
      hash === first!.hash ? [] : [{ [first!.label]: first!.hash, [label]: hash }],
    );
  }
}

/** Lets the command record its verdicts in a folder of the ruleset's name; returns how many. */
function recordVerdicts(
  name: string,
  ruleset: object,
  { data, plots, records }: { readonly data: string; readonly plots: string; readonly records: string },
): number {
  const rules = join(workshop, `${name}.json`);
  const folder = join(records, name);
  mkdirSync(records, { recursive: true });
  writeFileSync(rules, JSON.stringify(ruleset));
  runGroundrule(["screen", "--ruleset", rules, "--record", folder, "--data", data, plots], PLACES[1]);
  const recorded = readdirSync(folder).flatMap((file) =>
    readFileSync(join(folder, file), "utf8").trimEnd().split("\n"),
  );
  const verdicts = Map.groupBy(recorded, (line) => JSON.parse(line).response.data.verdict);
  const counts = [...verdicts].map(([verdict, { length }]) => `${length} ${verdict}`).sort();
  console.log(`${name}: ${recorded.length} recorded by the command (seed ${SEED}): ${counts.join(", ")}`);
  return recorded.length;
}

/** Reaches all that is recorded again, in a process for each Node and way. */
async function replayOnEveryHost(data: string, records: string, recorded: number): Promise<void> {
  const project = await installPackages();
  const replays = NODES.flatMap(([version, node]) => {
    const places = PLACES.map((place): Replay => {
      return { label: `Node ${version}, ${place.TZ}, ${place.LC_ALL}`, node, how: "main", place };
    });
    const ways: Replay[] = [
      { label: `Node ${version}, in workers`, node, how: "worker" },
      { label: `Node ${version}, shuffled members`, node, how: "shuffled" },
      { label: `Node ${version}, --jitless`, node, how: "main", flags: ["--jitless", "--random-seed=7"] },
    ];
    return !isFull && node !== process.execPath ? [places[1]!, ways[0]!] : [...places, ...ways];
  });
  await runConcurrently(replays, async ({ label, node, how, flags = [], place }) => {
    const { stdout } = await call(node, [...flags, "replay-records.mjs", data, records, how], {
      cwd: project,
      env: { ...process.env, ...place },
      maxBuffer: 1 << 30,
    });
    const { count, different } = JSON.parse(stdout) as { count: number; different: readonly object[] };
    reportDifferences(label, count, count === recorded ? different : [{ expected: recorded, count }]);
  });
}

/** As many at once as there are cores; each is reported when it ends. */
async function runConcurrently<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const left = items.values();
  const one = async (): Promise<void> => {
    for (const item of left) await work(item);
  };
  await Promise.all(Array.from({ length: availableParallelism() }, one));
}

function reportDifferences(label: string, count: number, different: readonly object[]): void {
  if (different.length > 0) failures++;
  const said = different.length === 0 ? `ok      ${count} identical` : "DIFFERENT";
  console.log(`${said}  ${label}`);
  for (const difference of different) console.log(`        ${JSON.stringify(difference).slice(0, 2000)}`);
}

function listRulesets(): [string, object][] {
  // The last version for which the demo has every group.
  const credit = presetVersions().find(
    ({ name, version }) => name === "preset.rural-credit-br" && version === 3,
  )!;
  return [
    ["forest-plots", readDemoRuleset() as object],
    ["preset.eudr", presets().get("preset.eudr")!],
    ["preset.rural-credit-br@3", credit.ruleset],
  ];
}

/** Plots moved about those of the demo, seeded: most of them still meet something. */
function createPlotLines(count: number): string[] {
  const { plots } = generateDemo();
  const random = new Random(SEED);
  return Array.from({ length: count }, (_, i) => {
    const plot = random.pick(plots);
    const [east, north, scale] = [
      random.between(-0.05, 0.05),
      random.between(-0.05, 0.05),
      random.logBetween(0.2, 5),
    ];
    // One in five is a point with an area.
    if (i % 5 === 4) {
      const [[[x, y] = [0, 0]] = []] = (plot.geometry as { coordinates: number[][][] }).coordinates;
      const geometry = { type: "Point", coordinates: [x! + east, y! + north] };
      const properties = { ...plot.properties, Area: 4 * scale };
      return `${JSON.stringify({ ...plot, id: `moved-${i}`, geometry, properties })}\n`;
    }
    const { coordinates } = plot.geometry as { coordinates: number[][][] };
    const [[x0, y0] = [0, 0]] = coordinates[0]!;
    const moved = coordinates.map((ring) =>
      ring.map(([x, y]) => [x0! + (x! - x0!) * scale + east, y0! + (y! - y0!) * scale + north]),
    );
    return `${JSON.stringify({ ...plot, id: `moved-${i}`, geometry: { type: "Polygon", coordinates: moved } })}\n`;
  });
}

/** A project of its own with the packed packages, as a stranger installs them. */
async function installPackages(): Promise<string> {
  // They need no registry: each that another needs is installed beside it.
  const tarballs = listNeededTarballs(await packPublishedPackages(workshop), ["@groundrule/node"]);
  const project = join(workshop, "project");
  mkdirSync(project);
  writeFileSync(join(project, "package.json"), `${JSON.stringify({ private: true, type: "module" })}\n`);
  const install = ["install", "--no-audit", "--no-fund", "--silent", ...tarballs];
  execFileSync("npm", install, { cwd: project, stdio: ["ignore", "ignore", "inherit"] });
  cpSync(join(root, "tools/identity/replay-records.mjs"), join(project, "replay-records.mjs"));
  return project;
}

function runGroundrule(args: readonly string[], place: NodeJS.ProcessEnv = {}): void {
  const main = join(root, "apps/cli/src/main.ts");
  execFileSync(process.execPath, [main, ...args], {
    stdio: ["ignore", "ignore", "inherit"],
    env: { ...process.env, ...place },
  });
}
