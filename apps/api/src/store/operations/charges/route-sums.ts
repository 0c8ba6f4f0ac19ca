import { isObject } from "@groundrule/engine/internal/json";
import type { Scope } from "../../../ledger/scope.ts";
import type { Usage } from "../../../ledger/usage.ts";
import { migration as sumsByRoute } from "../../migrations/0007-sums-by-route.ts";
import type { Input } from "../../port/port.ts";
import { rowDamagedError } from "../../port/sound-rows.ts";
import { type Operation, queryFirstRow, queryRows, run, sql } from "../../sql/operation.ts";
import { readFirstSeqSince } from "../decision-numbers.ts";
import { hasHad } from "../schema.ts";
import { buildScopeCondition, lockLedger, NO_ROUTE_SUMS, ROUTE_SUMS, type RouteSums } from "./ledger.ts";

/** Units of one route. */
type RouteUnits = Usage["byRoute"][number];

/**
 * Adds units to sums and returns the new stored text.
 *
 * Fails: `STORAGE_UNAVAILABLE` if the stored text is malformed.
 */
export function addUnitsToSums(sums: RouteSums, added: readonly RouteUnits[]): string {
  const units = new Map(requireRouteUnits(sums).map((each) => [each.route, each.units]));
  for (const each of added) units.set(each.route, (units.get(each.route) ?? 0) + each.units);
  return formatRouteSums([...units].map(([route, sum]) => ({ route, units: sum })));
}

/** The stored text of sums. */
export function formatRouteSums(sums: readonly RouteUnits[]): string {
  return JSON.stringify(Object.fromEntries(sortByRoute(sums).map(({ route, units }) => [route, units])));
}

function sortByRoute(sums: readonly RouteUnits[]): readonly RouteUnits[] {
  return [...sums].sort((a, b) => (a.route < b.route ? -1 : 1));
}

function requireRouteUnits({ byRoute }: RouteSums): readonly RouteUnits[] {
  const units = parseRouteUnits(byRoute);
  if (units === undefined) throw rowDamagedError(`the sums by route of a period cannot be read: ${byRoute}`);
  return units;
}

/** Parses stored sums, sorted by route; undefined if the text is malformed. */
export function parseRouteUnits(byRoute: string): readonly RouteUnits[] | undefined {
  try {
    const found: unknown = JSON.parse(byRoute);
    if (!isObject(found)) return undefined;
    const sums = Object.entries(found).map(([route, units]) => ({ route, units: units as number }));
    return sums.every(({ units }) => Number.isSafeInteger(units)) ? sortByRoute(sums) : undefined;
  } catch {
    return undefined;
  }
}

/** Units by route of a period: those in its row, and those of decisions not counted there yet. */
export function* readRouteUnits(scope: Scope, periodNo: number): Operation<readonly RouteUnits[]> {
  const isKept = yield* hasHad(sumsByRoute);
  const row = yield* queryFirstRow<RouteSums & { seq: number }>(sql`
    SELECT ledger.seq, ${isKept ? ROUTE_SUMS : NO_ROUTE_SUMS}
    FROM period JOIN ledger ON ledger.organization = period.organization AND ledger.mode = period.mode
    WHERE period.organization = ${scope.organization} AND period.mode = ${scope.mode} AND no = ${periodNo}`);
  if (row === undefined) return [];
  if (row.countedSeq >= row.seq) return requireRouteUnits(row);
  const behind = yield* sumUnitsBetween(scope, periodNo, row.countedSeq, row.seq);
  return requireRouteUnits({ byRoute: addUnitsToSums(row, behind), countedSeq: row.seq });
}

/** Units of a period's decisions after one number, up to another. */
export function* sumUnitsBetween(
  scope: Scope,
  periodNo: number,
  after: number,
  upTo: number,
): Operation<readonly RouteUnits[]> {
  return yield* queryRows<RouteUnits>(sql`
    SELECT route, CAST(sum(units) AS BIGINT) AS units FROM decision
    WHERE ${buildScopeCondition(scope)} AND seq > ${after} AND seq <= ${upTo} AND period_no = ${periodNo} GROUP BY route`);
}

/**
 * Counts by route the decisions that an older release charged in the newest period of some ledger, up to `limit` at a
 * time; `done` once all ledgers are counted. Earlier periods stay as they are: their sums are never queried.
 */
export function* countRoutes({ limit }: Input<"countRoutes">): Operation<{ done: boolean }> {
  const behind = yield* queryFirstRow<Scope>(sql`
    SELECT ledger.organization, ledger.mode FROM ledger JOIN period
      ON period.organization = ledger.organization AND period.mode = ledger.mode AND period.no = (
        SELECT max(no) FROM period AS newest
        WHERE newest.organization = ledger.organization AND newest.mode = ledger.mode)
    WHERE counted_seq < seq LIMIT 1`);
  if (behind === undefined) return { done: true };
  const { organization, mode } = behind;
  yield* countLedgerRoutes({ organization, mode }, limit);
  return { done: false };
}

function* countLedgerRoutes(scope: Scope, limit: number): Operation<void> {
  const { seq } = yield* lockLedger(scope);
  const period = yield* queryFirstRow<RouteSums & { no: number; startsAtMs: number }>(sql`
    SELECT no, starts_at_ms AS "startsAtMs", ${ROUTE_SUMS} FROM period
    WHERE ${buildScopeCondition(scope)} ORDER BY no DESC LIMIT 1`);
  // Another process has already counted them.
  if (period === undefined || period.countedSeq >= seq) return;
  const { no, startsAtMs, countedSeq } = period;
  // If none is counted yet, decisions of earlier periods are skipped.
  const after = countedSeq === 0 ? (yield* readFirstSeqSince(scope, startsAtMs)) - 1 : countedSeq;
  const upTo = Math.min(after + limit, seq);
  const text = addUnitsToSums(period, yield* sumUnitsBetween(scope, no, after, upTo));
  yield* run(sql`
    UPDATE period SET by_route = ${text}, counted_seq = ${upTo} WHERE ${buildScopeCondition(scope)} AND no = ${no}`);
}
