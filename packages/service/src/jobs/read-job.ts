import { iso3OfCountry } from "@groundrule/borders/country-names";
import {
  createJobRequestSchema,
  type EvaluationTerms,
  JOB_PLOT_ID_MAX_LENGTH,
  JOB_PLOTS_MAX,
  jobTermsSchema,
} from "@groundrule/contract";
import { type Engine, EngineError } from "@groundrule/engine";
import { canonicalJson } from "@groundrule/engine/records";
import { type PlotFeature, readPlotInput, withPointArea } from "@groundrule/plots";
import type { AnswererHost } from "../body/answerer-host.ts";
import { checkBody, parseJsonBody } from "../body/parse-body.ts";
import { identifyBody } from "../body/recognise.ts";
import { decodeInNode, toBytes } from "../body/sent-bytes.ts";
import { describeSentValue, findCrsName, isFeature, toPlot } from "../body/sent-features.ts";
import type { ScopedEngine } from "../engines/scoped-engines.ts";
import { listRulesetNames, type RulesetInUse } from "../engines/scoped-engines.ts";
import type { BodyResult, BodyTask, IdentifiedBody, ReadJob, ReadJobPlot } from "../task/body-task.ts";
import { Refusal, refuseFaults, toRefusal } from "../task/refusal.ts";

/** The route that accepts jobs. Its task reads the upload of one. */
export const JOBS_PATH = "/v1/jobs";

/** The form of a job's upload: one document, or one line per plot after the line with its terms. */
export interface JobQuery {
  /** One of the two forms. */
  readonly form: "json" | "lines";
}

/** An upload as it was sent. */
interface Upload {
  readonly terms: EvaluationTerms;
  /** The whole upload, which distinguishes it from others. */
  readonly value: unknown;
  readonly plots: readonly ReadJobPlot[];
}

/**
 * Reads the upload of a job. A fault of the whole refuses it, with its place; a fault of one plot is reported in that
 * plot's place. Geometries are left to the evaluation.
 *
 * Refuses: `MALFORMED_JSON`, `VALIDATION_FAILED`, and `RULESET_INVALID`, `SOURCE_UNKNOWN` if the ruleset does not
 * compile against the caller's sources.
 */
export function readJobUpload(
  task: BodyTask,
  { engine, rulesets }: ScopedEngine,
  host: AnswererHost,
): BodyResult {
  const upload = readUpload(task);
  const { terms, plots } = upload;
  const { saved } = task;
  const inline = "inline" in terms.ruleset ? terms.ruleset.inline : undefined;
  if (inline === undefined && saved === undefined) {
    return {
      kind: "ruleset wanted",
      named: terms.ruleset as Exclude<EvaluationTerms["ruleset"], { inline: object }>,
    };
  }
  const origin = inline === undefined ? { name: saved!.name, version: saved!.version } : undefined;
  const ruleset = inline ?? (JSON.parse(saved!.body) as object);
  const text = inline === undefined ? saved!.body : canonicalJson(inline);
  try {
    const { policy, groups } = rulesets.get(ruleset, text, origin);
    return {
      kind: "job",
      fingerprint: identifyUpload(upload, task, host).fingerprint,
      referenceId: terms.reference_id ?? null,
      origin: origin ?? null,
      digest: policy.digest,
      ruleset: text,
      options: terms.options ?? null,
      editions: policy.editions,
      failed: listNamedFailures(engine, ruleset, groups),
      live: policy.live,
      groups: groups ?? null,
      plots,
    } satisfies ReadJob;
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    throw toRefusal(error, (pointer) => (inline === undefined ? "/ruleset_id" : `/ruleset${pointer}`));
  }
}

/** The failed sources among those that a ruleset names, directly or by a group. */
function listNamedFailures(
  engine: Engine,
  ruleset: object,
  groups: RulesetInUse["groups"] = {},
): ReadJob["failed"] {
  const names = new Set([...listRulesetNames(ruleset), ...Object.values(groups).flat()]);
  return engine.failures().filter(({ source_name }) => names.has(source_name));
}

/** Identifies an upload: see {@link IdentifiedBody}. Refuses: faults of the whole. */
export function identifyJob(task: BodyTask, host: AnswererHost): IdentifiedBody {
  return identifyUpload(readUpload(task), task, host);
}

function identifyUpload({ value }: Upload, task: BodyTask, host: AnswererHost): IdentifiedBody {
  return identifyBody({ value, written: new Map() }, task, host);
}

function readUpload({ body, query, limits }: BodyTask): Upload {
  const bytes = toBytes(body);
  const depth = limits?.jsonDepth ?? 64;
  return (query as JobQuery).form === "lines"
    ? readLinesUpload(bytes, depth)
    : readDocumentUpload(bytes, depth);
}

/** More than the parser allows elsewhere: thousands of plots have a few members each. */
const DOCUMENT_MEMBERS_MAX = 1_000_000;

function readDocumentUpload(bytes: Buffer, jsonDepth: number): Upload {
  const value = parseJsonBody(
    bytes,
    { jsonDepth },
    { maxMembers: DOCUMENT_MEMBERS_MAX, decode: decodeInNode },
  );
  const { plots: collection, ...terms } = checkBody(createJobRequestSchema, value);
  const crs = findCrsName(collection);
  const plots = collection.features.map((feature, i): ReadJobPlot => {
    if (isFeature(feature)) return toJobPlot(toPlot(feature, i + 1, findCrsName(feature) ?? crs));
    const message = `found ${describeSentValue(feature)}, expected a GeoJSON Feature`;
    return createUnreadPlot(i + 1, "VALIDATION_FAILED", "", message);
  });
  return { terms, value, plots };
}

function readLinesUpload(bytes: Buffer, jsonDepth: number): Upload {
  const values: unknown[] = [];
  const plots: ReadJobPlot[] = [];
  let terms: EvaluationTerms | undefined;
  for (const { line, number } of iterateNonBlankLines(bytes)) {
    if (terms === undefined) {
      const value = parseJsonBody(line, { jsonDepth }, { decode: decodeInNode });
      terms = checkBody(jobTermsSchema, value);
      values.push(value);
      continue;
    }
    if (plots.length === JOB_PLOTS_MAX) {
      const message = `found more than ${JOB_PLOTS_MAX} plots, expected at most that many; send them in several jobs`;
      refuseFaults([{ pointer: "", code: "TOO_LARGE", message }], "body");
    }
    const read = readPlotLine(line, number, plots.length + 1, jsonDepth);
    // A line that is not JSON must differ from any JSON text.
    values.push("value" in read ? [read.value] : line.toString("latin1"));
    plots.push(read.plot);
  }
  if (terms === undefined || plots.length === 0) {
    const found = terms === undefined ? "no line" : "one line";
    const message = `found ${found}, expected the terms of the job in the first line and a plot in every other`;
    return refuseFaults([{ pointer: "", code: "TOO_SMALL", message }], "body");
  }
  return { terms, value: values, plots };
}

function readPlotLine(
  line: Buffer,
  lineNumber: number,
  number: number,
  jsonDepth: number,
): { readonly value?: unknown; readonly plot: ReadJobPlot } {
  let value: unknown;
  try {
    value = parseJsonBody(line, { jsonDepth }, { decode: decodeInNode });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const [{ pointer = "", message = error.message } = {}] = error.errors;
    const text = `line ${lineNumber}: ${message}`;
    return { plot: createUnreadPlot(number, error.code, pointer, text) };
  }
  if (isFeature(value)) {
    return { value, plot: toJobPlot(toPlot(value, number, findCrsName(value))) };
  }
  const isGeometry = typeof value === "object" && value !== null && "coordinates" in value;
  if (isGeometry) {
    const crs = findCrsName(value as { readonly crs?: unknown });
    const plot = { number, id: number, geometry: value, properties: {}, ...(crs !== undefined && { crs }) };
    return { value, plot: toJobPlot(plot) };
  }
  const found = `line ${lineNumber}: found ${describeSentValue(value)}, expected a GeoJSON Feature or geometry`;
  return { value, plot: createUnreadPlot(number, "VALIDATION_FAILED", "", found) };
}

const NEWLINE = 0x0a;
const SPACE = 0x20;
const BYTE_ORDER_MARK = 0xefbbbf;

/** The non-blank lines from a position on, with their numbers in the text; the first is 1. */
function* iterateNonBlankLines(bytes: Buffer): Generator<{ readonly line: Buffer; readonly number: number }> {
  let number = 1;
  for (let start = 0; start < bytes.length; number++, start++) {
    for (; bytes[start]! <= SPACE; start++) if (bytes[start] === NEWLINE) number++;
    if (start === bytes.length) return;
    const newline = bytes.indexOf(NEWLINE, start);
    const end = newline === -1 ? bytes.length : newline;
    // If a file was appended to the terms, its byte order mark is in the middle.
    const marked = end - start >= 3 && bytes.readUIntBE(start, 3) === BYTE_ORDER_MARK;
    yield { line: bytes.subarray(marked ? start + 3 : start, end), number };
    start = end;
  }
}

function toJobPlot(plot: PlotFeature): ReadJobPlot {
  const { number, id } = plot;
  if (typeof id === "string" && id.length > JOB_PLOT_ID_MAX_LENGTH) {
    const message = `found an id of ${id.length} characters, expected at most ${JOB_PLOT_ID_MAX_LENGTH}`;
    return createUnreadPlot(number, "VALIDATION_FAILED", "/id", message);
  }
  const read = readPlotInput(plot, iso3OfCountry);
  if ("error" in read) return { id, error: read.error };
  const { input, area, country } = read;
  const withArea = withPointArea({ ...input, ...(country !== undefined && { country_iso3: country }) }, area);
  return "error" in withArea ? { id, error: withArea.error } : { id, input: JSON.stringify(withArea.input) };
}

function createUnreadPlot(number: number, code: string, pointer: string, message: string): ReadJobPlot {
  return { id: number, error: { code, message, faults: [{ pointer, code, message }] } };
}
