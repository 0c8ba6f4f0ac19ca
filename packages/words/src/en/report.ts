import { formatCountWithNoun } from "../formats.ts";

/**
 * The words of the pages. Where a count decides between words, it comes as a number and as it is shown; whatever comes
 * from data comes as the page shows it.
 */
export const report = {
  // Outcomes
  failed: "Failed",
  omitted: "Left out",

  // Head
  pageTitle: (subject: string): string => `Compliance verdict: ${subject}`,
  runningHead: (subject: string, verdict: string, day: string): string =>
    `Compliance verdict · ${subject} · ${verdict} · ${day}`,
  plotById: (id: number): string => `plot ${id}`,
  aPlot: "a plot",
  evaluatedWith: "evaluated with",
  unnamedRuleset: "an unnamed ruleset",
  rulesetVersion: (version: number): string => `version ${version}`,
  fictionalSources: <Part>(_count: number, sources: Part): readonly (Part | string)[] => [
    "Fictional data: the content of ",
    sources,
    " is invented, and none of it is true of the plot.",
  ],
  omittedSources: <Part>(count: number, sources: Part): readonly (Part | string)[] => [
    "Evaluated without ",
    sources,
    count === 1
      ? ". It covers nothing, so checks that it could change are open."
      : ". They cover nothing, so checks that they could change are open.",
  ],
  areaOfPlot: "Area of the plot",
  centreOfPlot: "Centre of the plot",
  evaluated: "Evaluated",
  sourcesUsed: "Sources used",
  sourcesUsedOldest: (sources: string, age: string): string =>
    `${sources}, the oldest collected ${age} earlier`,
  unknownDays: "an unknown number of days",
  reference: "Reference",
  identifiers: "Identifiers",
  identifier: "Identifier",
  verdict: "Verdict",
  mainFacts: "Facts",

  // Meaning of the verdict
  degradedMeans: "A source could not be opened, so this verdict is incomplete.",
  certainCompliant: "No outcome is certain, so this is not a pass.",
  certainWarning: "“Warning” is certain, and “Not compliant” is possible.",
  certainNonCompliant: "“Not compliant” is certain, whatever the missing data says.",
  openChecks: (open: string, count: number, checks: string): string =>
    `${open} of ${formatCountWithNoun(count, checks, "check")} could not be decided, because their sources do not cover all of the land to examine, are too old, or have only an assumed coverage.`,
  undeterminedChecks: (open: string, count: number, checks: string): string =>
    `${open} of ${formatCountWithNoun(count, checks, "check")} could not be decided, because a value is missing or an identifier cannot be one of its kind.`,
  countsAsCompliant: "The ruleset waives these checks, so this verdict says nothing about them.",

  // Evaluated again
  notEvaluatedAgain: "Not evaluated again.",
  notAvailable: "The editions were not available.",
  unverified: "This report was made from the service's answer. Run groundrule replay to verify it.",
  fromTiles: "Areas are drawn from map tiles, generalised.",
  recordAlone: "This page shows what the record says, without the geometries of the evidence.",
  sameButAround: (members: string): string =>
    `A second evaluation gives the same decision, but these members that describe it differ: ${members}.`,
  notConfirmed: "This record is not confirmed.",
  secondGives: (replayed: string, recorded: string, parts: string): string =>
    `A second evaluation gives ${replayed}; the record says ${recorded}. Differences: ${parts}.`,
  noVerdict: "no verdict",
  nothing: "nothing",
  now: "now",

  // Maps
  map: "Map",
  locator: "Location of the plot",
  locatorOf: (subject: string, country: string | undefined): string =>
    country === undefined
      ? `Location of ${subject}: a small map of countries`
      : `Location of ${subject}: a small map of ${country} and its neighbours`,
  mapOfPlot: "The plot and the evidence on it.",
  mapAround: "The surroundings and the evidence near the plot.",
  mapTitle: (subject: string, areas: number): string =>
    areas === 0
      ? `Map of ${subject}`
      : `Map of ${subject} with ${formatCountWithNoun(areas, `${areas}`, "area")} of the evidence, which the tables below list`,
  undrawn: (count: number): string =>
    count === 1
      ? "One area of the evidence is not on the map, because its shape was not available:"
      : `${count} areas of the evidence are not on the map, because their shapes were not available:`,
  thePlot: "the plot",
  otherAreas: "other areas of the same sources",
  border: "border between countries, generalised",
  nearestLine: "the shortest way to the nearest area",
  legendInside: "hatched: part of an area inside the plot",
  legendOutside: "dashed outline: part outside the plot",
  legendTiny: "circle: an area too small to draw",
  legendNumbers: "numbers: the evidence below",
  legendNorth: "north is up; coordinates are WGS 84",

  // Checks
  checks: "Checks",
  outcomeWhenTriggered: (outcome: string): string => `outcome when it fails: ${outcome}`,
  countsThatAs: (outcome: string): string => `The ruleset counts that as “${outcome}”.`,
  measured: "Measured",
  anyOfThese: "any of these",
  allOfThese: "all of these",
  value: "Value",
  threshold: "Limit",
  result: "Result",
  noneWithin: (distance: string): string => `none within ${distance}`,
  comparedAs: (compared: string): string => `compared as ${compared}`,

  // Evidence
  evidence: "Evidence",
  number: "No.",
  area: "Area",
  source: "Source",
  overlap: "Overlap",
  ofThePlot: "of the plot",
  ofTheArea: "of the area",
  distance: "Distance",
  noName: "no name",
  undetermined: "undetermined",
  role: "Role",
  record: "Record",
  register: "Register",
  sameEvidence: <Part>(check: Part): readonly (Part | string)[] => ["The evidence is that of “", check, "”."],
  showingOf: (shown: string, total: number, all: string): string =>
    `Showing ${shown} of ${formatCountWithNoun(total, all, "evidence item")}, the largest overlaps first, then the nearest. The verdict takes all of them into account.`,
  undeterminedFor: (count: number, shown: string): string =>
    `For ${formatCountWithNoun(count, shown, "area")} the filter of the check could not be decided, because a value is missing; these areas are marked “undetermined”.`,

  // Not determined
  notDetermined: "Not determined",
  allDetermined: "Nothing: every source answered, and every check was decided.",
  couldNotBeOpened: "could not be opened",
  wasOmitted: "was left out of the evaluation",
  checkUndecided: <Part>(check: Part): readonly (Part | string)[] => [
    "The check “",
    check,
    "” is undecided, because the data of the failed sources could change it.",
  ],
  checkNotAnswered: <Part>(check: Part): readonly (Part | string)[] => [
    "The check “",
    check,
    "” is not decided.",
  ],
  assumedToCover: "declares no coverage. It is assumed to cover the plot.",
  coverageAssumed: "declares no coverage. It is assumed to cover the countries of its areas.",
  notExamined: "The ruleset does not examine:",
  filterUndecided: <Part>(check: Part, count: number, shown: string): readonly (Part | string)[] => [
    "In “",
    check,
    `”, the filter could not be decided for ${formatCountWithNoun(count, shown, "area")}.`,
  ],
  withoutCountry: (count: number, shown: string, source: string): string =>
    count === 1
      ? `${shown} area of ${source} has no country, so it was left out of a check that requires one.`
      : `${shown} areas of ${source} have no country, so they were left out of a check that requires one.`,

  // Sources
  sources: "Sources",
  areasMatched: (count: number, shown: string): string =>
    `${formatCountWithNoun(count, shown, "area")} matched`,
  recordsMatched: (count: number, shown: string): string =>
    `${formatCountWithNoun(count, shown, "record")} matched`,
  fictional: "fictional",
  scope: "Scope",
  cutoff: "Cut-off",
  beforeCutoff: "may end before the cut-off of its group; its manifest allows this",
  group: (name: string): string => `Group ${name}`,
  name: "Name",
  collected: "Collected",
  collectedAgo: (day: string, age: string): string => `${day}, ${age} before this evaluation`,
  observedUntil: "Observed until",
  cells: "Cells",
  cellsOf: (size: string): string => `of ${size}`,
  cellCount: (count: number, shown: string, size: string | undefined): string =>
    `${shown} ${count === 1 ? "cell" : "cells"}${size === undefined ? "" : ` of ${size}`}`,
  unknownDay: "on an unknown day",
  agelessDay: (day: string): string => `${day}, of unknown age`,
  covers: "Covers",
  coversFull: "the whole plot",
  coversPart: "part of the plot",
  coversNothing: "nothing of the plot",
  coversUndeclared: "not declared; the source is assumed to cover the plot",
  coversAssumed: (covered: string): string =>
    `${covered}, assumed from the countries of its areas, not declared`,
  tooOld: "too old for the ruleset",
  leftOut: "Left out",
  featuresLeftOut: (count: number, shown: string): string =>
    `${formatCountWithNoun(count, shown, "feature")} of the source could not be stored and ${count === 1 ? "was" : "were"} not examined`,
  rowsLeftOut: (count: number, shown: string): string =>
    `${formatCountWithNoun(count, shown, "row")} of the source could not be stored and ${count === 1 ? "was" : "were"} not examined`,
  licence: "Licence",
  licenceUnavailable: "not available",
  licenceNotStated: "not stated",
  publishedAt: "Published at",
  edition: "Edition",
  reason: "Reason",

  // Input
  input: "Input",
  plot: "Plot",
  plotSent: (
    discs: string,
    polygons: number,
    polygonsShown: string,
    positions: number,
    shown: string,
    crs: string,
  ): string =>
    `${discs}${formatCountWithNoun(polygons, polygonsShown, "polygon")}, ${formatCountWithNoun(positions, shown, "position")}, sent in ${crs}`,
  disc: (hectares: string): string => `a disc of ${hectares} ha around the point: `,
  discs: (hectares: string, points: string): string =>
    `a disc of ${hectares} ha around each of ${points} points: `,
  extent: "Extent",
  extentText: (west: string, south: string, east: string, north: string): string =>
    `west ${west}°, south ${south}°, east ${east}°, north ${north}°`,
  noPlot: "none; the checks concern identifiers only",
  digest: "Digest",
  corrections: "Corrections and warnings:",

  // How to reproduce
  reproduce: "How to reproduce this verdict",
  reproduceKeep:
    "Keep the record from which this page was made, and a data folder that contains the editions named above. Then run, on any machine and without a network:",
  reproduceMeans:
    "The command opens exactly those editions, checks each against its digest, evaluates the request again, and reports whether the digest and every figure are the same.",
  reproduceDone: "This was done when the page was made, and the result was identical.",
  noDigest: "none, because the reference kernel produces no digest",
  semantics: "Semantics",
  semanticsVersion: (version: number): string => `version ${version}`,
  engine: "Engine",
  instant: "Instant",
  howMeasured:
    "Areas are computed on the WGS 84 ellipsoid, and distances along the shortest geodesics. Every comparison uses the figure printed in small type, which is the one in the record, so a reader can check it from this page. A verdict states what the sources showed on their dates; it is not a survey and not legal advice.",

  // Ruleset
  ruleset: "Ruleset",
  set: "Set",
  contains: "Contains",
  sameCompany: "records of the same company",
  sameIdentifier: "records of the same identifier",
  recordsIn: (how: string, registers: string): string => `${how} in ${registers}`,
  forTheRole: "for the role",
  union: (sets: string): string => `union of ${sets}`,
  intersection: (sets: string): string => `intersection of ${sets}`,
  difference: (sets: string): string => `difference of ${sets}`,
  areasOf: (sources: string, place: string): string => `areas of ${sources} ${place}`,
  thatIntersect: "that intersect the plot",
  thatTouch: "that touch the plot without overlapping it",
  thatCover: "that cover the plot",
  thatLieInside: "that lie inside the plot",
  within: (distance: string): string => `within ${distance} of it`,
  between: (least: string, most: string): string => `from ${least} to ${most} of it`,
  inCountries: (codes: string): string => `in ${codes}`,
  ofDeclaredCoverage: "of declared coverage only",
  where: "where",
  /** Over the checks that decide the verdict, with the answers that would lift each. */
  lifts: "What would lift this",
  anyOneLifts: "Any one of",
  liftedByNothing: "no answer or document",
  rulesetAsSent: "Ruleset as sent",
  page: "Page",
  pageOf: "of",

  // A plot without a verdict
  refusedMeans: "This plot was not examined. It has no verdict until it is fixed and evaluated again.",
  whatIsWrong: "Problem",
  defect: "Defect",
  code: "Code",
  placeInInput: "Place in the input",
  whatToDo: "What to do",
  mendPlot:
    "The first command lists every fault of a file of plots and how to fix it; the second fixes most of them. Then evaluate the plot again.",

  // Portfolio
  withoutReport: (count: number, shown: string): string =>
    `${formatCountWithNoun(count, shown, "plot")} ${count === 1 ? "has" : "have"} no report: results contain neither the plot nor the ruleset that a report shows.`,
  portfolioTitle: (count: number, shown: string): string => formatCountWithNoun(count, shown, "plot"),
  portfolioOf: "Portfolio",
  verdicts: "Verdicts",
  shapeInvalid: "The plot's shape is invalid",
  plotsNonCompliant: (count: number, shown: string, all: string): string =>
    `${shown} of ${all} plots ${count === 1 ? "is" : "are"} not compliant.`,
  plotsUnchecked: (_count: number, shown: string, all: string): string =>
    `${shown} of ${all} plots can't be checked.`,
  plotsIncomplete: (count: number, shown: string, all: string): string =>
    `${shown} of ${all} plots ${count === 1 ? "has an incomplete verdict" : "have incomplete verdicts"}.`,
  plotsWarning: (count: number, shown: string, all: string): string =>
    `${shown} of ${all} plots ${count === 1 ? "needs" : "need"} a look.`,
  plotsOpen: (count: number, shown: string, all: string): string =>
    `${shown} of ${all} plots ${count === 1 ? "is" : "are"} not checked.`,
  plotsCompliant: (count: number, shown: string): string =>
    count === 1 ? "The plot is compliant." : `All ${shown} plots are compliant.`,
  plots: "Plots",
  counts: "Counts",
  countOf: "Count of",
  outcome: "Outcome",
  plotId: "Id of the plot",
  atLeast: "At least",
  areaM2: "Area (m²)",
  longitude: "Longitude (°)",
  latitude: "Latitude (°)",
  openBecause: "Not decided because",
  resolvedBy: "Would be resolved by",
  evaluatedWithout: "Evaluated without",
  versionOfRuleset: "Version of the ruleset",
  errorCode: "Code of the problem",
  report: "Report",
  byCheck: "By check",
  check: "Check",
  notCoveredWord: "Not covered",
  notDeclaredWord: "Not declared",
  undeterminedWord: "Undetermined",
  mapOfPlots: (count: number, shown: string): string => `Map of ${formatCountWithNoun(count, shown, "plot")}`,
  farFromOthers: <Part>(count: number, shown: string, names: Part): readonly (Part | string)[] => [
    `${formatCountWithNoun(count, shown, "plot")} far from the others ${count === 1 ? "is" : "are"} not drawn: `,
    names,
    ".",
  ],
  mapOfPlotsCaption:
    "Every plot in the colour of its verdict, as an outline where it is large enough, else as a dot. North is up; borders are generalised.",
  notOnMap: (count: number, shown: string): string =>
    `${formatCountWithNoun(count, shown, "plot")} without a place ${count === 1 ? "is" : "are"} not on the map.`,
  fictionalPortfolio: <Part>(_count: number, sources: Part): readonly (Part | string)[] => [
    "Fictional data: the content of ",
    sources,
    " is invented, and none of it is true of the plots.",
  ],
  assumedPortfolio: <Part>(count: number, shown: string, sources: Part): readonly (Part | string)[] => [
    "The coverage of ",
    sources,
    `, which ${formatCountWithNoun(count, shown, "verdict")} ${count === 1 ? "depends" : "depend"} on, is not declared: it is assumed from the countries of the areas.`,
  ],
  omittedPortfolio: <Part>(count: number, shown: string, sources: Part): readonly (Part | string)[] => [
    `${formatCountWithNoun(count, shown, "plot")} ${count === 1 ? "was" : "were"} evaluated without `,
    sources,
    ": checks that these could change are open.",
  ],
  triggeredOrOpen: "Reasons",
  place: "Centre",
  more: (shown: string): string => `and ${shown} more`,
  search: "Search id, name or check",
  allVerdicts: "All verdicts",
  allChecks: "All checks",
  filterPlots: "Filter plots",
  clearFilter: "Clear",
  shownOf: (shown: string, all: string): string => `${shown} of ${all} plots shown`,
  showMore: "Show more plots",
  sortHint: "Column headings sort the table.",
  sameDataFiles: (files: string): string => `The same data is in ${files}, in the folder of this page.`,
  portfolioFoot:
    "A verdict states what the sources showed on their dates; it is not a survey and not legal advice.",

  // Stamp
  fictionalData: "Fictional data",
  verifyWith: "verify with groundrule replay",
};

/** Words of the report, the same members in every language. */
export type ReportWords = typeof report;
