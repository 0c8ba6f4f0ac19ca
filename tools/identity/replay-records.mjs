// Reaches recorded verdicts again with the installed packages, on whatever Node runs this, and
// prints as JSON how many come out the same to the byte. Arguments: data folder, folder of folders of
// records, and how: "main" (this thread), "worker" (a pool), "shuffled" (members of every object in another order).
import { createHash } from "node:crypto";
import { createReadStream, readdirSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { canonicalJson, parseRecord, replayRecord, verdictOf } from "@groundrule/engine/records";
import { EnginePool, openData } from "@groundrule/node";
import { EditionArchive } from "@groundrule/node/internal";

const [dataFolder, recordFolder, how] = process.argv.slice(2);
const archive = new EditionArchive(dataFolder);
const pool =
  how === "worker"
    ? new EnginePool(openData(dataFolder).current, { size: 2, deadlineMs: 60_000 })
    : undefined;
const bytes = createHash("sha256");
const different = [];
let count = 0;

const files = readdirSync(recordFolder, { recursive: true, withFileTypes: true });
for (const file of files
  .filter((entry) => entry.isFile())
  .map(({ parentPath, name }) => join(parentPath, name))
  .sort()) {
  for await (const line of createInterface({ input: createReadStream(file) })) {
    const sent = JSON.parse(line);
    const record = parseRecord(how === "shuffled" ? shuffleMembers(sent, count) : sent);
    const change = pool === undefined ? findReplayDifference(record) : await evaluateToText(record);
    if (change !== undefined && different.length < 5) different.push({ file, id: record.id, change });
    bytes.update(canonicalJson(record.response.data));
    count++;
  }
}
await pool?.close();
console.log(JSON.stringify({ count, different, recorded: bytes.digest("hex") }));

function findReplayDifference(record) {
  const { sources } = record.response.data;
  const replay = replayRecord(archive.open({ sources, groups: record.groups }), record);
  return replay.result === "identical" ? undefined : (replay.changes[0] ?? replay.error);
}

/** The text that a worker's answer makes, byte for byte, not only in canonical form. */
async function evaluateToText({ request, response }) {
  const options = { now: response.data.evaluated_at };
  const ruleset = toPresetRuleset(request.ruleset, response.data.ruleset);
  const [evaluation] = await pool.evaluateAll(ruleset, [request.input], options);
  if (evaluation instanceof Error) throw evaluation;
  const verdict = verdictOf(evaluation);
  const [expected, found] = [response.data, verdict].map((value) => JSON.stringify(value));
  return expected === found ? undefined : { expected, found };
}

/** A ruleset that carries the name and version recorded with it, as presets do; a record holds its members alone. */
function toPresetRuleset(ruleset, { name, version }) {
  if (name === null || version === null) return ruleset;
  return Object.defineProperty({ ...ruleset }, Symbol.for("groundrule.ruleset.origin"), {
    value: { name, version },
  });
}

/** The same value with the members of every object in an order of its own. */
function shuffleMembers(value, seed) {
  if (Array.isArray(value)) return value.map((item) => shuffleMembers(item, seed));
  if (typeof value !== "object" || value === null) return value;
  const rank = (name) => createHash("md5").update(`${seed} ${name}`).digest("hex");
  const entries = Object.entries(value).sort(([a], [b]) => (rank(a) < rank(b) ? -1 : 1));
  return Object.fromEntries(entries.map(([name, member]) => [name, shuffleMembers(member, seed)]));
}
