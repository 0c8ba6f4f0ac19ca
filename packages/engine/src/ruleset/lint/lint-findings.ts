import type { RulesetFaultCode } from "../parse/faults.ts";
import { FilterTexts } from "../parse/filter-texts.ts";

/** What lint can find beside the faults that keep a ruleset from compiling. */
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
  /** What was found, in one sentence. */
  readonly message: string;
  /** What to write instead, or where to look. */
  readonly hint?: string;
}

/** Most findings of one ruleset. */
const LINT_LIMIT = 100;

/** Collects findings up to the limit. */
export class LintFindings {
  /** Filters in text: what is found in one is told by its place in it. */
  readonly texts: FilterTexts = new FilterTexts();
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

  warn(code: LintCode, pointer: string, message: string, hint?: string): void {
    this.#tell(code, "warning", pointer, message, hint);
  }

  info(code: LintCode, pointer: string, message: string, hint?: string): void {
    this.#tell(code, "info", pointer, message, hint);
  }

  #tell(
    code: LintCode,
    severity: "warning" | "info",
    pointer: string,
    message: string,
    hint: string | undefined,
  ): void {
    if (this.isFull) return;
    const located = this.texts.locate(pointer, message, code);
    this.add({ code, severity, ...located, ...(hint !== undefined && { hint }) });
  }
}
