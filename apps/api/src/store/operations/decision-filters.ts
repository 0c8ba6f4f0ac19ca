import type { DecisionQuestion, Input, RulesetChoice } from "../port/port.ts";
import {
  type Operation,
  queryFirstRow,
  queryRows,
  run,
  type Statement,
  sql,
  sqlList,
  withRowLocks,
} from "../sql/operation.ts";

/**
 * True if every decision can be found by its ruleset and verdict; decisions of an earlier release are indexed in the
 * background.
 */
export function* areDecisionsIndexed(): Operation<boolean> {
  const state = yield* queryFirstRow<{ isDone: number }>(
    sql`SELECT is_done AS "isDone" FROM decision_indexed`,
  );
  return state?.isDone === 1;
}

/**
 * Indexes the rulesets and verdicts of decisions made before the store had triggers for that.
 *
 * Records are locked meanwhile, so a record that is erased concurrently is either absent or loses its verdict too.
 */
export function* indexDecisions({ limit }: Input<"indexDecisions">): Operation<{ done: boolean }> {
  const state = yield* queryFirstRow<{ lastId: string; isDone: number }>(
    withRowLocks(sql`SELECT last_id AS "lastId", is_done AS "isDone" FROM decision_indexed WHERE no = 1`),
  );
  if (state === undefined) throw new Error("the store does not say which decisions are indexed");
  if (state.isDone === 1) return { done: true };
  const { lastId } = state;
  const next = yield* queryRows<{ id: string }>(
    sql`SELECT id FROM decision WHERE id > ${lastId} ORDER BY id LIMIT ${limit}`,
  );
  const last = next.at(-1);
  if (last === undefined) {
    yield* run(sql`UPDATE decision_indexed SET is_done = 1 WHERE no = 1`);
    return { done: true };
  }
  yield* queryRows(
    withRowLocks(
      sql`SELECT decision_id FROM record WHERE decision_id > ${lastId} AND decision_id <= ${last.id}`,
    ),
  );
  yield* run(sql`
    INSERT INTO decision_ruleset (organization, mode, digest, seq)
    SELECT organization, mode, digest, seq FROM evaluated_ruleset
    WHERE id > ${lastId} AND id <= ${last.id} AND digest IS NOT NULL
    ON CONFLICT DO NOTHING`);
  yield* run(sql`
    INSERT INTO decision_verdict (organization, mode, verdict, seq)
    SELECT organization, mode, verdict, seq FROM evaluated_verdict
    WHERE id > ${lastId} AND id <= ${last.id} AND verdict IS NOT NULL
    ON CONFLICT DO NOTHING`);
  yield* run(sql`UPDATE decision_indexed SET last_id = ${last.id} WHERE no = 1`);
  return { done: false };
}

/** An undefined filter matches every decision. */
interface Filters {
  readonly scope: DecisionQuestion["scope"];
  readonly verdict: string | undefined;
  /** SQL list of values. */
  readonly digests: Statement | undefined;
}

/** Digests of the rulesets that a filter matches, as an SQL list; a name matches all versions published under it. */
export function* buildRulesetDigestList(
  { organization, mode }: DecisionQuestion["scope"],
  choice: RulesetChoice | undefined,
): Operation<Statement | undefined> {
  if (choice === undefined) return undefined;
  if ("digests" in choice) return buildValueList(choice.digests);
  const version = choice.version === undefined ? sql`1 = 1` : sql`version = ${choice.version}`;
  const published = sql`SELECT DISTINCT digest FROM ruleset
    WHERE organization = ${organization} AND mode = ${mode} AND name = ${choice.name} AND ${version}`;
  const found = yield* queryRows<{ digest: string }>(sql`${published} LIMIT ${MOST_VALUES + 1}`);
  return found.length > MOST_VALUES ? published : buildValueList(found.map(({ digest }) => digest));
}

/** Maximum values in a statement; keys are looked up faster by a list of values than by a subquery. */
const MOST_VALUES = 500;

function buildValueList(digests: readonly string[]): Statement {
  return digests.length === 0 ? sql`NULL` : sqlList(digests.map((each) => sql`${each}`));
}

/**
 * SQL for the numbers of decisions that match the filters, from the filters' own tables only, whose keys hold the
 * numbers in order.
 */
export function buildFilteredNumbersQuery({ scope, verdict, digests }: Filters): Statement {
  const { organization, mode } = scope;
  const own = sql`found.organization = ${organization} AND found.mode = ${mode}`;
  if (verdict === undefined)
    return sql`decision_ruleset AS found WHERE ${own} AND found.digest IN (${digests!})`;
  const isDecided = sql`decision_verdict AS found WHERE ${own} AND found.verdict = ${verdict}`;
  return digests === undefined ? isDecided : sql`${isDecided} AND ${hasRuleset("found", scope, digests)}`;
}

/** The same filters as conditions on rows of `decision`, for queries that select among them otherwise first. */
export function buildDecisionConditions({ scope, verdict, digests }: Filters): Statement[] {
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

/** Counted instead of joined: without statistics a planner would compare each row with each. */
function hasRuleset(
  table: "decision" | "found",
  { organization, mode }: DecisionQuestion["scope"],
  digests: Statement,
): Statement {
  const seq = table === "found" ? sql`found.seq` : sql`decision.seq`;
  return sql`(SELECT count(*) FROM decision_ruleset AS used WHERE used.organization = ${organization}
    AND used.mode = ${mode} AND used.digest IN (${digests}) AND used.seq = ${seq}) > 0`;
}
