import type { DecisionQuestion, RulesetChoice } from "../port/port.ts";
import { type Operation, rows, type Statement, sql, sqlList } from "../sql/operation.ts";

/** Undefined lets any through. */
interface Filters {
  readonly scope: DecisionQuestion["scope"];
  readonly verdict: string | undefined;
  /** A list of values. */
  readonly digests: Statement | undefined;
}

/** Digests that a filter names, as a list of values; a name stands for all that was published under it. */
export function* digestsOf(
  { organization, mode }: DecisionQuestion["scope"],
  choice: RulesetChoice | undefined,
): Operation<Statement | undefined> {
  if (choice === undefined) return undefined;
  if ("digests" in choice) return valuesOf(choice.digests);
  const version = choice.version === undefined ? sql`1 = 1` : sql`version = ${choice.version}`;
  const published = sql`SELECT DISTINCT digest FROM ruleset
    WHERE organization = ${organization} AND mode = ${mode} AND name = ${choice.name} AND ${version}`;
  const found = yield* rows<{ digest: string }>(sql`${published} LIMIT ${MOST_VALUES + 1}`);
  return found.length > MOST_VALUES ? published : valuesOf(found.map(({ digest }) => digest));
}

/** A statement takes so many values, and keys are looked up by values sooner than by what a query gives. */
const MOST_VALUES = 500;

function valuesOf(digests: readonly string[]): Statement {
  return digests.length === 0 ? sql`NULL` : sqlList(digests.map((each) => sql`${each}`));
}

/**
 * Where the numbers of the decisions are that filters let through: in the filters' own tables alone, whose keys hold them
 * in order.
 */
export function filteredNumbers({ scope, verdict, digests }: Filters): Statement {
  const { organization, mode } = scope;
  const own = sql`found.organization = ${organization} AND found.mode = ${mode}`;
  if (verdict === undefined)
    return sql`decision_ruleset AS found WHERE ${own} AND found.digest IN (${digests!})`;
  const isDecided = sql`decision_verdict AS found WHERE ${own} AND found.verdict = ${verdict}`;
  return digests === undefined ? isDecided : sql`${isDecided} AND ${hasRuleset("found", scope, digests)}`;
}

/** Conditions on rows of `decision` that say the same, for where others choose among them first. */
export function filterConditions({ scope, verdict, digests }: Filters): Statement[] {
  const { organization, mode } = scope;
  return [
    ...(verdict === undefined
      ? []
      : [
          sql`(SELECT count(*) FROM decision_verdict AS decided WHERE decided.organization = ${organization}
            AND decided.mode = ${mode} AND decided.verdict = ${verdict} AND decided.seq = decision.seq) > 0`,
        ]),
    ...(digests === undefined ? [] : [hasRuleset("decision", scope, digests)]),
  ];
}

/** Counted, not joined: a planner that knows nothing of a table yet would compare each row with each. */
function hasRuleset(
  table: "decision" | "found",
  { organization, mode }: DecisionQuestion["scope"],
  digests: Statement,
): Statement {
  const seq = table === "found" ? sql`found.seq` : sql`decision.seq`;
  return sql`(SELECT count(*) FROM decision_ruleset AS used WHERE used.organization = ${organization}
    AND used.mode = ${mode} AND used.digest IN (${digests}) AND used.seq = ${seq}) > 0`;
}
