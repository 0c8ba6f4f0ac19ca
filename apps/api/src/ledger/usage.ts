import type { PeriodUsage } from "./arbitrate.ts";
import { instantOf } from "./clock.ts";
import type { KeyMode } from "./scope.ts";

/** What a ledger says of its current period, as people and programs read it. */
export function usageReport(mode: KeyMode, { period, byRoute }: Usage): UsageReport {
  return {
    mode,
    ...quotaReport(period),
    by_route: Object.fromEntries(byRoute.map(({ route, units }) => [route, units])),
  };
}

/** How much of its quota a period has used. */
export function quotaReport({
  quota,
  used,
  startsAtMs,
  endsAtMs,
}: PeriodUsage): Omit<UsageReport, "mode" | "by_route"> {
  return {
    limit: quota,
    used,
    remaining: quota - used,
    period_started_at: instantOf(startsAtMs),
    period_ends_at: instantOf(endsAtMs),
  };
}

/** What the current period of a ledger has used. */
export interface Usage {
  readonly period: PeriodUsage;
  /** Units by route, in order of the route. */
  readonly byRoute: readonly { readonly route: string; readonly units: number }[];
}

/** What `GET /v1/usage` answers as `data`. */
export interface UsageReport {
  readonly mode: KeyMode;
  readonly limit: number;
  readonly used: number;
  readonly remaining: number;
  readonly period_started_at: string;
  readonly period_ends_at: string;
  readonly by_route: Readonly<Record<string, number>>;
}
