import type {
  CheckResult,
  ComparisonResult,
  SourceOutcome,
  Verdict,
  VerdictStatus,
} from "@groundrule/engine";
import { columnOf, findMeasure, type Unit } from "@groundrule/engine/rulesets";
import { counted, decimal, formatArea, formatDistance, formatShare } from "./format.ts";

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

/** What the verdict means, in a sentence or two. */
export function meaningOf({ verdict, at_least, checks }: Verdict): string {
  if (verdict === "DEGRADED") return `${DEGRADED_MEANS} ${CERTAIN[at_least]}`;
  const open = checks.filter(({ status }) => status === "not_covered").length;
  if (open === 0) return DECIDED[verdict];
  const found = `${decimal(open, 0)} of ${counted(checks.length, "check")} could not be answered, because the sources do not cover everything that they would have to, or are too old.`;
  return `${found} ${COUNTS_AS[verdict]}`;
}

const DECIDED = {
  COMPLIANT: "Every check was decided, and none has the outcome “Warning” or “Not compliant”.",
  WARNING: "Every check was decided. At least one has the outcome “Warning”, and none “Not compliant”.",
  NON_COMPLIANT: "Every check was decided, and at least one has the outcome “Not compliant”.",
} as const;

/** What checks that are not answered come to, beside the others. */
const COUNTS_AS = {
  COMPLIANT: "The ruleset waives what they would have examined, so this verdict does not speak of it.",
  WARNING: "At least one check has the outcome “Warning”, and none “Not compliant”.",
  NON_COMPLIANT: "At least one check has the outcome “Not compliant”.",
} as const;

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
  if (status === "not_covered") {
    return outcome === null || outcome === "NOTICE"
      ? "Not covered, waived"
      : `Not covered: ${WORDS[outcome]}`;
  }
  if (!triggered || outcome === null) return "Not triggered";
  return WORDS[outcome];
}

/** Whether a check is one to look at first: it triggers, or it is not answered. */
export function isLoud({ triggered, status }: CheckResult): boolean {
  return triggered || status !== "ok";
}

/** Why a check with the status `not_covered` is not answered. */
export function notCoveredText({ covered_ratio }: CheckResult): string {
  if (covered_ratio === undefined) return "A register of this check is older than the ruleset allows.";
  if (covered_ratio === 1) {
    return "The sources of this check cover the plot, but not all of its surroundings that the check examines, or are too old.";
  }
  const share = covered_ratio === 0 ? "nothing" : formatShare(covered_ratio);
  return `The sources of this check that are not too old cover ${share} of the plot. What lies on the rest is not known.`;
}

/** What a source covers of the plot, and how that is known. */
export function coverageText(
  { coverage, overage }: SourceOutcome,
  known: string | undefined,
): string | undefined {
  const parts = [
    ...(coverage === undefined ? [] : [`${COVERAGE[coverage]}${known === undefined ? "" : ` (${known})`}`]),
    ...(overage === true ? ["too old for the ruleset"] : []),
  ];
  return parts.length === 0 ? undefined : parts.join("; ");
}

const COVERAGE = {
  full: "the whole plot",
  partial: "part of the plot",
  none: "nothing of the plot",
  undeclared: "not declared; the source is assumed to cover the plot",
} as const;

/** Metres to the nearest area among the evidence, where a set of the check selects by distance. */
export function nearestMeters({ evidence }: CheckResult): number | undefined {
  const distances = evidence.flatMap((item) => ("distance_m" in item ? (item.distance_m ?? []) : []));
  return distances.length === 0 ? undefined : Math.min(...distances);
}
