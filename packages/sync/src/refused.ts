import { SyncError } from "./sync-error.ts";

/** Statuses after which the same request may succeed. */
const PASSING: ReadonlySet<number> = new Set([408, 425, 429, 500, 502, 503, 504]);

/** Error for an answer without a file. */
export function refusedStatusError(status: number, at: string, retryAfter?: string): SyncError {
  const message = `${at} answered with status ${status}${HINTS.get(status) ?? ""}, expected 200`;
  const details = { url: at, status };
  if (!PASSING.has(status)) return new SyncError("FETCH_REFUSED", message, details);
  const afterMs = retryAfterMs(retryAfter);
  return new SyncError("FETCH_REFUSED", message, details, afterMs === undefined ? {} : { afterMs });
}

const HINTS: ReadonlyMap<number, string> = new Map([
  [304, " to a request without a condition"],
  [206, " to a request for the whole file"],
  [401, " (it wants a login)"],
  [403, " (it forbids the download)"],
  [404, " (there is no such file)"],
  [410, " (the file is gone)"],
  [429, " (too many requests)"],
]);

/** Seconds, or a date of HTTP against this machine's clock. */
function retryAfterMs(header: string | undefined): number | undefined {
  if (header === undefined) return undefined;
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1000;
  const at = Date.parse(header);
  return Number.isNaN(at) ? undefined : Math.max(0, at - Date.now());
}
