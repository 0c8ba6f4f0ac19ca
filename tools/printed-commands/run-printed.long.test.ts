import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { runInProcess } from "../../apps/cli/test/in-process.ts";
import { REPOSITORY } from "../machine/repository.ts";
import { writeSampleFiles } from "../snippets/pages.ts";
import { isIncomplete, type Mention, parseMention, removeBrackets } from "./check-printed.ts";
import { findPrintedCommands, readFilesForPeople } from "./printed-commands.ts";

/** Commands that do not end, that another program calls, or that need what is not here; each has tests of its own. */
const LEFT_OUT = ["serve", "demo", "sources sync", "sources connect", "bundle", "stdio"];

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
  writeSampleFiles(world);
  const write = (name: string, value: object) => writeFileSync(join(world, name), JSON.stringify(value));
  write("parks.json", { source_name: "demo:parks", kind: "leaf", id: "code", fictional: true });
  write("ruleset.json", {
    sets: { parks: { sources: ["demo:parks"] } },
    checks: [
      { id: "in-park", set: "parks", measure: "overlap_ratio", value: 0.001, outcome: "NON_COMPLIANT" },
    ],
  });
  plots = `${readFileSync(join(world, "plot.geojson"), "utf8")}\n`;
  writeFileSync(join(world, "plots.ndjson"), plots);
  writeFileSync(join(world, "groundrule.yaml"), "data: .groundrule\n");
  const value = async (...words: string[]) => JSON.parse((await runCommand(world, words)).split("\n")[0]!);
  await runCommand(world, ["snapshot", "build", "--manifest", "parks.json", "parks.geojson"]);
  const { org_id } = await value("org", "create", "First", "--quota", "100");
  const { key_id } = await value("key", "create", "--org", org_id, "--json");
  await runCommand(world, ["evaluate", "plots.ndjson", "--record", "record.ndjson"]);
  await runCommand(world, ["backup", "state.backup"]);
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
    "${shortenEdition(meta.edition)}": edition,
    "${shortenEdition(edition)}": edition,
    "${guards}": "shrunk",
    "${granules[0]!.of.name}": "forest.tif",
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
    "snapshot inspect ${file}": "forest.tif",
    "lint FILE": "ruleset.json",
    "rulesets format FILE": "ruleset.json",
  }))
    stands.set(placeholder, String(value));
});
afterAll(() => {
  process.chdir(REPOSITORY);
  delete process.env.GROUNDRULE_RULESET;
  rmSync(world, { recursive: true, force: true });
});

const mentions = new Map<string, Mention>();
for (const command of readFilesForPeople().flatMap(findPrintedCommands)) {
  const mention = await parseMention(command);
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
  return words.map(removeBrackets).map((word, i, all) => {
    const before = i > 0 && all[i - 1]!.startsWith("--") ? all[i - 1]! : path;
    const value = stands.get(`${before} ${word}`) ?? stands.get(word);
    // One of several, as `text|json`.
    if (word.includes("|")) return word.split("|")[0]!;
    if (value === undefined && /^(?:\$\{|[A-Z])/.test(word))
      throw new Error(`nothing here stands for ${before} ${word}`);
    return value ?? word;
  });
}

async function runCommand(folder: string, words: readonly string[]): Promise<string> {
  const { code, out, err } = await run(folder, words);
  if (code !== 0) throw new Error(`${words.join(" ")} ended with ${code}: ${err}`);
  return out;
}

async function run(folder: string, words: readonly string[]) {
  process.chdir(folder);
  return runInProcess(words, { input: plots });
}
