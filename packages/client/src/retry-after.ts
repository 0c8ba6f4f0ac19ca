const HTTP_DATE = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/**
 * The seconds that a `Retry-After` asks for (RFC 9110, 10.2.3), at least 0; undefined where it says nothing that can
 * be read. A date is measured from the answer's own `Date`, so that a wrong clock on this side does not matter.
 *
 * @param now milliseconds since 1970, where the answer has no `Date`
 */
export function retryAfterSeconds(headers: Headers, now: number): number | undefined {
  const value = headers.get("Retry-After")?.trim() ?? "";
  if (/^\d{1,15}$/.test(value)) return Number(value);
  const until = instantOf(value);
  if (until === undefined) return undefined;
  return Math.max(0, Math.ceil((until - (instantOf(headers.get("Date")) ?? now)) / 1000));
}

function instantOf(text: string | null): number | undefined {
  if (text === null || !HTTP_DATE.test(text)) return undefined;
  const ms = Date.parse(text);
  return Number.isNaN(ms) ? undefined : ms;
}
