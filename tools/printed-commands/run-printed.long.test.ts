import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { boxPositions } from "@groundrule/testing/shapes";
import { afterAll, beforeAll, expect, it } from "vitest";
import { runInProcess } from "../../apps/cli/test/in-process.ts";
import { writeTiff } from "../../packages/formats/test/write-tiff.ts";
import { filled, isIncomplete, type Mention, mentionIn } from "./check-printed.ts";
import { commandsIn, readFiles } from "./printed-commands.ts";

const repository = fileURLToPath(new URL("../..", import.meta.url));

/** Commands that do not end, or ask for what is not here; each has tests of its own. */
const LEFT_OUT = ["serve", "demo", "sources sync", "sources connect", "bundle"];

/** Mentions of options that need others beside them, or of what a program asks on standard input. */
const NO_LINES = [
  ...[
    "screen --format parquet",
    "screen --stdio",
    "screen --stdio --ruleset FILE",
    "sources remove --leave-groups",
  ],
];

/** Where what a command says of this world is no success, and how it ends. */
const ENDS: Readonly<Record<string, number>> = {
  "evaluate --ruleset preset.indigenous-lands": 3, // its sources are not here
  "sources disconnect NAME": 3, // none of its sources is live
  "sources diff NAME": 4, // there is one edition
  "sources diff ${name}": 4,
  "sources remove NAME EDITION": 3, // it is the current one
};

const world = mkdtempSync(join(tmpdir(), "groundrule-printed-"));
const stands = new Map<string, string>();
let plots = "";

beforeAll(async () => {
  process.env.GROUNDRULE_RULESET = "ruleset.json";
  const write = (name: string, value: unknown) => writeFileSync(join(world, name), JSON.stringify(value));
  const square = (id: string, east: number) => ({
    type: "Feature",
    id,
    properties: { code: id },
    geometry: {
      type: "Polygon",
      coordinates: [boxPositions(-60, -11, east, -10)],
    },
  });
  write("parks.geojson", { type: "FeatureCollection", features: [square("park", -59)] });
  write("parks.json", { source_name: "demo:parks", kind: "leaf", id: "code", fictional: true });
  write("plots.ndjson", square("plot", -59.99));
  plots = readFileSync(join(world, "plots.ndjson"), "utf8");
  write("ruleset.json", {
    sets: { parks: { sources: ["demo:parks"] } },
    checks: [
      { id: "in-park", set: "parks", measure: "overlap_ratio", value: 0.001, outcome: "NON_COMPLIANT" },
    ],
  });
  writeFileSync(join(world, "cells.tif"), writeTiff({ columns: 2, rows: 2, values: [0, 1, 1, 2] }));
  writeFileSync(join(world, "groundrule.yaml"), "data: .groundrule\n");
  const value = async (...words: string[]) => JSON.parse((await done(world, words)).split("\n")[0]!);
  await done(world, ["snapshot", "build", "--manifest", "parks.json", "parks.geojson"]);
  const { org_id } = await value("org", "create", "First", "--quota", "100");
  const { key_id } = await value("key", "create", "--org", org_id, "--json");
  await done(world, ["evaluate", "plots.ndjson", "--record", "record.ndjson"]);
  await done(world, ["backup", "state.backup"]);
  const { source_name: name, edition } = await value("sources", "list", "--json");
  for (const [placeholder, value] of Object.entries({
    PLOTS: "plots.ndjson",
    RECORD: "record.ndjson",
    RECORDS: "record.ndjson",
    ORG: org_id,
    KEY_ID: key_id,
    N: "100",
    "GLOB,…": "demo:*",
    NAME: name,
    "${name}": name,
    EDITION: edition,
    "${shortEdition(meta.edition)}": edition,
    "${shortEdition(edition)}": edition,
    "${guards}": "shrunk",
    "${granules[0]!.of.name}": "cells.tif",
    "${dir}": ".groundrule",
    "${first}": "plots.ndjson",
    "MEMBER…": name,
    "SOURCE…": name,
    // By the option before it, or by the command that it is the operand of.
    "sources group NAME": "my:group",
    "sources group ${name}": "my:group",
    "--data DIR": ".groundrule",
    "--record DIR": "records",
    "--portfolio DIR": "portfolio",
    "--output FILE": "mended.geojson",
    "--config FILE": "groundrule.yaml",
    "--record FILE": "new.ndjson",
    "--ruleset FILE": "ruleset.json",
    "--needed-by RULESET": "ruleset.json",
    "--needed-by ${ruleset}": "preset.eudr",
    "--store URL": "sqlite:restored.db",
    "backup FILE": "new.backup",
    "restore FILE": "state.backup",
    "snapshot inspect ${file}": "cells.tif",
    "lint FILE": "ruleset.json",
    "rulesets format FILE": "ruleset.json",
  }))
    stands.set(placeholder, String(value));
});
afterAll(() => {
  process.chdir(repository);
  delete process.env.GROUNDRULE_RULESET;
  rmSync(world, { recursive: true, force: true });
});

const mentions = new Map<string, Mention>();
for (const command of readFiles(repository).flatMap(commandsIn)) {
  const mention = await mentionIn(command);
  if (mention === undefined || isIncomplete(mention) || LEFT_OUT.includes(mention.command.path)) continue;
  const line = [mention.command.path, ...mention.words].join(" ");
  // Files by their names are those of a page; and without any, standard input is another one's.
  const namesFiles = mention.words.some((word) => !word.startsWith("${") && /\.\w+$/.test(word));
  const asksForFiles = namesFiles || (mention.words.length === 0 && mention.command.operands !== "");
  if (!command.isOfFence && !asksForFiles && !NO_LINES.includes(line)) mentions.set(line, mention);
}

it.each([...mentions])("groundrule %s", async (line, { command, words }) => {
  const folder = `${world}-copy`;
  cpSync(world, folder, { recursive: true });
  try {
    const { code, err } = await run(folder, [...command.path.split(" "), ...fillIn(command.path, words)]);
    expect(code, err).toBe(ENDS[line] ?? 0);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

/** The words with something of this world in place of each placeholder. */
function fillIn(path: string, words: readonly string[]): string[] {
  return words.map(filled).map((word, i, all) => {
    const before = i > 0 && all[i - 1]!.startsWith("--") ? all[i - 1]! : path;
    const value = stands.get(`${before} ${word}`) ?? stands.get(word);
    // One of several, as `text|json`.
    if (word.includes("|")) return word.split("|")[0]!;
    if (value === undefined && /^(?:\$\{|[A-Z])/.test(word))
      throw new Error(`nothing here stands for ${before} ${word}`);
    return value ?? word;
  });
}

async function done(folder: string, words: readonly string[]): Promise<string> {
  const { code, out, err } = await run(folder, words);
  if (code !== 0) throw new Error(`${words.join(" ")} ended with ${code}: ${err}`);
  return out;
}

async function run(folder: string, words: readonly string[]) {
  process.chdir(folder);
  return runInProcess(words, { input: plots });
}
