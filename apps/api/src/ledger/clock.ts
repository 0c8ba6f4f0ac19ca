/** Returns the time, milliseconds since 1970. */
export interface Clock {
  now(): number;
  /** The reason why the time is not trusted now, if it is not. */
  trouble?(): string | undefined;
  /** The reason why nothing may be charged by this clock, if so. */
  distrust?(): string | undefined;
}

/** Formats an instant as ISO 8601 UTC. */
export function formatInstant(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
