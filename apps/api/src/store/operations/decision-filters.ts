import type { DecisionQuestion, Input, RulesetChoice } from "../port/port.ts";
import {
  firstRow,
  locking,
  type Operation,
  rows,
  run,
  type Statement,
  sql,
  sqlList,
} from "../sql/operation.ts";

/** Whether every decision can be found by its ruleset and its verdict: those of an earlier release by and by. */
export function* areDecisionsIndexed(): Operation<boolean> {
  const state = yield* firstRow<{ isDone: number }>(sql`SELECT is_done AS "isDone" FROM decision_indexed`);
  return state?.isDone === 1;
}

/**
 * Notes rulesets and verdicts of decisions that were made before the store had triggers for that.
 *
 * Records are locked meanwhile: one that is being erased is gone then, or its verdict goes with it.
 */
export function* indexDecisions({ limit }: Input<"indexDecisions">): Operation<{ done: boolean }> {
  const state = yield* firstRow<{ lastId: string; isDone: number }>(
    locking(sql`SELECT last_id AS "lastId", is_done AS "isDone" FROM decision_indexed WHERE no = 1`),
  );
  if (state === undefined) throw new Error("the store does not say which decisions are indexed");
  if (state.isDone === 1) return { done: true };
  const { lastId } = state;
  const next = yield* rows<{ id: string }>(
    sql`SELECT id FROM decision WHERE id > ${lastId} ORDER BY id LIMIT ${limit}`,
  );
  const last = next.at(-1);
  if (last === undefined) {
    yield* run(sql`UPDATE decision_indexed SET is_done = 1 WHERE no = 1`);
    return { done: true };
  }
  yield* rows(
    locking(sql`SELECT decision_id FROM record WHERE decision_id > ${lastId} AND decision_id <= ${last.id}`),
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
