import type { MeasureWord } from "@groundrule/engine/internal";
import { formatCountWithNoun } from "../formats.ts";

/** A measure of a set, as its title names it. */
export interface NamedMeasure {
  /** Name of the set, quoted. */
  readonly set: string;
  /** Name of the set whose region is the denominator, quoted; absent: the plot. */
  readonly of: string | undefined;
  /** The column that is measured; empty where none is. */
  readonly column: string;
}

/** The name of every measure that the engine has. */
export type MeasureTitles = Readonly<Record<MeasureWord, (named: NamedMeasure) => string>>;

const measures: MeasureTitles = {
  count: ({ set }) => `Number of matches in ${set}`,
  overlap_area_m2: ({ set }) => `Area of the plot covered by ${set}`,
  overlap_ratio: ({ set, of = "the plot" }) => `Share of ${of} covered by ${set}`,
  max_overlap_area_m2: ({ set }) => `Largest single overlap with ${set}`,
  area_overlap_ratio: ({ set }) => `Largest share of an area of ${set} that the plot covers`,
  min_distance_m: ({ set }) => `Distance to the nearest area of ${set}`,
  sum: ({ set, column }) => `Sum of ${column} in ${set}`,
  min: ({ set, column }) => `Lowest ${column} in ${set}`,
  max: ({ set, column }) => `Highest ${column} in ${set}`,
  avg: ({ set, column }) => `Mean of ${column} in ${set}`,
  mean: ({ set, column }) => `Mean of ${column} in ${set}, by area`,
};

/** A phrase for one check, and for several. */
type Phrases = readonly [one: string, several: string];

/** Words that verdicts share wherever they are shown: on the page, in reports and at a terminal. */
export const verdict = {
  /** Words of verdicts, and of the outcomes of checks. */
  outcomes: {
    COMPLIANT: "Compliant",
    WARNING: "Warning",
    NON_COMPLIANT: "Not compliant",
    DEGRADED: "Incomplete",
    NOTICE: "Notice",
  },
  /** The same for a plot that has no verdict: it was refused, or is still to be evaluated. */
  refused: "Can't be checked",
  notChecked: "Not checked",
  /** Results of checks and of their comparisons. */
  undecided: "Undecided",
  passed: "Passed",
  checkFailed: "Failed",
  met: "met",
  notMet: "not met",
  waived: "waived",
  unknown: "unknown",
  days: (count: number, shown: string): string => formatCountWithNoun(count, shown, "day"),
  seconds: (count: number, shown: string): string => formatCountWithNoun(count, shown, "second"),
  /** Names of measures of a set. */
  measures: measures as MeasureTitles,
  /** How far a value is from its limit. */
  ruler: {
    points: "percentage points",
    below: (shown: string): string => `${shown} below the limit`,
    at: "at the limit",
    above: (shown: string): string => `${shown} above the limit`,
  },
  /** The sentence on why a verdict is what it is: each phrase for one check, and for several, after their number. */
  reasons: {
    of: (count: string, all: string): string => `${count} of ${all} checks`,
    only: "The only check",
    all: (count: string): string => `All ${count} checks`,
    more: (count: string): string => `and ${count} more`,
    failed: ["failed", "failed"] as Phrases,
    openFailed: [
      "could not be decided and counts as failed",
      "could not be decided and count as failed",
    ] as Phrases,
    look: ["needs a look", "need a look"] as Phrases,
    openLook: ["could not be decided and needs a look", "could not be decided and need a look"] as Phrases,
    undecided: [
      "could not be decided, because a source failed",
      "could not be decided, because a source failed",
    ] as Phrases,
    notice: ["gives a notice", "give a notice"] as Phrases,
    waived: ["could not be decided and is waived", "could not be decided and are waived"] as Phrases,
    passed: ["passed", "passed"] as Phrases,
    noSource: (count: number, shown: string): string =>
      `No source covers this plot. ${count === 1 ? "The only check could not be decided" : `None of the ${shown} checks could be decided`}.`,
  },
  /** Why a check is open. */
  open: {
    /** Over open checks, in place of their outcome. */
    notDecided: (gap: string): string => `Not decided (${gap})`,
    gaps: {
      coverage: "Not covered",
      age: "Too old",
      left_out: "Incomplete source",
      without: "Source left out",
      null: "Undetermined",
      identifier: "Invalid identifier",
      fact: "Not declared",
      failed: "Undecided",
    },
    unstated: "The record does not state why the check could not be decided.",
    covered: (source: string, share: string): string =>
      `${source} covers ${share} of the plot. It is not known what is on the rest of it.`,
    uncovered: (source: string): string => `${source} does not cover the plot.`,
    surroundings: (source: string): string =>
      `${source} covers the plot, but not all of the surroundings that the check examines.`,
    old: (source: string, days: string, most: string): string =>
      `${source} is ${days} days old; the ruleset allows ${most}.`,
    ageless: (source: string, most: string): string =>
      `The age of ${source} is not known; the ruleset allows ${most} days.`,
    fact: (name: string): string => `The fact “${name}” was not declared.`,
    property: "The property was not declared.",
    noValue: (source: string, count: number, shown: string): string =>
      `${shown} ${count === 1 ? "area" : "areas"} of ${source} may count or not: a value that the check needs is missing. It can be filled in the source, tested for with IS NULL, or decided by “unknown” in the ruleset.`,
    identifier: (pointer: string): string =>
      `The identifier at ${pointer} has a length, characters or check digits that its scheme excludes.`,
    proposed: (pointer: string, value: string): string =>
      `The identifier at ${pointer} has a length that its scheme excludes; with lost zeros it would be ${value}.`,
    leftOut: (source: string, count: number, shown: string): string =>
      `${shown} ${count === 1 ? "feature" : "features"} of ${source} at the plot could not be stored.`,
    failed: (source: string): string => `${source} failed.`,
    without: (source: string): string => `The evaluation was to do without ${source}.`,
  },
  /** Land of a plot on a map of one year. */
  context: {
    titles: {
      "preset:forest_2020": "Forest of 2020",
      "preset:tree_cover_2020": "Tree cover of 2020",
      "preset:commodities_2020": "Commodities of 2020",
      "preset:forest_types_2020": "Known types of forest of 2020",
    } as Readonly<Record<string, string>>,
    onPlot: "on the plot",
    unknown: "not known",
    atLeast: "at least",
  },
  /** Facts that an applicant declares. Questions are quoted from the ruleset. */
  facts: {
    /** Over what an applicant declared: nobody examined it. */
    declared: "Declared, not examined",
    question: "Question",
    value: "Declared",
    required: "Compared with",
    result: "Result",
    notDeclared: "not declared",
    notBrought: "not brought",
    /** For a check that waits for a fact. */
    open: "Open: not declared",
    yes: "yes",
    no: "no",
    valid: "valid",
    notValid: "not valid",
    /** A comparison that tests if a document is valid, within a sentence. */
    isValid: (document: string): string => `the document for ${document} is valid`,
    isNotValid: (document: string): string => `the document for ${document} is not valid, or not brought`,
    met: "met",
    notMet: "not met",
    unknown: "unknown",
    issuer: "Issued by",
    issuedOn: "Issued on",
    validUntil: "Valid until",
    withoutEnd: "without end",
    area: "Area",
    digest: "Digest",
    /** The day as a sentence names it, and as the head of its own line: it is neither declared nor measured. */
    evaluatedOn: "the day of the evaluation",
    evaluationDay: "Day of the evaluation",
    member: {
      area_m2: (document: string): string => `the area in the document for ${document}`,
      issued_on: (document: string): string => `the day of issue of the document for ${document}`,
      valid_until: (document: string): string => `the last day of the document for ${document}`,
    } as Readonly<Record<string, (document: string) => string>>,
    toBring: "What to bring",
    wouldChange: "What would change it",
    anyOne: "Any one of these:",
    together: (parts: string): string => `together: ${parts}`,
    validDocument: (document: string): string => `a valid document for ${document}`,
    declaration: (subject: string, value: string): string => `a declaration for ${subject}: ${value}`,
    supposed: (subject: string, value: string): string => `if the answer for ${subject} were ${value}`,
    supposedMember: (subject: string, value: string): string => `if ${subject} were ${value}`,
    anyValue: "any value",
    or: "or",
    and: "and",
    atLeast: (value: string): string => `at least ${value}`,
    above: (value: string): string => `more than ${value}`,
    atMost: (value: string): string => `at most ${value}`,
    below: (value: string): string => `less than ${value}`,
    onOrAfter: (day: string): string => `${day} or later`,
    onOrBefore: (day: string): string => `${day} or earlier`,
    quoted: (text: string): string => `‘${text}’`,
    /** Phrases of measures for the plot, and for the property in its place. */
    ofLand: ["of the plot", "of the declared property"] as readonly [plot: string, property: string],
    onProperty: "on the declared property",
    measuredOnProperty: "measured on the declared property",
    property: "the declared property",
    areaOfProperty: "Area of the declared property",
    notCompliant: "not compliant",
    aWarning: "a warning",
    /** After the word of the verdict. */
    without: (outcome: string, documents: string): string => `${outcome} without ${documents} (declared)`,
    more: (count: number): string => `${count} more`,
    openFacts: (open: string, count: number, checks: string): string =>
      `${open} of ${checks} ${count === 1 ? "check" : "checks"} could not be decided, because facts that the ruleset asks for were not declared.`,
  },
};

/** The names of these words, which every language has. */
export type VerdictWords = typeof verdict;
