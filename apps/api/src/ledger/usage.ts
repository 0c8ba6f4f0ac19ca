import type { PeriodUsage } from "./arbitrate.ts";
import { formatInstant } from "./clock.ts";
import type { KeyMode } from "./scope.ts";

/** The usage of a ledger's current period in the form of the wire. */
export function buildUsageReport(mode: KeyMode, { period, byRoute }: Usage): UsageReport {
  return {
    mode,
    ...buildQuotaReport(period),
    by_route: Object.fromEntries(byRoute.map(({ route, units }) => [route, units])),
  };
}

/** How much of its quota a period has used. */
export function buildQuotaReport({
  quota,
  used,
  startsAtMs,
  endsAtMs,
}: PeriodUsage): Omit<UsageReport, "mode" | "by_route"> {
  return {
    limit: quota,
    used,
    remaining: quota - used,
    period_started_at: formatInstant(startsAtMs),
    period_ends_at: formatInstant(endsAtMs),
  };
}

/** Usage of a ledger's current period. */
export interface Usage {
  readonly period: PeriodUsage;
  /** Units by route, sorted by route. */
  readonly byRoute: readonly { readonly route: string; readonly units: number }[];
}

/** The `data` member of the answer to `GET /v1/usage`. */
export interface UsageReport {
  readonly mode: KeyMode;
  readonly limit: number;
  readonly used: number;
  readonly remaining: number;
  readonly period_started_at: string;
  readonly period_ends_at: string;
  readonly by_route: Readonly<Record<string, number>>;
}
