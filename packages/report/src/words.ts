import type { CheckResult, ComparisonResult, VerdictStatus } from "@groundrule/engine";
import { columnOf, findMeasure, type Unit } from "@groundrule/engine/rulesets";
import { decimal, formatArea, formatDistance, formatShare } from "./format.ts";

/** A sign beside each word, so that no meaning hangs on colour alone. */
export const SIGNS = {
  COMPLIANT: "✓",
  WARNING: "!",
  NON_COMPLIANT: "✕",
  DEGRADED: "?",
  NOTICE: "i",
} as const;

export const WORDS = {
  COMPLIANT: "Compliant",
  WARNING: "Warning",
  NON_COMPLIANT: "Not compliant",
  DEGRADED: "Degraded",
  NOTICE: "Notice",
} as const;

/** What the verdict means, in a sentence. */
export function meaningOf(verdict: VerdictStatus, atLeast: VerdictStatus): string {
  switch (verdict) {
    case "COMPLIANT":
      return "Every check was decided, and none has the outcome “Warning” or “Not compliant”.";
    case "WARNING":
      return "Every check was decided. At least one has the outcome “Warning”, and none “Not compliant”.";
    case "NON_COMPLIANT":
      return "Every check was decided, and at least one has the outcome “Not compliant”.";
    case "DEGRADED":
      return `${DEGRADED_MEANS} ${CERTAIN[atLeast]}`;
  }
}

const DEGRADED_MEANS = "A source could not be opened, so this verdict is incomplete.";

/** What is certain in spite of it, in words that nobody takes for a pass. */
const CERTAIN: Readonly<Record<VerdictStatus, string>> = {
  COMPLIANT: "No outcome is certain, so this is not a pass.",
  WARNING: "“Warning” is certain, and “Not compliant” is possible.",
  NON_COMPLIANT: "“Not compliant” is certain, whatever the missing data says.",
  DEGRADED: "No outcome is certain, so this is not a pass.",
};

export interface Verbal {
  readonly text: string;
  /** The figure that was compared, where the text rounds it. */
  readonly exact?: string;
}

/** What a comparison measures, of a set that holds areas or records: `Share of the plot covered by “cleared”`. */
export function measureText({ set, measure, of }: ComparisonResult, holding: "areas" | "records"): string {
  const named = `“${set}”`;
  const entry = findMeasure(measure);
  if (entry === undefined)
    return `${typeof measure === "string" ? measure : JSON.stringify(measure)} of ${named}`;
  const whole = of === undefined ? undefined : `“${of}”`;
  return entry.title(named, { holding, of: whole, column: columnOf(measure) });
}

/** A value of a measure, in its unit. */
export function valueText({ measure }: ComparisonResult, value: number | null): Verbal {
  if (value === null) return { text: "unknown" };
  const unit = findMeasure(measure)?.unit;
  return unit === undefined ? plain(value) : IN_UNIT[unit](value);
}

const IN_UNIT: Readonly<Record<Unit, (value: number) => Verbal>> = {
  count: plain,
  column: plain,
  "m²": (value) => withExact(formatArea(value), value, "m²"),
  share: (value) => withExact(formatShare(value), value, ""),
  m: (value) => withExact(formatDistance(value), value, "m"),
};

function plain(value: number): Verbal {
  return { text: Number.isInteger(value) ? decimal(value, 0) : String(value) };
}

function withExact(text: string, value: number, unit: string): Verbal {
  return value === 0 ? { text } : { text, exact: `${value} ${unit}`.trim() };
}

const OPERATORS = {
  ">": "more than",
  ">=": "at least",
  "<": "less than",
  "<=": "at most",
  "=": "equal to",
  "<>": "other than",
} as const;

export function operatorText({ op }: ComparisonResult): string {
  return OPERATORS[op];
}

/** Whether a comparison holds, on the values as printed; unknown where there is no value. */
export function holds({ value, op, threshold }: ComparisonResult): "yes" | "no" | "unknown" {
  if (value === null) return "unknown";
  const isHeld = {
    ">": value > threshold,
    ">=": value >= threshold,
    "<": value < threshold,
    "<=": value <= threshold,
    "=": value === threshold,
    "<>": value !== threshold,
  }[op];
  return isHeld ? "yes" : "no";
}

/** What became of a check, in a word. */
export function checkWord({ status, outcome, triggered }: CheckResult): string {
  if (status === "failed") return "Undecided";
  if (!triggered || outcome === null) return "Not triggered";
  return WORDS[outcome];
}
