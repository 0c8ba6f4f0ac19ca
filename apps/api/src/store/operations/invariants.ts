import { computePeriodByNumber } from "../../ledger/period.ts";
import type { Scope } from "../../ledger/scope.ts";
import { computeTextDigest } from "../../ledger/text-digest.ts";
import { migration as jobs } from "../migrations/0005-jobs.ts";
import { migration as sumsByRoute } from "../migrations/0007-sums-by-route.ts";
import type { Input, Violation } from "../port/port.ts";
import { type Operation, queryRows, readNow, type Statement, sql, sqlAll } from "../sql/operation.ts";
import { TOMBSTONE_MS } from "./accounts/keys-in-time.ts";
import { NO_ROUTE_SUMS, ROUTE_SUMS, type RouteSums } from "./charges/ledger.ts";
import { formatRouteSums, parseRouteUnits, sumUnitsBetween } from "./charges/route-sums.ts";
import { Findings, readFirstBroken } from "./findings.ts";
import { checkPlotCharges, checkPlotCounts } from "./job-rows/invariants.ts";
import { hasHad } from "./schema.ts";

/** Texts read per batch, so that a full check needs little memory. */
const BATCH = 100;

/** Number of newest decisions whose texts are examined every minute; the others only in a full examination. */
const NEWEST = 1_000;

export function* findViolations({
  extent,
  organization,
}: Input<"findViolations">): Operation<readonly Violation[]> {
  const nowMs = yield* readNow();
  const of = (column: string): Statement =>
    organization === undefined ? sql`1 = 1` : sql`${{ text: column, values: [] }} = ${organization}`;
  const findings = new Findings();
  yield* findPeriodViolations(nowMs, extent, of, findings);
  yield* findKeyViolations(nowMs, extent, of, findings);
  yield* findRecordViolations(extent, of, findings);
  if (extent === "all") yield* findRulesetViolations(of, findings);
  if (yield* hasHad(jobs)) {
    yield* checkPlotCounts(nowMs, extent, of, findings);
    if (extent === "all") yield* checkPlotCharges(nowMs - TOMBSTONE_MS, of, findings);
  }
  return findings.all();
}

type Filter = (column: string) => Statement;

interface PeriodSums extends Scope, RouteSums {
  readonly no: number;
  readonly startsAtMs: number;
  readonly endsAtMs: number;
  readonly quota: number;
  readonly used: number;
  readonly seq: number;
  readonly anchorMs: number;
  readonly decisions: number;
  readonly units: number;
  readonly firstSeq: number | null;
  readonly lastSeq: number | null;
  readonly firstMs: number | null;
  readonly lastMs: number | null;
}

/** I1, I2, I10 and I13, in one pass over the decisions of the periods concerned. */
function* findPeriodViolations(
  nowMs: number,
  extent: "open" | "all",
  of: Filter,
  findings: Findings,
): Operation<void> {
  const hasRoutes = yield* hasHad(sumsByRoute);
  const extentOf = extent === "all" ? sql`1 = 1` : sql`period.ends_at_ms > ${nowMs}`;
  const periods = yield* queryRows<PeriodSums>(sql`
    SELECT period.organization, period.mode, period.no, starts_at_ms AS "startsAtMs",
      ends_at_ms AS "endsAtMs", period.quota, used, ledger.seq, anchor_ms AS "anchorMs",
      count(decision.id) AS decisions, CAST(coalesce(sum(units), 0) AS BIGINT) AS units,
      min(decision.seq) AS "firstSeq", max(decision.seq) AS "lastSeq",
      min(created_at_ms) AS "firstMs", max(created_at_ms) AS "lastMs",
      ${hasRoutes ? ROUTE_SUMS : NO_ROUTE_SUMS}
    FROM period
    JOIN ledger ON ledger.organization = period.organization AND ledger.mode = period.mode
    JOIN subscription ON subscription.organization = period.organization
    LEFT JOIN decision ON decision.organization = period.organization AND decision.mode = period.mode
      AND period_no = period.no
    WHERE ${sqlAll([of("period.organization"), extentOf])}
    GROUP BY period.organization, period.mode, period.no, starts_at_ms, ends_at_ms, period.quota, used,
      ledger.seq, anchor_ms${hasRoutes ? sql`, by_route, counted_seq` : sql``}
    ORDER BY period.organization, period.mode, period.no`);
  for (const [i, period] of periods.entries()) {
    const found: [Violation["invariant"], boolean, string][] = [
      [
        "I1",
        period.used !== period.units,
        `period ${period.no} counts ${period.used} units used, but its decisions add up to ${period.units}`,
      ],
      [
        "I2",
        period.used < 0 || period.used > period.quota,
        `period ${period.no} has ${period.used} units used of ${period.quota}`,
      ],
      [
        "I10",
        !isWhole(period),
        `period ${period.no} does not match the anchor, or contains a decision from outside it`,
      ],
      [
        "I13",
        !isGapless(period, periods[i - 1], periods[i + 1], extent),
        `the sequence of decisions has a gap in or before period ${period.no}`,
      ],
    ];
    for (const [invariant, isBroken, message] of found)
      if (isBroken) findings.add(invariant, period, message);
    if (period.used !== period.units) continue;
    const problem = yield* describeRoutesProblem(period, extent);
    if (problem !== undefined) findings.add("I1", period, problem);
  }
}

/**
 * Describes what is wrong with a period's sums by route, if anything: they must add up to the usage and, with `all`, to
 * the decisions of each route. Decisions not counted there yet are left out.
 */
function* describeRoutesProblem(period: PeriodSums, extent: "open" | "all"): Operation<string | undefined> {
  const { no, used, seq, byRoute, countedSeq } = period;
  const counted = parseRouteUnits(byRoute);
  if (counted === undefined) return `the sums by route of period ${no} cannot be read: ${byRoute}`;
  const sum = counted.reduce((all, { units }) => all + units, 0);
  if (countedSeq === seq && sum !== used)
    return `period ${no} counts ${used} units used, but ${sum} by route`;
  if (extent === "open") return undefined;
  const found = formatRouteSums(yield* sumUnitsBetween(period, no, 0, countedSeq));
  if (found === formatRouteSums(counted)) return undefined;
  return `period ${no} counts ${byRoute} by route, but its decisions add up to ${found}`;
}

function isWhole({ anchorMs, no, startsAtMs, endsAtMs, firstMs, lastMs }: PeriodSums): boolean {
  const expected = computePeriodByNumber(anchorMs, no);
  return (
    startsAtMs === expected.startsAtMs &&
    endsAtMs === expected.endsAtMs &&
    (firstMs === null || firstMs >= startsAtMs) &&
    (lastMs === null || lastMs < endsAtMs)
  );
}

/**
 * True if numbers run from 1 without gaps through the periods of a scope, up to the ledger's own count. A period's row
 * is created together with its first decision, so none is empty.
 */
function isGapless(
  period: PeriodSums,
  before: PeriodSums | undefined,
  after: PeriodSums | undefined,
  extent: "open" | "all",
): boolean {
  if (period.firstSeq === null || period.lastSeq === null) return false;
  const lastBefore = before !== undefined && isSameScope(period, before) ? before.lastSeq : 0;
  const isLast = after === undefined || !isSameScope(period, after);
  return (
    period.lastSeq - period.firstSeq + 1 === period.decisions &&
    (period.firstSeq - 1 === lastBefore || (extent === "open" && lastBefore === 0)) &&
    (!isLast || period.lastSeq === period.seq)
  );
}

function isSameScope(a: Scope, b: Scope): boolean {
  return a.organization === b.organization && a.mode === b.mode;
}

/** I3 and I4. */
function* findKeyViolations(
  nowMs: number,
  extent: "open" | "all",
  of: Filter,
  findings: Findings,
): Operation<void> {
  const dangling = yield* readFirstBroken<{ key: string }>(sql`
    SELECT idempotency.organization, idempotency.mode, key FROM idempotency
    LEFT JOIN decision ON decision.id = decision_id AND decision.organization = idempotency.organization
      AND decision.mode = idempotency.mode AND idempotency_key = key
      AND decision.generation = idempotency.generation AND decision.fingerprint = idempotency.fingerprint
    WHERE ${sqlAll([of("idempotency.organization")])} AND decision.id IS NULL`);
  for (const row of dangling) {
    findings.add(
      "I4",
      row,
      `key "${row.key}" does not point at the decision of its generation`,
      row.standsFor,
    );
  }
  if (extent === "open") return;

  const doubles = yield* readFirstBroken<{ key: string }>(sql`
    SELECT organization, mode, idempotency_key AS key FROM decision
    WHERE ${of("organization")} AND idempotency_key IS NOT NULL
    GROUP BY organization, mode, idempotency_key, generation HAVING count(*) > 1`);
  const keyless = yield* readFirstBroken<{ id: string }>(sql`
    SELECT decision.organization, decision.mode, decision.id FROM decision
    LEFT JOIN idempotency ON idempotency.organization = decision.organization
      AND idempotency.mode = decision.mode AND key = idempotency_key
      AND idempotency.generation >= decision.generation
    WHERE ${of("decision.organization")} AND idempotency_key IS NOT NULL
      AND created_at_ms > ${nowMs - TOMBSTONE_MS} AND key IS NULL`);
  for (const row of doubles) {
    findings.add("I3", row, `key "${row.key}" was charged twice in one generation`, row.standsFor);
  }
  for (const row of keyless) {
    const message = `decision ${row.id} has an idempotency key of which nothing is stored`;
    findings.add("I4", row, message, row.standsFor);
  }
}

/** I15: each stored request and answer is as it was charged, or its erasure is recorded. */
function* findRecordViolations(extent: "open" | "all", of: Filter, findings: Findings): Operation<void> {
  for (let last = extent === "all" ? "" : yield* readLastIdBeforeNewest(of); ; ) {
    const batch = yield* queryRows<RecordRow>(sql`
      SELECT decision.organization, decision.mode, id, request_digest AS "requestDigest",
        response_digest AS "responseDigest", request, response,
        (SELECT count(*) FROM erasure WHERE erasure.organization = decision.organization
          AND before_ms > decision.created_at_ms) AS erasures
      FROM decision LEFT JOIN record ON decision_id = id
      WHERE ${of("decision.organization")} AND id > ${last} ORDER BY id LIMIT ${BATCH}`);
    for (const row of batch) {
      const problem = describeRecordProblem(row);
      if (problem !== undefined) findings.add("I15", row, problem);
    }
    const end = batch.at(-1);
    if (end === undefined) return;
    last = end.id;
  }
}

/** The id before the newest decisions: ids ascend with time. Empty if there are no others. */
function* readLastIdBeforeNewest(of: Filter): Operation<string> {
  const [row] = yield* queryRows<{ id: string }>(sql`
    SELECT id FROM decision WHERE ${of("organization")} ORDER BY id DESC LIMIT 1 OFFSET ${NEWEST}`);
  return row?.id ?? "";
}

interface RecordRow extends Scope {
  readonly id: string;
  readonly requestDigest: string;
  readonly responseDigest: string;
  readonly request: string | null;
  readonly response: string | null;
  readonly erasures: number;
}

function describeRecordProblem(row: RecordRow): string | undefined {
  if (row.request === null || row.response === null) {
    return row.erasures > 0
      ? undefined
      : `the texts of decision ${row.id} are gone, and no erasure covers it`;
  }
  if (computeTextDigest(row.request) !== row.requestDigest)
    return `the request of decision ${row.id} was altered`;
  if (computeTextDigest(row.response) !== row.responseDigest)
    return `the answer of decision ${row.id} was altered`;
  return undefined;
}

/** I14: a published ruleset is unchanged. */
function* findRulesetViolations(of: Filter, findings: Findings): Operation<void> {
  const listed = yield* queryRows<Scope & { name: string; version: number }>(
    sql`SELECT organization, mode, name, version FROM ruleset WHERE ${of("organization")}`,
  );
  for (const { organization, mode, name, version } of listed) {
    const [row] = yield* queryRows<{ body: string; bodyDigest: string }>(sql`
      SELECT body, body_digest AS "bodyDigest" FROM ruleset
      WHERE organization = ${organization} AND mode = ${mode} AND name = ${name} AND version = ${version}`);
    if (row !== undefined && computeTextDigest(row.body) !== row.bodyDigest) {
      findings.add("I14", { organization, mode }, `ruleset ${name}@${version} was altered`);
    }
  }
}
