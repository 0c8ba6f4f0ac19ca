/** Tells the time, milliseconds since 1970. */
export interface Clock {
  now(): number;
  /** Why the time is not to be trusted now, if so. */
  trouble?(): string | undefined;
  /** Why nothing may be charged by this time, if so. */
  distrust?(): string | undefined;
}

/** An instant as people and programs read it. */
export function instantOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
