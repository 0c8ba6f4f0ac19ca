import { FINDING_CODES, FINDINGS } from "../src/finding-codes.ts";
import { eudr } from "../src/profiles/eudr.ts";
import { PLAUSIBLE_SIZES } from "../src/quality/plausible-sizes.ts";
import { QUALITY } from "../src/quality-bounds.ts";

const BEGIN = "<!-- findings: npm run tool -- write-findings -->";
const END = "<!-- /findings -->";
/** Publication in which nearly every source of the profile is a paragraph. */
const REFERENCE = "EU information system, Operator API Reference v1.0 (29 May 2026)";

/** The page with its tables of findings as the code has them. */
export function replaceFindingsTables(page: string): string {
  const [head, rest] = splitAtMarker(page, BEGIN);
  const [, tail] = splitAtMarker(rest, END);
  return `${head}${BEGIN}\n\n${formatFindingSections()}\n${END}${tail}`;
}

const BEGIN_BOUNDS = "<!-- bounds: npm run tool -- write-findings -->";
const END_BOUNDS = "<!-- /bounds -->";

/** The page of the profile `quality` with its bounds as the code has them. */
export function replaceQualityBounds(page: string): string {
  const [head, rest] = splitAtMarker(page, BEGIN_BOUNDS);
  const [, tail] = splitAtMarker(rest, END_BOUNDS);
  return `${head}${BEGIN_BOUNDS}\n\n${formatQualityBounds()}\n\n${END_BOUNDS}${tail}`;
}

function formatQualityBounds(): string {
  const { spike, segmentMeters, vertices, group, version } = QUALITY;
  const few = vertices.map(({ most, hectares }) => `at most ${most} above ${hectares} ha`).join(", ");
  return [
    `Version ${version}:`,
    "",
    "| Code | Measures | Reported |",
    "| --- | --- | --- |",
    `| \`SPIKE\` | The angle between two edges of ${spike.leastMeters} m or more, and how far apart they are at the end of the shorter | below ${spike.degrees}° and below ${spike.widthMeters} m |`,
    `| \`SEGMENT_SHORT\` | The length of each segment; one finding a plot, at the shortest | below ${1000 * segmentMeters} mm |`,
    `| \`FEW_VERTICES\` | Distinct vertices of an outer ring, and the land in it | ${few} |`,
    "| `SIZE_IMPLAUSIBLE` | The land of a polygon | above the bound of its commodity and country, below |",
    `| \`FAR_FROM_GROUP\` | The distance from the middle of a producer's plots (median longitude and latitude), of which there are ${group.leastPlots} or more | above ${group.meters / 1000} km and above ${group.medians} times the median distance |`,
    "| `PRODUCER_SPELLINGS` | Spellings of a name that is one without case, accents, signs and order of words, in one country | each but the most frequent, once |",
    "",
    "| Commodity | Countries | Above | Why |",
    "| --- | --- | --- | --- |",
    ...PLAUSIBLE_SIZES.map(
      ({ names, countries, mostHectares, source }) =>
        `| ${names.map((name) => `\`${name}\``).join(", ")} | ${countries.join(", ")} | ${mostHectares} ha | ${source} |`,
    ),
  ].join("\n");
}

function splitAtMarker(text: string, at: string): [string, string] {
  const index = text.indexOf(at);
  if (index === -1) throw new Error(`the page has no ${at}`);
  return [text.slice(0, index), text.slice(index + at.length)];
}

function formatFindingSections(): string {
  const general = FINDING_CODES.filter(
    (code) => FINDINGS[code].rule === undefined && FINDINGS[code].profile === undefined,
  );
  const doubts = FINDING_CODES.filter((code) => FINDINGS[code].profile !== undefined);
  const ofProfile = FINDING_CODES.filter((code) => FINDINGS[code].rule !== undefined);
  return [
    "### Plots of any purpose",
    "",
    "| Code | Severity | Means | What mends it |",
    "| --- | --- | --- | --- |",
    ...general.map((code) => formatFindingRow(code)),
    "",
    `### Profile \`${eudr.name}\``,
    "",
    `A source that begins with § is of: ${REFERENCE}.`,
    "",
    "| Code | Severity | Means | What mends it | Source |",
    "| --- | --- | --- | --- | --- |",
    ...ofProfile.map((code) => formatFindingRow(code)),
    "",
    `### Profile \`${QUALITY.name}\``,
    "",
    `Version ${QUALITY.version}. The bounds, how they were chosen and their versions are on [a page of their own](plot-quality.md).`,
    "",
    "| Code | Severity | Means | What mends it |",
    "| --- | --- | --- | --- |",
    ...doubts.map((code) => formatFindingRow(code)),
    "",
  ].join("\n");
}

function formatFindingRow(code: (typeof FINDING_CODES)[number]): string {
  const { severity, meaning, mend, rule } = FINDINGS[code];
  const source = rule === undefined ? [] : [eudr.sources[rule]?.replace(`${REFERENCE} `, "")];
  return `| ${[`\`${code}\``, severity, meaning, mend, ...source].join(" | ")} |`;
}
