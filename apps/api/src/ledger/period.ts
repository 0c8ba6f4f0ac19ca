/** A billing period of a subscription, half open: an instant at `endsAtMs` belongs to the next. */
export interface Period {
  /** Number of the month, counted from the anchor's month; the first period is 0. */
  readonly no: number;
  readonly startsAtMs: number;
  readonly endsAtMs: number;
}

/**
 * Returns the billing period that contains an instant.
 *
 * Period `k` starts at 00:00:00 UTC on the anchor's day of the `k`-th month after the anchor's, or on that month's last
 * day where it is shorter. Each start is computed from the anchor: stepping from the previous start would turn 31
 * January into the 28th of every month from March on.
 *
 * @param anchorMs any instant of the day the subscription began, milliseconds since 1970
 */
export function computePeriodAt(anchorMs: number, instantMs: number): Period {
  const anchor = new Date(anchorMs);
  const instant = new Date(instantMs);
  const months =
    (instant.getUTCFullYear() - anchor.getUTCFullYear()) * 12 +
    (instant.getUTCMonth() - anchor.getUTCMonth());
  const no = instantMs < computePeriodStart(anchorMs, months) ? months - 1 : months;
  return computePeriodByNumber(anchorMs, no);
}

/** Returns the billing period with that number. */
export function computePeriodByNumber(anchorMs: number, no: number): Period {
  return { no, startsAtMs: computePeriodStart(anchorMs, no), endsAtMs: computePeriodStart(anchorMs, no + 1) };
}

function computePeriodStart(anchorMs: number, no: number): number {
  const anchor = new Date(anchorMs);
  const year = anchor.getUTCFullYear();
  const month = anchor.getUTCMonth() + no;
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return Date.UTC(year, month, Math.min(anchor.getUTCDate(), lastDay));
}
