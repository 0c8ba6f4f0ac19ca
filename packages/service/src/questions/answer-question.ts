import type { ExplainResponse, SavedRuleset } from "@groundrule/contract";
import { EngineError, type LiveNeed, type Provided } from "@groundrule/engine";
import { canonicalJson } from "@groundrule/engine/records";
import { explainQuestion, lintRuleset } from "@groundrule/engine/rulesets";
import { RecentlyUsed } from "@groundrule/node/internal/pure";
import type { AnswererHost, ReadBody } from "../body/answerer-host.ts";
import { checkBody } from "../body/parse-body.ts";
import { formatCanonicalBody, identifyBody } from "../body/recognise.ts";
import type { BodyResult, BodyTask, SavedBody } from "../task/body-task.ts";
import { Refusal, toRefusal } from "../task/refusal.ts";
import { buildAnswerMeta } from "./answer-parts.ts";
import type { AnyQuery, AnyQuestion, AnyRequest, Call } from "./question.ts";

/**
 * Answers a billable question from its parsed body: checks it, finds the ruleset it names, queries the engine, and
 * writes the answer. If the query requests it, the question is explained instead, and nothing is stored.
 */
export function answerQuestion(
  question: AnyQuestion,
  body: ReadBody,
  task: BodyTask,
  {
    call,
    pinned,
  }: { readonly call: Omit<Call<string>, "saved" | "written" | "provided">; readonly pinned: PinnedRulesets },
): BodyResult {
  const request = question.plainRequest?.(body.value) ?? checkBody(question.requestSchema, body.value);
  const named = question.rulesetNamed?.(request);
  const saved = named && pinned.find(task, named);
  if (named !== undefined && saved === undefined) return { kind: "ruleset wanted", named };
  const known = { ...call, saved, written: body.written, provided: undefined };
  const query = task.query as AnyQuery;
  if (query.explain) return { kind: "told", json: formatQuestionPlan(question, request, known) };

  if (task.pinned !== undefined) {
    const current = runEngineQuery(question, request, () => question.editions?.(request, known) ?? {});
    // No source may have been added either: its edition was not chosen.
    if (canonicalJson(task.pinned) !== canonicalJson(current)) return { kind: "other editions" };
  }
  const needs = runEngineQuery(question, request, () => question.liveNeeds?.(request, known) ?? []);
  const provided = selectProvidedAreas(needs, task);
  if (provided === "wanted") return { kind: "areas wanted", needs };
  const asking = { ...known, provided };
  const answered = runEngineQuery(question, request, () => question.answer(request, query, asking));
  const { complete, sources, resolved } = answered;
  return {
    kind: "answered",
    fingerprint: identifyBody(body, task, call.host).fingerprint,
    referenceId: request.reference_id ?? null,
    request:
      resolved === undefined && provided === undefined
        ? formatCanonicalBody(body)
        : formatBoundedRecord({ ...(body.value as object), ...resolved, provided }, body, call),
    response: formatBoundedJson(answered.body, call.limits.resultBytes, call.host, answered.isSmall),
    digests: canonicalJson(answered.digests),
    complete,
    sources: sources.map(({ source_name, status }) => ({ source_name, status })),
  };
}

/**
 * The live areas for a question, limited to its own sources: others may have been connected or disconnected meanwhile.
 */
function selectProvidedAreas(
  needs: readonly LiveNeed[],
  { provided = {} }: Pick<BodyTask, "provided">,
): Provided | "wanted" | undefined {
  if (needs.length === 0) return undefined;
  if (!needs.every(({ source_name }) => Object.hasOwn(provided, source_name))) return "wanted";
  return Object.fromEntries(needs.map(({ source_name }) => [source_name, provided[source_name]!]));
}

/** Canonical JSON of a request as stored with its answer. Refuses: `RESULT_TOO_LARGE`. */
function formatBoundedRecord(
  value: object,
  { written }: ReadBody,
  { host, limits: { resultBytes: limitBytes } }: Pick<Call<string>, "host" | "limits">,
): string {
  const text = canonicalJson(value, written);
  if (host.byteLength(text) <= limitBytes) return text;
  throw new Refusal(
    "RESULT_TOO_LARGE",
    `The request and the areas of live sources near it would take more than ${limitBytes} bytes to keep; limit the request to fewer sources, a smaller plot or a smaller distance.`,
    { details: { limit_bytes: limitBytes } },
  );
}

/** The plan of the question. */
function formatQuestionPlan(question: AnyQuestion, request: AnyRequest, call: Call<string>): string {
  const { pointerInBody } = question;
  const toExplain = question.toExplain(request, call);
  const { plan, warnings } = runEngineQuery(question, request, () => explainQuestion(call.engine, toExplain));
  const lint = toExplain.ask === "evaluate" ? lintRuleset(call.engine, toExplain.ruleset) : [];
  const refusals = plan.refusals.map((fault) => ({
    ...fault,
    pointer: pointerInBody(fault.pointer, fault.code),
  }));
  const explanation: ExplainResponse = {
    data: { plan: { ...plan, refusals, lint }, reference_id: request.reference_id ?? null },
    meta: buildAnswerMeta(call, false, warnings, pointerInBody),
    errors: [],
  };
  return JSON.stringify(explanation);
}

/** Queries the engine; errors are converted to pointers into the request. */
function runEngineQuery<Result>(question: AnyQuestion, request: AnyRequest, ask: () => Result): Result {
  try {
    return ask();
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    throw question.refusalOf?.(error, request) ?? toRefusal(error, question.pointerInBody);
  }
}

const KEPT = 64;

/** Cache of rulesets requested with a version. The meaning of a name and version never changes. */
export class PinnedRulesets {
  readonly #kept = new RecentlyUsed<string, SavedBody>(KEPT);

  /** Finds the one loaded for this task, or for an earlier one of the same organization and mode. */
  find({ organization, mode, saved }: BodyTask, { name, version }: SavedRuleset): SavedBody | undefined {
    if (version === undefined) return saved;
    const key = `${mode} ${organization} ${name}@${version}`;
    return saved === undefined ? this.#kept.get(key) : this.#kept.getOrMake(key, () => saved);
  }
}

/**
 * A value's JSON, refused as soon as its UTF-8 bytes pass the limit. It is written in small parts (an
 * element of a list), so memory stays near the limit whatever the answer holds.
 *
 * @param isSmall whether the value is known to be small: then it is written in one go
 *
 * Fails: `RESULT_TOO_LARGE`.
 */
function formatBoundedJson(
  value: object,
  limitBytes: number,
  { byteLength }: Pick<AnswererHost, "byteLength">,
  isSmall = false,
): string {
  let text = "";
  let length = 0;
  for (const piece of isSmall ? [JSON.stringify(value)] : iterateJsonPieces(value, PIECE_LEVELS)) {
    length += byteLength(piece);
    if (length > limitBytes) {
      throw new Refusal(
        "RESULT_TOO_LARGE",
        `The answer would be larger than ${limitBytes} bytes; limit the request to fewer sources, one country or a smaller plot, or use geometry=none.`,
        { details: { limit_bytes: limitBytes } },
      );
    }
    text += piece;
  }
  return text;
}

/** Levels that are written piece by piece: `data`, its lists, their elements. */
const PIECE_LEVELS = 3;

/** The text of `JSON.stringify`, in pieces. */
function* iterateJsonPieces(value: unknown, levels: number): Generator<string> {
  if (levels === 0 || value === null || typeof value !== "object") {
    yield JSON.stringify(value);
    return;
  }
  const isList = Array.isArray(value);
  let separator = isList ? "[" : "{";
  for (const [key, member] of Object.entries(value)) {
    if (member === undefined) continue;
    yield isList ? separator : `${separator}${JSON.stringify(key)}:`;
    yield* iterateJsonPieces(member, levels - 1);
    separator = ",";
  }
  yield separator === "," ? "" : separator;
  yield isList ? "]" : "}";
}
