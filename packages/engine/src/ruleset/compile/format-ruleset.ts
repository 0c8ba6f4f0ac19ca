import { readShape } from "../../shape/read-shape.ts";
import { choice, object, type Shape } from "../../shape/shape.ts";
import { getFilterTree, parseFilter } from "../parse/cql2.ts";
import { RulesetFaults } from "../parse/faults.ts";
import { formatFilter } from "../parse/filter-text.ts";
import { parseRuleset } from "../parse/parse.ts";
import type { Filter, Ruleset, RulesetSet } from "../parse/schema.ts";
import { rulesetDigest } from "./compile.ts";
import type { RulesetInput } from "./policy.ts";

/** How {@link formatRuleset} writes filters. */
export interface FormatOptions {
  /** CQL2-Text, or CQL2-JSON. */
  readonly as: "text" | "json";
}

const formatOptionsShape: Shape<FormatOptions> = object<FormatOptions>({ as: choice("text", "json") });

/**
 * A copy of a ruleset with every filter in one form, everything else as it was. Its digest is that of the ruleset
 * passed in.
 *
 * @param ruleset JSON text or value
 *
 * Fails: `RULESET_INVALID` with every fault; also where the ruleset in that form is larger than a ruleset may be;
 * `VALIDATION_FAILED` for another form.
 */
export function formatRuleset(ruleset: RulesetInput, options: FormatOptions): Ruleset {
  const { as } = readShape(formatOptionsShape, options);
  const parsed = parseRuleset(ruleset);
  const sent: Ruleset = JSON.parse(typeof ruleset === "string" ? ruleset : JSON.stringify(ruleset));
  const sets = Object.entries(sent.sets).map(([name, set]): [string, RulesetSet] => {
    const parsedSet = parsed.sets[name]!;
    if (!("sources" in parsedSet) || parsedSet.where === undefined) return [name, set];
    const tree = getFilterTree(parsedSet.where);
    return [name, { ...set, where: as === "text" ? formatFilter(tree) : tree }];
  });
  const formatted = { ...sent, sets: Object.fromEntries(sets) };
  const isSame = rulesetDigest(parseRuleset(formatted)) === rulesetDigest(parsed);
  if (!isSame) throw new Error("the form of a ruleset changed its digest");
  return formatted;
}

/**
 * A filter as CQL2-Text, in one spelling: keywords in upper case, single spaces, no more parentheses than needed.
 * Read again, it is the same filter.
 *
 * @param filter CQL2-JSON or CQL2-Text
 *
 * Fails: `RULESET_INVALID` with every fault of the filter; columns are not looked up.
 */
export function filterText(filter: Filter): string {
  const faults = new RulesetFaults();
  const parsed = parseFilter(filter, "", faults);
  faults.throwIfAny();
  return formatFilter(getFilterTree(parsed!));
}
