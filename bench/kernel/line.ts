/** One row of the table: a question, who else was asked, and what came of it. */
export interface Line {
  readonly asked: string;
  readonly ours: string;
  /** Whom it is measured against; empty where the target is absolute. */
  readonly peer: string;
  readonly theirs: string;
  readonly target: string;
  readonly measured: string;
  readonly met: boolean;
  /** One-minute load average when it was measured. */
  readonly load: number;
}

export interface Missing {
  readonly missing: string;
}

export interface Options {
  readonly quick: boolean;
  readonly rounds: number;
  /** Whether PostGIS is asked too; default not. */
  readonly postgis?: boolean;
}

export const GEOS_MISSING: Missing = {
  missing: "GEOS in C: a C compiler and libgeos_c (apt-get install -y gcc libgeos-dev)",
};
export const WASM_MISSING: Missing = { missing: "geos-wasm: an optional dependency (npm run setup)" };

/** "12.3×" to three digits. */
export function times(ratio: number): string {
  return `${thousands(ratio)}×`;
}

export function micros(value: number): string {
  return value < 1000 ? `${thousands(value)} µs` : `${thousands(value / 1000)} ms`;
}

function thousands(value: number): string {
  const rounded = Number(value.toPrecision(3));
  return rounded < 1000 ? value.toPrecision(3) : rounded.toLocaleString("en-US");
}
