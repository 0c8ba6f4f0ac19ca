import { describeValue } from "../../shape/describe-value.ts";
import type { PropertyLookUp } from "../certain/column-values.ts";
import { findInFilter, findPropertyName } from "../certain/filter-findings.ts";
import type { LintFindings } from "../certain/findings.ts";
import { getFilterTree } from "../parse/cql2.ts";
import type { AreaSet, FilterArgument, FilterExpression } from "../parse/schema.ts";

/**
 * Finds likely mistakes in a filter, from the values of the columns: conditions that no row or
 * every row meets, texts that no row has, days compared as text, values that are missing.
 *
 * @param isWhole whether every source of the set is open, so that the values found are all there are
 * @returns whether the filter is certainly true of no area
 */
export function lintFilter(
  set: AreaSet,
  pointer: string,
  lookUp: PropertyLookUp,
  isWhole: boolean,
  findings: LintFindings,
): boolean {
  if (set.where === undefined) return false;
  const at = `${pointer}/where`;
  const filter = getFilterTree(set.where, at, findings.texts);
  const isNever = findInFilter(filter, at, lookUp, isWhole, findings);
  const linter = new FilterLinter(lookUp, findings);
  linter.condition(filter, at);
  if ((set.unknown ?? "open") === "open") linter.nulls();
  return isNever;
}

const LOOKS_LIKE_A_DAY = /^\d{4}-\d{2}-\d{2}$|^\d{1,2}[/.-]\d{1,2}[/.-]\d{4}$/;
const COMPARES: ReadonlySet<string> = new Set(["=", "<>", "<", "<=", ">", ">=", "between"]);

class FilterLinter {
  readonly #lookUp: PropertyLookUp;
  readonly #findings: LintFindings;
  /** Pointer of the first place each property is compared at. */
  readonly #compared = new Map<string, string>();
  readonly #testedForNull = new Set<string>();

  constructor(lookUp: PropertyLookUp, findings: LintFindings) {
    this.#lookUp = lookUp;
    this.#findings = findings;
  }

  condition({ op, args }: FilterExpression, pointer: string): void {
    if (op === "and" || op === "or" || op === "not") {
      args.forEach((arg, i) => {
        this.condition(arg as FilterExpression, `${pointer}/args/${i}`);
      });
      return;
    }
    if (op === "isNull") {
      const property = findPropertyName(args[0]);
      if (property !== undefined) this.#testedForNull.add(property);
      return;
    }
    this.#noteProperties(args, pointer);
    if (COMPARES.has(op)) this.#daysAsText(args, pointer);
  }

  /** Properties with missing values that the filter never tests with `isNull`. */
  nulls(): void {
    for (const [property, pointer] of this.#compared) {
      if (this.#testedForNull.has(property)) continue;
      for (const { sourceName, rowCount, summary } of this.#lookUp(property)) {
        const { nullCount } = summary;
        if (nullCount === 0) continue;
        this.#findings.warn(
          "NULLS_IN_COLUMN",
          pointer,
          `"${property}" is null in ${nullCount} of ${rowCount} areas of "${sourceName}"; for those the filter is neither true nor false`,
          'such areas leave checks open: fill the column, test it with IS NULL, in JSON "isNull", or set "unknown" to "exclude" or "include"',
        );
      }
    }
  }

  #noteProperties(args: readonly FilterArgument[], pointer: string): void {
    args.forEach((arg, i) => {
      const property = findPropertyName(arg);
      if (property !== undefined && !this.#compared.has(property)) {
        this.#compared.set(property, `${pointer}/args/${i}/property`);
      }
      if (isExpression(arg)) this.#noteProperties(arg.args, `${pointer}/args/${i}`);
    });
  }

  #daysAsText(args: readonly FilterArgument[], pointer: string): void {
    const property = args.map(findPropertyName).find((name) => name !== undefined);
    const day = args.findIndex((arg) => typeof arg === "string" && LOOKS_LIKE_A_DAY.test(arg));
    if (property === undefined || day < 0) return;
    if (!this.#lookUp(property).some(({ summary }) => summary.texts !== undefined)) return;
    this.#findings.warn(
      "DATE_AS_TEXT",
      `${pointer}/args/${day}`,
      `found ${describeValue(args[day])} compared with "${property}", a column of texts: the two are compared as texts`,
      `declare the column a date in the source's manifest and write DATE('YYYY-MM-DD'), in JSON {"date": "YYYY-MM-DD"}`,
    );
  }
}

function isExpression(argument: FilterArgument): argument is FilterExpression {
  return typeof argument === "object" && "op" in argument;
}
