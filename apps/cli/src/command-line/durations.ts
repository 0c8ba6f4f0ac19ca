import { parseInstant } from "@groundrule/engine/internal";
import { UsageError } from "./arguments.ts";

const UNIT_MS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Parses a duration such as `90s`, `1h` or `7d` to milliseconds. */
export function parseDurationMs(option: string, text: string): number {
  const [, count, unit] = /^(\d{1,9})([smhd])$/.exec(text) ?? [];
  if (count === undefined || unit === undefined) {
    throw new UsageError(`found --${option} "${text}", expected a duration such as 90s, 30m, 1h or 7d`);
  }
  return Number(count) * UNIT_MS[unit]!;
}

/** Parses an instant, ISO 8601 UTC, to milliseconds since 1970. */
export function parseInstantMs(option: string, text: string): number {
  const instant = parseInstant(text);
  if (instant === undefined) {
    throw new UsageError(`found --${option} "${text}", expected an instant such as 2026-11-20T10:00:00Z`);
  }
  return instant;
}
