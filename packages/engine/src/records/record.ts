import { EngineError, FAULT_LIMIT, type Fault } from "../base/errors.ts";
import type { Warning } from "../geometry/plot/plot.ts";
import { type EvaluationInput, storedInputShape } from "../ruleset/compile/evaluation-input.ts";
import { listNamesInSets, type Policy } from "../ruleset/compile/policy.ts";
import { checkShape } from "../shape/check-shape.ts";
import {
  anything,
  array,
  boolean,
  choice,
  nullable,
  number,
  object,
  optional,
  record,
  type Shape,
  text,
  union,
} from "../shape/shape.ts";
import { sourceNameShape, storedManifestShape } from "../snapshot/manifest.ts";
import { editionShape } from "../snapshot/meta-shape.ts";
import type { CandidateArea, LiveDescription, Provided, ProvidedAreas } from "../sources/live-source.ts";
import { requireInstant } from "../verdict/instant.ts";
import { verdictMembers, warningShape } from "../verdict/schema.ts";
import { type Evaluation, type Verdict, verdictOf } from "../verdict/verdict.ts";

/**
 * A verdict with what was asked: all it takes to reach it again, years later, from archived editions.
 * `docs/formats/record.md` describes it member for member.
 */
export interface VerdictRecord {
  /** The plot's id in the file it came from. */
  readonly id?: string | number;
  /** The evaluation that was requested. */
  readonly request: {
    readonly input: EvaluationInput;
    /** The ruleset as it was sent. */
    readonly ruleset: object;
    /** Where it was not the default. */
    readonly evidence_limit?: number;
    /** Where they were not the default. */
    readonly options?: RecordedOptions;
    /** Where `input` is what a system will hold of the plot, not what was sent. */
    readonly as_submitted?: SubmittedAs;
    /** Answers of the live sources, if the ruleset names any. */
    readonly provided?: Provided;
    /** Those sources as they were that day, all of them. */
    readonly live?: Readonly<Record<string, LiveDescription>>;
    readonly reference_id?: string | null;
  };
  /** The response, as it travels over HTTP. */
  readonly response: {
    /** The verdict. */
    readonly data: Verdict & { readonly reference_id?: string | null };
    /** Data sent with the verdict, outside of it. */
    readonly meta: { readonly engine_version?: string; readonly warnings: readonly Warning[] };
    /** Always empty: a verdict is an answer. */
    readonly errors: readonly never[];
  };
  /** The groups that the ruleset names and that are not left out, with their members at that time. */
  readonly groups?: Readonly<Record<string, readonly string[]>>;
}

/** The options of a recorded evaluation that change its verdict. */
export interface RecordedOptions {
  /** True if undeclared sources covered nothing. */
  readonly strict_coverage?: boolean;
  /** Names of the sources and groups that it did without. */
  readonly without?: readonly string[];
}

/** Which geometry was sent, where another was judged: the one that the system of a profile makes of it. */
export interface SubmittedAs {
  /** Name of the profile, e.g. `eudr`. */
  readonly profile: string;
  /** SHA-256, as 64 hex digits, of the canonical JSON (RFC 8785) of the GeoJSON geometry as sent. */
  readonly sent_digest: string;
}

/** The parts of an evaluation that a record keeps besides the verdict. */
export interface RecordedEvaluation {
  /** The plot's id in the file it came from. */
  readonly id?: string | number | undefined;
  readonly input: EvaluationInput;
  /** Where `input` is what a system will hold of the plot. */
  readonly submittedAs?: SubmittedAs | undefined;
  /** As it was sent. */
  readonly ruleset: object;
  /** The compiled ruleset. */
  readonly policy: Pick<Policy, "ruleset" | "live" | "without">;
  /** Where it was not the default. */
  readonly evidenceLimit?: number | undefined;
  /** As it was evaluated with. */
  readonly strictCoverage?: boolean | undefined;
  /** The same. */
  readonly provided?: Provided | undefined;
  /** Every group of the engine that evaluated. */
  readonly groups: Readonly<Record<string, readonly string[]>>;
  readonly engineVersion: string;
}

/** The record of an evaluation. */
export function verdictRecord(recorded: RecordedEvaluation, evaluation: Evaluation): VerdictRecord {
  const { id, input, ruleset, policy, evidenceLimit, strictCoverage, provided, engineVersion } = recorded;
  const { submittedAs } = recorded;
  const isLive = Object.keys(policy.live).length > 0;
  const named = listNamesInSets(policy.ruleset);
  const groups = Object.entries(recorded.groups).filter(
    ([name]) => named.has(name) && !policy.without.includes(name),
  );
  return {
    ...(id !== undefined && { id }),
    request: {
      input,
      ruleset,
      ...(evidenceLimit !== undefined && { evidence_limit: evidenceLimit }),
      ...buildRecordedOptions(strictCoverage, policy.without),
      ...(submittedAs !== undefined && { as_submitted: submittedAs }),
      ...(isLive && provided !== undefined && { provided }),
      ...(isLive && { live: policy.live }),
    },
    response: {
      data: verdictOf(evaluation),
      meta: { engine_version: engineVersion, warnings: evaluation.warnings },
      errors: [],
    },
    ...(groups.length > 0 && { groups: Object.fromEntries(groups) }),
  };
}

/** The member `options` of a recorded request; none where every option is the default. */
function buildRecordedOptions(
  strictCoverage: boolean | undefined,
  without: readonly string[],
): { readonly options?: RecordedOptions } {
  const options: RecordedOptions = {
    ...(strictCoverage === true && { strict_coverage: true }),
    ...(without.length > 0 && { without }),
  };
  return Object.keys(options).length === 0 ? {} : { options };
}

/**
 * Checks a record from outside. Members it does not know are left alone.
 *
 * @param value the parsed JSON of the record
 *
 * Fails: `VALIDATION_FAILED` with each fault and its pointer.
 */
export function parseRecord(value: unknown): VerdictRecord {
  const checked = checkShape(recordShape, value, { unknownMembers: "kept" });
  if (checked.faults !== undefined) throwRecordFaults(checked.faults);
  const { data } = checked.value.response;
  const faults = data.sources.flatMap(({ source_name, status, edition }, i): Fault[] => {
    const at = `/response/data/sources/${i}`;
    const { faults = [] } = checkShape(sourceNameShape, source_name);
    return [
      ...faults.map((fault) => ({ ...fault, pointer: `${at}/source_name` })),
      ...(status === "ok" && edition === undefined ? [createMissingEditionFault(`${at}/edition`)] : []),
    ];
  });
  if (isFilled(faults)) throwRecordFaults(faults);
  requireInstant(data.evaluated_at);
  return value as VerdictRecord; // as it was written: the checked one has its members in another order
}

function createMissingEditionFault(pointer: string): Fault {
  const message = "found no edition, expected the edition of each source that did not fail";
  return { pointer, code: "MEMBER_MISSING", message };
}

function throwRecordFaults(faults: readonly [Fault, ...Fault[]]): never {
  const [{ pointer, message }] = faults;
  throw new EngineError("VALIDATION_FAILED", `not a record of a verdict: at "${pointer}": ${message}`, {
    faults: faults.slice(0, FAULT_LIMIT),
  });
}

function isFilled(faults: readonly Fault[]): faults is readonly [Fault, ...Fault[]] {
  return faults.length > 0;
}

type Request = VerdictRecord["request"];
type Response = VerdictRecord["response"];

const nullableText = optional(nullable(text()));

/** The content of candidates is checked where they are read. */
const providedShape: Shape<ProvidedAreas> = union([
  object<{ readonly candidates: readonly CandidateArea[] }>({
    candidates: array(anything() as Shape<CandidateArea>),
  }),
  object<{ readonly failed: string }>({ failed: text() }),
]) as object as Shape<ProvidedAreas>;

const recordShape: Shape<VerdictRecord> = object<VerdictRecord>({
  id: optional(union([text(), number()])),
  request: object<Request>({
    input: storedInputShape,
    ruleset: object<object>({}, { words: "the ruleset in full" }),
    evidence_limit: optional(number({ whole: true })),
    options: optional(
      nullable(
        object<RecordedOptions>({
          strict_coverage: optional(nullable(boolean()) as Shape<boolean>),
          without: optional(array(text())),
        }),
      ) as Shape<RecordedOptions>,
    ),
    as_submitted: optional(object<SubmittedAs>({ profile: text(), sent_digest: text() })),
    provided: optional(record(sourceNameShape, providedShape)),
    live: optional(
      record(
        sourceNameShape,
        object<LiveDescription>({ manifest: storedManifestShape, blank: optional(editionShape) }),
      ),
    ),
    reference_id: nullableText,
  }),
  response: object<Response>({
    data: object<Response["data"]>({ ...verdictMembers, reference_id: nullableText }),
    meta: object<Response["meta"]>({
      engine_version: optional(text()),
      warnings: array(warningShape),
    }),
    errors: array(choice<never>(), { max: 0 }),
  }),
  groups: optional(record(sourceNameShape, array(sourceNameShape, { min: 1 }))),
});
