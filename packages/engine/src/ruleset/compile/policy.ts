import type { LiveDescription, LiveNeed, Provided } from "../../sources/live-source.ts";
import type { Evaluation } from "../../verdict/verdict.ts";
import type { Ruleset } from "../parse/schema.ts";
import type { EvaluationInput } from "./evaluation-input.ts";

/**
 * A ruleset compiled on the sources of one engine. It is always evaluated on these; no other engine can
 * run it.
 */
export interface Policy {
  /** As it was compiled; a copy of its own. */
  readonly ruleset: Ruleset;
  /** SHA-256 of its sets and checks, every default written out. */
  readonly digest: string;
  readonly origin: RulesetOrigin | undefined;
  /** The sources and groups that it does without, ascending. */
  readonly without: readonly string[];
  /** Names of the sources it queries, with the editions on which it was compiled; a failed source has none. */
  readonly editions: Readonly<Record<string, string>>;
  /** The live sources it queries, by name, as records describe them. */
  readonly live: Readonly<Record<string, LiveDescription>>;
  /**
   * Lists the queries that live sources must answer before an input is evaluated; empty if the ruleset names no live
   * source.
   *
   * @param input as that of `evaluate`
   *
   * Fails: as `evaluate` does for the input.
   */
  liveNeeds<Input>(input: unknown extends Input ? Input : EvaluationInput): readonly LiveNeed[];
  /**
   * Answers every check, or refuses. A failed source never throws: it degrades the verdict.
   *
   * @param input the type helps an author; a value of the type `unknown`, such as parsed JSON, is accepted too, because
   * the engine checks every value
   *
   * Fails: `INPUT_INCOMPLETE` where a check needs a geometry or an identifier that the input lacks, and for
   * points without `area_ha`;
   * `SCHEME_UNSUPPORTED` where no register of a set holds an identifier's scheme; `GEOMETRY_INVALID`,
   * `GEOMETRY_TOO_COMPLEX`, `CRS_UNKNOWN`, `CRS_MISMATCH`; `VALIDATION_FAILED` for what is malformed.
   */
  evaluate<Input>(
    input: unknown extends Input ? Input : EvaluationInput,
    options: EvaluateOptions,
  ): Evaluation;
}

/** How a ruleset is compiled. */
export interface CompileOptions {
  /**
   * Names of sources, groups and members of groups that the ruleset names and the evaluation is to do without: they cover
   * nothing, nor does a group one of whose members is left out, and verdicts list them as `without`. The engine need not
   * have them, and nothing that it has of them counts.
   */
  readonly without?: readonly string[] | undefined;
  /**
   * True if the ruleset was accepted before, as one with an origin was: what only new rulesets are refused for leaves
   * its checks open. Default: whether it has an origin.
   */
  readonly isAccepted?: boolean | undefined;
}

/** Where in a catalog of rulesets a ruleset came from. */
export interface RulesetOrigin {
  /** Name of the saved ruleset. */
  readonly name: string;
  /** Its version, from 1. */
  readonly version: number;
}

/** A ruleset: as JSON text, or as a value. The type helps an author; the engine checks every member. */
export type RulesetInput = Ruleset | string | object;

/** The instant of an evaluation, and how much of its evidence it shows. */
export interface EvaluateOptions {
  /** The instant of the evaluation, ISO 8601 UTC. */
  readonly now: string;
  /** Evidence items a check, 1 to 200. Default 20. The digest always covers 20. */
  readonly evidenceLimit?: number | undefined;
  /** True if sources without a declared coverage cover nothing, rather than everything. Default false. */
  readonly strictCoverage?: boolean | undefined;
  /** Adds the overlaps of its evidence to the evaluation, for maps. Default `none`. */
  readonly geometry?: "overlap" | "none" | undefined;
  /** Answers of live sources, by name; a source without an answer fails. See {@link Policy.liveNeeds}. */
  readonly provided?: Provided | undefined;
}

/** Names of sources and groups that a ruleset's sets hold. */
export function listNamesInSets({ sets }: Ruleset): ReadonlySet<string> {
  return new Set(
    Object.values(sets).flatMap((set) =>
      "sources" in set ? set.sources : "registers" in set ? set.registers : [],
    ),
  );
}
