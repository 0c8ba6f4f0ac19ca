import type { Scope } from "../../ledger/scope.ts";
import type { Usage } from "../../ledger/usage.ts";
import { rowDamage } from "../port/sound-rows.ts";
import { firstRow, type Operation, rows, sql } from "../sql/operation.ts";
import { inScope, ROUTE_SUMS, type RouteSums } from "./ledger.ts";

/** Units of one route. */
type RouteUnits = Usage["byRoute"][number];

/**
 * The text that sums have once these are added.
 *
 * Fails: `STORAGE_UNAVAILABLE` where the text that is there is not one that was written.
 */
export function addUnits(sums: RouteSums, added: readonly RouteUnits[]): string {
  const units = new Map(unitsOf(sums).map((each) => [each.route, each.units]));
  for (const each of added) units.set(each.route, (units.get(each.route) ?? 0) + each.units);
  return sumsText([...units].map(([route, sum]) => ({ route, units: sum })));
}

/** Sums as they are written. */
export function sumsText(sums: readonly RouteUnits[]): string {
  return JSON.stringify(Object.fromEntries(inOrder(sums).map(({ route, units }) => [route, units])));
}

export function inOrder(sums: readonly RouteUnits[]): readonly RouteUnits[] {
  return [...sums].sort((a, b) => (a.route < b.route ? -1 : 1));
}

function unitsOf({ byRoute }: RouteSums): readonly RouteUnits[] {
  const units = unitsIn(byRoute);
  if (units === undefined) throw rowDamage(`the sums by route of a period cannot be read: ${byRoute}`);
  return units;
}

/** In order of the route; undefined where the text is not one that was written. */
export function unitsIn(byRoute: string): readonly RouteUnits[] | undefined {
  try {
    const found: unknown = JSON.parse(byRoute);
    if (typeof found !== "object" || found === null || Array.isArray(found)) return undefined;
    const sums = Object.entries(found).map(([route, units]) => ({ route, units: units as number }));
    return sums.every(({ units }) => Number.isSafeInteger(units)) ? inOrder(sums) : undefined;
  } catch {
    return undefined;
  }
}

/** Units by route of a period, from its row. */
export function* routesOf(scope: Scope, periodNo: number): Operation<readonly RouteUnits[]> {
  const row = yield* firstRow<RouteSums>(
    sql`SELECT ${ROUTE_SUMS} FROM period WHERE ${inScope(scope)} AND no = ${periodNo}`,
  );
  return row === undefined ? [] : unitsOf(row);
}

/** Of decisions of a period that come after one number, up to another. */
export function* unitsBetween(
  scope: Scope,
  periodNo: number,
  after: number,
  upTo: number,
): Operation<readonly RouteUnits[]> {
  return yield* rows<RouteUnits>(sql`
    SELECT route, CAST(sum(units) AS BIGINT) AS units FROM decision
    WHERE ${inScope(scope)} AND seq > ${after} AND seq <= ${upTo} AND period_no = ${periodNo} GROUP BY route`);
}
