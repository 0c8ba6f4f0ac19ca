import { EngineError } from "../base/errors.ts";
import { escapePointerToken } from "../base/json-pointer.ts";
import { pickInputMembers } from "../ruleset/compile/evaluation-input.ts";
import type { CompileOptions, Policy, RulesetOrigin } from "../ruleset/compile/policy.ts";
import { canonicalJson } from "../verdict/canonical-json.ts";
import { type SourceOutcome, type Verdict, verdictOf } from "../verdict/verdict.ts";
import type { VerdictRecord } from "./record.ts";

/**
 * Causes for which a replayed verdict can differ, and what remains when none of them applies: `verdict` if the
 * recorded decision does not follow from its own ruleset, input and editions under the same semantics (it was altered,
 * or an engine erred); `description` if the decision and its digest are the same and only descriptive members differ,
 * such as `collected_at`.
 */
export type ReplayPart = "ruleset" | "edition" | "semantics" | "input" | "verdict" | "description";

/** How a record and its replay compare. */
export interface Replay {
  /** `identical`: the same digest, and the same verdict to the last character. */
  readonly result: "identical" | "differs";
  /** Empty where identical. */
  readonly differs: readonly ReplayPart[];
  /** The verdict's word. */
  readonly verdict: {
    /** As the record has it. */
    readonly recorded: Verdict["verdict"];
    /** Null where the replay gave none. */
    readonly replayed: Verdict["verdict"] | null;
  };
  /** The verdict's digest; null under the reference kernel. */
  readonly digest: {
    /** As the record has it. */
    readonly recorded: string | null;
    /** Null where the replay gave none. */
    readonly replayed: string | null;
  };
  /** The semantics of the record and of the engine, and the release that wrote the record and agrees with it. */
  readonly semantics: {
    /** As the record has it. */
    readonly recorded: number;
    /** The engine's. */
    readonly replayed: number;
    /** Release with the other semantics, if they differ and the record names it. */
    readonly agreeing_release?: string;
  };
  /** The first {@link CHANGES_SHOWN} members that differ, in the order of the canonical JSON. */
  readonly changes: readonly ReplayChange[];
  /** Why the replay gave no verdict. */
  readonly error?: { readonly code: string; readonly message: string };
}

/** A member of the verdict that has another value in the replay. */
export interface ReplayChange {
  /** JSON pointer into the verdict. */
  readonly pointer: string;
  /** Absent where the member is. */
  readonly recorded?: unknown;
  /** Absent where the replay has no such member. */
  readonly replayed?: unknown;
}

/** Most changes that a replay lists. */
const CHANGES_SHOWN = 20;

/** The part of an engine that a replay uses. */
export interface ReplayingEngine {
  readonly semantics: number;
  compile(ruleset: unknown, origin: RulesetOrigin | undefined, options: CompileOptions): Policy;
}

/**
 * Evaluates a record's request anew and compares: identical means that the digest and the canonical
 * JSON of the whole verdict, ages and times included, are the same.
 *
 * @param engine opened over the editions that the record names
 *
 * Fails: never for what the record holds: an input or ruleset that is refused is told in `error`.
 */
export function replayRecord(engine: ReplayingEngine, record: VerdictRecord): Replay {
  const { reference_id: _, ...recorded } = record.response.data;
  const { input, ruleset, evidence_limit, options, provided } = record.request;
  let policy: Policy;
  try {
    policy = engine.compile(ruleset, readRulesetOrigin(recorded), {
      isAccepted: true,
      ...(options?.without !== undefined && { without: options.without }),
    });
  } catch (error) {
    const part = error instanceof EngineError && error.code === "SOURCE_UNKNOWN" ? "edition" : "ruleset";
    return createRefusedReplay(record, engine, part, error);
  }
  let replayed: Verdict;
  try {
    const request = {
      now: recorded.evaluated_at,
      ...(evidence_limit !== undefined && { evidenceLimit: evidence_limit }),
      ...(options?.strict_coverage === true && { strictCoverage: true }),
      ...(provided !== undefined && { provided }),
    };
    const verdict = verdictOf(policy.evaluate(pickInputMembers(input), request));
    replayed = asFarAsRecorded(verdict, recorded);
  } catch (error) {
    return createRefusedReplay(record, engine, "input", error);
  }
  const changes = [...listReplayChanges(recorded, replayed, "")];
  const differs = listDifferingParts(recorded, replayed);
  if (changes.length > 0 && differs.length === 0) {
    differs.push(recorded.digest === replayed.digest && isDecisionSame(changes) ? "description" : "verdict");
  }
  return {
    result: changes.length === 0 ? "identical" : "differs",
    differs,
    verdict: { recorded: recorded.verdict, replayed: replayed.verdict },
    digest: { recorded: recorded.digest, replayed: replayed.digest },
    semantics: compareSemantics(record, engine),
    changes: changes.slice(0, CHANGES_SHOWN),
  };
}

function readRulesetOrigin({
  ruleset: { name, version },
}: Verdict): { name: string; version: number } | undefined {
  return name === null || version === null ? undefined : { name, version };
}

function compareSemantics({ response }: VerdictRecord, engine: ReplayingEngine): Replay["semantics"] {
  const recorded = response.data.semantics;
  const release = response.meta.engine_version;
  const isAnother = recorded !== engine.semantics && release !== undefined;
  return { recorded, replayed: engine.semantics, ...(isAnother && { agreeing_release: release }) };
}

function createRefusedReplay(
  record: VerdictRecord,
  engine: ReplayingEngine,
  part: ReplayPart,
  error: unknown,
): Replay {
  if (!(error instanceof EngineError)) throw error;
  const recorded = record.response.data;
  const { code, message } = error;
  return {
    result: "differs",
    differs: engine.semantics === recorded.semantics ? [part] : [part, "semantics"],
    verdict: { recorded: recorded.verdict, replayed: null },
    digest: { recorded: recorded.digest, replayed: null },
    semantics: compareSemantics(record, engine),
    changes: [],
    error: { code, message },
  };
}

/**
 * Without what the record does not tell: what could not be stored of a source, whose coverage was assumed, the members of
 * groups. What a manifest says about its source beside the data stays as it was said then.
 */
function asFarAsRecorded(replayed: Verdict, recorded: Verdict): Verdict {
  const { groups, ...ungrouped } = replayed;
  const whole = groups === undefined || recorded.groups === undefined ? ungrouped : replayed;
  const sources = replayed.sources.map((source, i) => {
    const { left_out, coverage_known, scope: _, fictional: __, before_cutoff: ___, ...others } = source;
    const was = recorded.sources[i];
    return {
      ...others,
      ...(left_out !== undefined && was?.left_out !== undefined && { left_out }),
      ...(coverage_known !== undefined && was?.coverage_known !== undefined && { coverage_known }),
      ...(was?.scope !== undefined && { scope: was.scope }),
      ...(was?.fictional !== undefined && { fictional: was.fictional }),
      ...(was?.before_cutoff !== undefined && { before_cutoff: was.before_cutoff }),
    };
  });
  return { ...whole, sources };
}

function listDifferingParts(recorded: Verdict, replayed: Verdict): ReplayPart[] {
  const editions = (sources: readonly SourceOutcome[]) =>
    canonicalJson(sources.map(({ source_name, status, edition }) => [source_name, status, edition ?? null]));
  const pairs: readonly (readonly [ReplayPart, boolean])[] = [
    ["ruleset", recorded.ruleset.digest === replayed.ruleset.digest],
    ["edition", editions(recorded.sources) === editions(replayed.sources)],
    ["semantics", recorded.semantics === replayed.semantics],
    ["input", recorded.input.digest === replayed.input.digest],
  ];
  return pairs.flatMap(([part, isSame]) => (isSame ? [] : [part]));
}

/** Members that surround a decision and are not in its digest. */
const DESCRIPTION =
  /^\/(?:sources\/\d+\/(?:collected_at|observed_until|age_days|matched|left_out|reason)|ruleset\/(?:name|version))$/;

function isDecisionSame(changes: readonly ReplayChange[]): boolean {
  return changes.every(({ pointer }) => DESCRIPTION.test(pointer));
}

function* listReplayChanges(recorded: unknown, replayed: unknown, pointer: string): Generator<ReplayChange> {
  if (isTree(recorded) && isTree(replayed) && Array.isArray(recorded) === Array.isArray(replayed)) {
    const names = new Set([...Object.keys(recorded), ...Object.keys(replayed)]);
    for (const name of [...names].sort()) {
      const below = `${pointer}/${escapePointerToken(name)}`;
      yield* listReplayChanges(getOwnMember(recorded, name), getOwnMember(replayed, name), below);
    }
    return;
  }
  // 0 and -0 are one number in JSON.
  if (recorded === replayed) return;
  yield {
    pointer,
    ...(recorded !== undefined && { recorded }),
    ...(replayed !== undefined && { replayed }),
  };
}

function isTree(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

/** A member of its own; none that every object inherits. */
function getOwnMember(tree: object, name: string): unknown {
  return Object.hasOwn(tree, name) ? (tree as Readonly<Record<string, unknown>>)[name] : undefined;
}
