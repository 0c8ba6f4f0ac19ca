/** Texts of verdicts with their groups of checks, and of answers, in English: a page loads them after its start. */
export const answers = {
  worst: (title: string, value: string, limit: string): string =>
    `${title}: ${value}; the limit is ${limit}.`,
  groups: {
    fails: "Fails",
    look: "Needs a look",
    unanswered: "Not answered yet",
    notices: "Notices",
    passed: "Passed",
  },
  over: "beyond the limit",
  within: "within the limit",
  sameAreas: (areas: string): string => `The same areas as above: ${areas}`,
  missing: "missing",
  provided: "given",
  answer: "Answer",
  canLift: (checks: string): string => `Can lift: ${checks}`,
  decides: (checks: string): string => `Decides: ${checks}`,
  changed: {
    answers: "Answers changed since this verdict.",
    ruleset: "The ruleset changed since this verdict.",
  },
  needsSources: (ruleset: string, count: number, shown: string): string =>
    `${ruleset} needs ${count === 1 ? "a source that is" : `${shown} sources that are`} not here:`,
  askForSources: "Ask your operator for them, or choose another ruleset.",
  noOutline: "This plot has no outline. Add its corners, or remove it.",
  swapped: (here: string | undefined, swapped: string | undefined): string =>
    `Longitude and latitude are swapped. As written the plot is in ${here ?? "the sea"}; swapped it is in ${swapped ?? "the sea"}.`,
  areas: (declared: string, measured: string, change: string): string =>
    `Declared ${declared}, measured ${measured} (${change}).`,
  degraded: (word: string): string =>
    `A source failed, so this verdict is not final. The final verdict will be this or worse: ${word}. Nothing was charged; check again later.`,
  sources: {
    collected: (day: string): string => `collected ${day}`,
    ageOf: (age: string, limit: string): string => `${age} old, limit ${limit}`,
    overdue: "a newer edition is overdue",
    world: "the whole world",
    andMore: (names: string, count: string): string => `${names} and ${count} more`,
    licence: "Licence",
    edition: "Edition",
    copy: "Copy",
    copied: "Copied",
    covers: "Covers",
    usedBy: (count: number): string => (count === 1 ? "Used by 1 check" : `Used by ${count} checks`),
  },
  form: {
    title: "Answers",
    documents: "Documents",
    thisPlot: "This plot",
    allPlots: (plots: string): string => `All ${plots} plots`,
    help: "Nobody examines these answers: the verdict says that they were declared.",
    answered: (answered: string, all: string): string => `${answered} of ${all}`,
    notAnswered: "Not answered",
    number: "Number or name",
    area: "Area in hectares",
    optional: "optional",
    incomplete: "Number, issuer and day of issue are needed.",
    endsBefore: "It ends before it was issued.",
    outside: (min: string | undefined, max: string | undefined): string =>
      min === undefined
        ? `Enter at most ${max}.`
        : max === undefined
          ? `Enter at least ${min}.`
          : `Enter a number from ${min} to ${max}.`,
    property: "Property",
    propertyHelp:
      "The whole property around this plot: polygons in a GeoJSON file, in the reference system of the plot.",
    addProperty: "Add the property",
    changeProperty: "Open another",
    removeProperty: "Remove the property",
    noPolygons: (file: string): string => `${file} is no GeoJSON with polygons.`,
    choosePlot: "Choose a plot to add its property.",
    changed: (what: string): string => `Changed: ${what}`,
    leaveOut: (facts: string): string => `Leave out what the ruleset does not ask for: ${facts}`,
  },
};

/** The names of these texts, which every language has. */
export type AnswerWords = typeof answers;
