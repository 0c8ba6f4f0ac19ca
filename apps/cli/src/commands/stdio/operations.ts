import { Writable } from "node:stream";
import type { DistanceMatch, IntersectionMatch, Policy, SpatialOptions } from "@groundrule/engine";
import { canonicalJson } from "@groundrule/engine/records";
import type { OpenData } from "@groundrule/node";
import { assertExpectedEditions } from "@groundrule/node/internal";
import { Field, type RecordBatch, type Schema, Utf8 } from "apache-arrow";
import { type Arguments, UsageError } from "../../command-line/arguments.ts";
import { type Command, completeCommand, type NamedCommand } from "../../command-line/command.ts";
import {
  EXPECT_EDITION_OPTION,
  readCompileOptions,
  readCoverageOptions,
  readEditionOptions,
  readInstantOption,
} from "../../data/command-data.ts";
import type { AnsweredAreas, LiveAreas } from "../../data/live-areas.ts";
import { readRuleset } from "../../files/ruleset-file.ts";
import { readDeclarations } from "../../plots/declared-options.ts";
import { preparePlotLine, readJudgeOptions } from "../../plots/judged-plots.ts";
import { toPlotLine } from "../../plots/plots.ts";
import { readIdentifierColumns } from "../../plots/read-options.ts";
import { PlotScreener } from "../../screening/plot-screener.ts";
import { answerOrError } from "../../screening/results/answer-printer.ts";
import { refuseOtherOptions } from "../../screening/screen-options.ts";
import { OutputStream, TextColumn } from "../../screening/stdio/output-stream.ts";
import { checkPlotColumns, PlotRows } from "../../screening/stdio/plot-columns.ts";
import { RowScreener } from "../../screening/stdio/row-screener.ts";
import { Terminal } from "../../terminal/terminal.ts";
import { VERSION } from "../../version.ts";
import type { AreaQuestion } from "../questions/area-question.ts";
import { DISTANCE_QUESTION } from "../questions/distance.ts";
import { INTERSECTIONS_QUESTION } from "../questions/intersections.ts";
import { MatchColumns } from "./match-columns.ts";

/** The state that calls share. */
export interface Session {
  readonly data: OpenData;
  readonly live: LiveAreas;
  readonly terminal: Terminal;
  /** The rulesets compiled last, by their content. */
  readonly policies: Map<string, Policy>;
}

/** The answer of a call, as an Arrow stream. */
export interface Answering {
  readonly output: OutputStream;
  /** A first batch, for a call without plots. */
  readonly first?: Uint8Array;
  /** The answer to a batch of plots; absent: the call takes none. */
  readonly answer?: (batch: RecordBatch) => Promise<Uint8Array>;
}

/** A command that can be called. */
interface Operation {
  readonly load: () => Promise<NamedCommand>;
  readonly open: (args: Arguments, schema: Schema, session: Session) => Promise<Answering> | Answering;
}

/** Every command that can be called, by the words that call it on a command line. */
export const OPERATIONS: ReadonlyMap<string, Operation> = new Map<string, Operation>([
  [
    "screen",
    {
      load: async () => completeCommand("screen", (await import("../screening/screen.ts")).screenCommand),
      open: screenRows,
    },
  ],
  [
    "evaluate",
    {
      load: async () =>
        completeCommand("evaluate", (await import("../questions/evaluate.ts")).evaluateCommand),
      open: evaluateRows,
    },
  ],
  [
    "intersections",
    {
      load: async () =>
        completeCommand(
          "intersections",
          (await import("../questions/intersections.ts")).intersectionsCommand,
        ),
      open: (...call) => matchRows(INTERSECTIONS_QUESTION, ...call),
    },
  ],
  [
    "distance",
    {
      load: async () =>
        completeCommand("distance", (await import("../questions/distance.ts")).distanceCommand),
      open: (...call) => matchRows(DISTANCE_QUESTION, ...call),
    },
  ],
  ["explain", printedBy("explain", async () => (await import("../rulesets/explain.ts")).explainCommand)],
  ["lint", printedBy("lint", async () => (await import("../rulesets/lint.ts")).lintCommand)],
  [
    "rulesets list",
    printedBy(
      "rulesets list",
      async () => (await import("../rulesets/rulesets-list.ts")).rulesetsListCommand,
    ),
  ],
  [
    "sources list",
    printedBy("sources list", async () => (await import("../sources/sources-list.ts")).sourcesListCommand),
  ],
]);

/** Evaluates plots to rows, as `screen --stdio`. With `--record -` each row has its record. */
function screenRows(args: Arguments, schema: Schema, session: Session): Answering {
  const isRecorded = readRecordOption(args);
  refuseOtherOptions(args, ["record"]);
  checkPlotColumns(schema, readIdentifierColumns(args));
  const screener = new RowScreener(args, { ...session, ...openRuleset(args, session) }, isRecorded);
  return { output: screener.results, answer: (batch) => screener.answer(batch) };
}

/** Evaluates plots to lines, as `evaluate` prints them; with `--record -`, beside the record of each. */
async function evaluateRows(args: Arguments, schema: Schema, session: Session): Promise<Answering> {
  const isRecorded = readRecordOption(args);
  refuseOtherOptions(args, ["record"]);
  const identifiers = readIdentifierColumns(args);
  checkPlotColumns(schema, identifiers);
  const { data, live, terminal } = session;
  const { ruleset, policy, now } = openRuleset(args, session);
  const evidenceLimit = args.findInteger("evidence-limit", 1, 200);
  const { facts = {} } = policy.ruleset;
  const judge = { ...readJudgeOptions(args, facts), declared: await readDeclarations(args, facts, terminal) };
  const screener = new PlotScreener(data.engine, policy, {
    ruleset,
    compiled: readCompileOptions(args),
    options: { now, ...(evidenceLimit !== undefined && { evidenceLimit }), ...readCoverageOptions(args) },
    style: { format: "ndjson", evidence: "all", checks: [], areErrorsApart: false, hasColours: false },
    record: isRecorded ? { groups: data.current.options.groups ?? {} } : undefined,
  });
  const output = new OutputStream(
    ["line", ...(isRecorded ? ["record"] : [])].map((name) => new Field(name, new Utf8(), true)),
    describeAnswer(data, now, policy),
  );
  const answer = async (batch: RecordBatch): Promise<Uint8Array> => {
    const rows = new PlotRows(batch, identifiers);
    const columns = output.fields.map(() => new TextColumn());
    for (let row = 0; row < rows.count; row++) {
      const line = preparePlotLine(toPlotLine(rows.plot(row, row + 1)), judge);
      const areas = "error" in line ? {} : await live.ask(() => policy.liveNeeds(line.input));
      screener.add({ number: row, id: line.id, line }, areas.provided);
      const { written, records } = screener.take();
      for (const [i, text] of [written.lines.trimEnd(), records[0] ?? null].entries()) columns[i]?.add(text);
    }
    return output.encode(
      rows.count,
      columns.map((column) => column.build()),
    );
  };
  return { output, answer };
}

/**
 * Measures the areas around plots: a row for each pair of a plot and an area, and one for a plot with an error. With
 * `--json`, a line for each plot, as the command prints it.
 */
function matchRows<Match extends IntersectionMatch | DistanceMatch, Options extends SpatialOptions>(
  question: AreaQuestion<Match, Options>,
  args: Arguments,
  schema: Schema,
  { data, live }: Session,
): Answering {
  refuseOtherOptions(args);
  const chosen = question.readOptions(args);
  const identifiers = readIdentifierColumns(args);
  checkPlotColumns(schema, identifiers);
  const now = bindData(args, data);
  const crs = args.find("crs");
  const measure = async (rows: PlotRows, row: number) => {
    const plot = toPlotLine(rows.plot(row, row + 1));
    if ("error" in plot) return plot;
    const geometry = plot.input.geometry!;
    const named = crs ?? plot.input.crs;
    const options = { ...chosen, now, ...(named !== undefined && { crs: named }) };
    const areas: AnsweredAreas = live.isEmpty ? {} : await live.ask(() => data.liveNeeds(geometry, options));
    return { id: plot.id, ...answerOrError(() => question.query(data, geometry, { ...options, ...areas })) };
  };
  const metadata = describeAnswer(data, now);
  if (args.flag("json")) {
    const output = new OutputStream([new Field("line", new Utf8(), true)], metadata);
    const answer = async (batch: RecordBatch): Promise<Uint8Array> => {
      const rows = new PlotRows(batch, identifiers);
      const lines = new TextColumn();
      for (let row = 0; row < rows.count; row++) {
        const found = await measure(rows, row);
        const { id } = found;
        const members = "error" in found ? { error: found.error } : { [question.member]: found.matches };
        lines.add(JSON.stringify({ id, ...members }));
      }
      return output.encode(rows.count, [lines.build()]);
    };
    return { output, answer };
  }
  const output = new OutputStream(MatchColumns.listFields(question.member), metadata);
  const answer = async (batch: RecordBatch): Promise<Uint8Array> => {
    const rows = new PlotRows(batch, identifiers);
    const columns = new MatchColumns(question.member);
    for (let row = 0; row < rows.count; row++) {
      const found = await measure(rows, row);
      if ("error" in found) columns.addError(row, found.error);
      else columns.addAnswer(row, found);
    }
    return output.encode(columns.length, columns.build());
  };
  return { output, answer };
}

/** The lines that a command prints which takes no plots. */
function printedBy(path: string, load: () => Promise<Command>): Operation {
  return {
    load: async () => completeCommand(path, await load()),
    async open(args, _, { data, terminal }) {
      const command = await load();
      const printed: Buffer[] = [];
      const sink = new Writable({
        write(chunk: Buffer, _encoding, done) {
          printed.push(chunk);
          done();
        },
      });
      const notes = new Writable({ write: (_chunk, _encoding, done) => done() });
      const folder = { text: data.dir, from: "environment", place: "the data folder of stdio" } as const;
      await command.run(
        args.with(
          new Map([
            ["data", folder],
            ...["ruleset", "needed-by"].flatMap((name) => {
              const fallback = args.fallback(name);
              return fallback === undefined ? [] : [[name, fallback] as const];
            }),
          ]),
        ),
        new Terminal(terminal.input, sink, notes, terminal.signal, terminal.openProvider),
      );
      const lines = Buffer.concat(printed).toString().split("\n").filter(Boolean);
      const column = new TextColumn();
      for (const line of lines) column.add(line);
      const output = new OutputStream([new Field("line", new Utf8(), true)], describeAnswer(data));
      return { output, first: output.encode(lines.length, [column.build()]) };
    },
  };
}

interface OpenRuleset {
  readonly ruleset: object;
  readonly policy: Policy;
  readonly now: string;
}

/** Compiled rulesets that are kept. */
const MOST_POLICIES = 8;

/** The ruleset of a call, compiled. Its file is read at each call, and compiled when its content is new. */
function openRuleset(args: Arguments, { data, policies }: Session): OpenRuleset {
  const now = bindData(args, data);
  const ruleset = readRuleset(args.get("ruleset"));
  const options = readCompileOptions(args);
  const key = canonicalJson([
    args.get("ruleset").startsWith("preset.") ? args.get("ruleset") : "",
    ruleset,
    options,
  ]);
  const policy = policies.get(key) ?? data.engine.compile(ruleset, undefined, options);
  policies.delete(key);
  policies.set(key, policy);
  if (policies.size > MOST_POLICIES) policies.delete(policies.keys().next().value!);
  return { ruleset, policy, now };
}

/** Checks the editions that a call expects, and returns its instant. */
function bindData(args: Arguments, data: OpenData): string {
  const now = readInstantOption(args) ?? data.now();
  assertExpectedEditions(data, readEditionOptions(args, EXPECT_EDITION_OPTION.name));
  return now;
}

/** True if the call wants records, which come as a column. Fails: {@link UsageError} for a file. */
function readRecordOption(args: Arguments): boolean {
  const record: string | undefined = args.find("record");
  if (record !== undefined && record !== "-")
    throw new UsageError(
      `found --record ${record} in a call, expected --record=-, which adds the column record`,
    );
  return record !== undefined;
}

/** Metadata of an answer. */
function describeAnswer(data: OpenData, now?: string, policy?: Policy): ReadonlyMap<string, string> {
  const failed = data.engine.failures();
  return new Map([
    ["groundrule.version", VERSION],
    ["semantics", String(data.engine.semantics)],
    ["editions", JSON.stringify(policy?.editions ?? Object.fromEntries(data.editions))],
    ...(now === undefined ? [] : [["now", now] as const]),
    ...(policy === undefined ? [] : [["ruleset_digest", policy.digest] as const]),
    ...(failed.length === 0 ? [] : [["failed", JSON.stringify(failed)] as const]),
  ]);
}
