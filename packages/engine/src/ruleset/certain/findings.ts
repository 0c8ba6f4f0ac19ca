import { WorkMeter } from "../../base/work-meter.ts";
import type { Warning } from "../../geometry/plot/plot.ts";
import type { RulesetFaultCode } from "../parse/faults.ts";
import { FilterTexts } from "../parse/filter-texts.ts";

/** Kinds of lint findings other than faults that keep a ruleset from compiling. */
export type LintCode =
  | "BORDER_COUNTS"
  | "CHECK_ALWAYS"
  | "CHECK_DUPLICATE"
  | "CHECK_NEVER"
  | "COLOR_CONTRAST"
  | "COLOR_REPEATED"
  | "COLUMN_HIDDEN"
  | "COMPARISON_ALWAYS"
  | "COMPARISON_DUPLICATE"
  | "COMPARISON_NEVER"
  | "COUNTRY_EMPTY"
  | "COVERAGE_APART"
  | "COVERAGE_ASSUMED"
  | "COVERAGE_UNDECLARED"
  | "DATES_STRADDLED"
  | "DATE_AS_TEXT"
  | "DISTANCE_BEYOND_SET"
  | "FACT_UNUSED"
  | "FILTER_ALWAYS"
  | "FILTER_NEVER"
  | "NULLS_IN_COLUMN"
  | "OBSERVED_UNTIL_MISSING"
  | "OPERAND_REPEATED"
  | "RATIO_OF_OTHERS"
  | "ROOT_UNUSED"
  | "SET_DUPLICATE"
  | "SET_UNUSED"
  | "SOURCE_EMPTY"
  | "SOURCE_FAILED"
  | "SOURCE_REPEATED"
  | "UNIT_SUSPICIOUS"
  | "UNKNOWN_UNUSED"
  | "VALUES_COUNTED"
  | "VALUE_ABSENT";

/**
 * Something about a ruleset that its author should look at. `error`: it does not compile. `warning`:
 * it most likely does not mean what was meant. `info`: worth knowing.
 */
export interface LintFinding {
  readonly code: LintCode | RulesetFaultCode;
  /** How much it matters. */
  readonly severity: "error" | "warning" | "info";
  /** JSON pointer into the ruleset. */
  readonly pointer: string;
  /** One sentence that states the finding. */
  readonly message: string;
  /**
   * True of what the ruleset and the editions in use leave no doubt about; such a finding is a warning of every
   * evaluation. Absent of a guess at what was meant.
   */
  readonly certain?: true;
  /** Suggests what to write instead, or where to look. */
  readonly hint?: string;
}

/**
 * A finding as a warning of an answer.
 *
 * @param at pointer of the ruleset in the request
 */
export function toFindingWarning({ code, pointer, message, hint }: LintFinding, at: string): Warning {
  return { pointer: `${at}${pointer}`, code, message: hint === undefined ? message : `${message}: ${hint}` };
}

/** Codes of findings that are always certain; `VALUE_ABSENT` is where only case or wildcards differ. */
export const CERTAIN: ReadonlySet<LintCode | RulesetFaultCode> = new Set([
  "CHECK_NEVER",
  "COMPARISON_NEVER",
  "DISTANCE_BEYOND_SET",
  "FILTER_NEVER",
]);

/** Most findings of one ruleset. */
const LINT_LIMIT = 100;

/** Collects findings up to the limit. */
export class LintFindings {
  /** Filters in text: findings in one have their place in it. */
  readonly texts: FilterTexts = new FilterTexts();
  /** Counts the search for texts that patterns match. */
  readonly patterns: WorkMeter = new WorkMeter(Infinity);
  readonly #found: LintFinding[] = [];

  get isFull(): boolean {
    return this.#found.length >= LINT_LIMIT;
  }

  get list(): readonly LintFinding[] {
    return this.#found;
  }

  add(finding: LintFinding): void {
    if (!this.isFull) this.#found.push(finding);
  }

  warn(code: LintCode, pointer: string, message: string, hint?: string, isCertain = CERTAIN.has(code)): void {
    this.#report(code, "warning", pointer, message, hint, isCertain);
  }

  info(code: LintCode, pointer: string, message: string, hint?: string): void {
    this.#report(code, "info", pointer, message, hint, false);
  }

  #report(
    code: LintCode,
    severity: "warning" | "info",
    pointer: string,
    message: string,
    hint: string | undefined,
    isCertain: boolean,
  ): void {
    if (this.isFull) return;
    const located = this.texts.locate(pointer, message, code);
    const certain = isCertain && { certain: true as const };
    this.add({ code, severity, ...located, ...certain, ...(hint !== undefined && { hint }) });
  }
}
