import { DEFAULT_LIMITS, type ExplainResponse, type Limits, type SavedRuleset } from "@groundrule/contract";
import { type Engine, EngineError } from "@groundrule/engine";
import { canonicalJson } from "@groundrule/engine/records";
import { lintRuleset } from "@groundrule/engine/rulesets";
import { boundedJson } from "./body/bounded-json.ts";
import { fingerprintOf } from "./body/fingerprint.ts";
import { checkBody, parseJsonBody } from "./body/parse-body.ts";
import { metaOf } from "./questions/answer-parts.ts";
import { CHECK_RULESET_PATH, checkRuleset } from "./questions/check-ruleset.ts";
import { CompiledRulesets } from "./questions/compiled-rulesets.ts";
import { distance } from "./questions/distance.ts";
import { evaluate } from "./questions/evaluate.ts";
import { intersections } from "./questions/intersections.ts";
import type { AnyQuery, AnyRequest, Call, Question } from "./questions/question.ts";
import { refusalOf } from "./questions/refusal-of.ts";
import { subjects } from "./questions/subjects.ts";
import { VALIDATE_PATH, validate } from "./questions/validate.ts";
import type { BodyResult, BodyTask, SavedBody } from "./task/body-task.ts";
import { Refusal } from "./task/refusal.ts";

type AnyQuestion = Question<AnyRequest, AnyQuery, string>;

/** The billable endpoints. */
export function questionsOf({ distanceMeters }: Pick<Limits, "distanceMeters">): readonly AnyQuestion[] {
  // Each is asked with what its own schemas let past.
  return [evaluate, intersections, distance(distanceMeters), subjects] as readonly unknown[] as AnyQuestion[];
}

/** Parts of an engine that are kept; the oldest makes room. */
const PARTS_KEPT = 256;

/**
 * Does on one engine what requests need their bodies for: parses and checks them, recognises them,
 * answers them and writes the answers down. Synchronous, and the same in any thread.
 */
export class Answerer {
  readonly #engine: Engine;
  /** By patterns of sources. */
  readonly #parts = new Map<string, Pick<Call<string>, "engine" | "compiled">>();
  #questions = new Map<string, AnyQuestion>();
  #distanceMeters = -1;
  readonly #pinned = new PinnedRulesets();

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /** What the engine or a check refuses is a result; what is thrown is a bug. */
  answer(task: BodyTask): BodyResult {
    try {
      const { limits = DEFAULT_LIMITS } = task;
      const value = parseJsonBody(task.body, limits);
      if (task.step === "identify")
        return { kind: "identified", fingerprint: recognised(value, task).fingerprint };
      const call = { ...task, ...this.#part(task.within), limits, saved: task.saved };
      if (task.route === VALIDATE_PATH) return { kind: "told", json: JSON.stringify(validate(value, call)) };
      if (task.route === CHECK_RULESET_PATH) return checkRuleset(value, call);
      return answerQuestion(this.#question(task.route, limits), value, task, call, this.#pinned);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const { code, message, errors, details } = error;
      return { kind: "refused", refusal: { code, message, errors, details } };
    }
  }

  #question(route: string, limits: Limits): AnyQuestion {
    if (limits.distanceMeters !== this.#distanceMeters) {
      this.#distanceMeters = limits.distanceMeters;
      this.#questions = new Map(questionsOf(limits).map((question) => [question.path, question]));
    }
    const question = this.#questions.get(route);
    if (question === undefined) throw new Error(`nothing is asked at ${route}`);
    return question;
  }

  #part(within: readonly string[] | undefined): Pick<Call<string>, "engine" | "compiled"> {
    // No pattern at all stands for no source, and is not the absence of patterns.
    const key = within === undefined ? "whole" : `within ${within.join(",")}`;
    const known = this.#parts.get(key);
    if (known !== undefined) return known;
    const engine = within === undefined ? this.#engine : this.#engine.within(within);
    const part = { engine, compiled: new CompiledRulesets(engine) };
    if (this.#parts.size >= PARTS_KEPT) this.#parts.delete(this.#parts.keys().next().value!);
    this.#parts.set(key, part);
    return part;
  }
}

/** Rulesets of pinned versions that are kept; the oldest makes room. */
const PINNED_KEPT = 64;

/** Rulesets that requests named with their version. What a name and a version stand for never changes. */
class PinnedRulesets {
  readonly #kept = new Map<string, SavedBody>();

  /** The one found for this task, or for an earlier one of the same organization and mode. */
  find({ organization, mode, saved }: BodyTask, { name, version }: SavedRuleset): SavedBody | undefined {
    if (version === undefined) return saved;
    const key = `${mode} ${organization} ${name}@${version}`;
    if (saved !== undefined && !this.#kept.has(key)) {
      if (this.#kept.size >= PINNED_KEPT) this.#kept.delete(this.#kept.keys().next().value!);
      this.#kept.set(key, saved);
    }
    return saved ?? this.#kept.get(key);
  }
}

function answerQuestion(
  question: AnyQuestion,
  value: unknown,
  task: BodyTask,
  call: Call<string>,
  pinned: PinnedRulesets,
): BodyResult {
  const { step } = task;
  const request = checkBody(question.requestSchema, value);
  const named = question.rulesetNamed?.(request);
  const saved = named === undefined ? undefined : pinned.find(task, named);
  if (named !== undefined && saved === undefined) return { kind: "ruleset wanted", named };
  const asking = { ...call, saved };
  if (step === "explain") return { kind: "told", json: explained(question, request, asking) };

  const { canonicalBody, fingerprint } = recognised(value, task);
  const answered = asked(question, request, () => question.answer(request, task.query as AnyQuery, asking));
  const { body, complete, sources, resolved = {} } = answered;
  return {
    kind: "answered",
    fingerprint,
    referenceId: request.reference_id ?? null,
    request:
      Object.keys(resolved).length === 0
        ? canonicalBody
        : canonicalJson({ ...(value as object), ...resolved }),
    response: boundedJson(body, call.limits.resultBytes, answered.isSmall),
    digests: canonicalJson(answered.digests),
    complete,
    sources: sources.map(({ source_name, status }) => ({ source_name, status })),
  };
}

/** Which request it is, whatever the order of its members. */
function recognised(
  value: unknown,
  { route, query, mediaType }: BodyTask,
): { readonly canonicalBody: string; readonly fingerprint: string } {
  const canonicalBody = canonicalBodyOf(value);
  const fingerprint = fingerprintOf({ method: "POST", route, query, mediaType, canonicalBody });
  return { canonicalBody, fingerprint };
}

function canonicalBodyOf(value: unknown): string {
  try {
    return canonicalJson(value);
  } catch (error) {
    throw error instanceof EngineError ? refusalOf(error, (pointer) => pointer) : error;
  }
}

/** How the question would be answered. Not charged, and nothing is kept of it. */
function explained(question: AnyQuestion, request: AnyRequest, call: Call<string>): string {
  const { pointerInBody } = question;
  const toExplain = question.toExplain(request, call);
  const { plan, warnings } = asked(question, request, () => call.engine.explain(toExplain));
  const lint = toExplain.ask === "evaluate" ? lintRuleset(call.engine, toExplain.ruleset) : [];
  const refusals = plan.refusals.map((fault) => ({
    ...fault,
    pointer: pointerInBody(fault.pointer, fault.code),
  }));
  const explanation: ExplainResponse = {
    data: { plan: { ...plan, refusals, lint }, reference_id: request.reference_id ?? null },
    meta: metaOf(call, false, warnings, pointerInBody),
    errors: [],
  };
  return JSON.stringify(explanation);
}

/** Asks the engine, its errors in terms of the request. */
function asked<Result>(question: AnyQuestion, request: AnyRequest, ask: () => Result): Result {
  try {
    return ask();
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    throw question.refusalOf?.(error, request) ?? refusalOf(error, question.pointerInBody);
  }
}
