import { FINDING_CODES, FINDINGS } from "../src/finding-codes.ts";
import { eudr } from "../src/profiles/eudr.ts";

const BEGIN = "<!-- findings: npm run docs:findings -->";
const END = "<!-- /findings -->";
/** What nearly every source of the profile is a paragraph of. */
const REFERENCE = "EU information system, Operator API Reference v1.0 (29 May 2026)";

/** The page with its tables of findings as the code has them. */
export function withFindings(page: string): string {
  const [head, rest] = splitOnce(page, BEGIN);
  const [, tail] = splitOnce(rest, END);
  return `${head}${BEGIN}\n\n${sections()}\n${END}${tail}`;
}

function splitOnce(text: string, at: string): [string, string] {
  const index = text.indexOf(at);
  if (index === -1) throw new Error(`the page has no ${at}`);
  return [text.slice(0, index), text.slice(index + at.length)];
}

function sections(): string {
  const general = FINDING_CODES.filter((code) => FINDINGS[code].rule === undefined);
  const ofProfile = FINDING_CODES.filter((code) => FINDINGS[code].rule !== undefined);
  return [
    "### Plots of any purpose",
    "",
    "| Code | Severity | Means | What mends it |",
    "| --- | --- | --- | --- |",
    ...general.map((code) => row(code)),
    "",
    `### Profile \`${eudr.name}\``,
    "",
    `A source that begins with § is of: ${REFERENCE}.`,
    "",
    "| Code | Severity | Means | What mends it | Source |",
    "| --- | --- | --- | --- | --- |",
    ...ofProfile.map((code) => row(code)),
    "",
  ].join("\n");
}

function row(code: (typeof FINDING_CODES)[number]): string {
  const { severity, meaning, mend, rule } = FINDINGS[code];
  const source = rule === undefined ? [] : [eudr.sources[rule]?.replace(`${REFERENCE} `, "")];
  return `| ${[`\`${code}\``, severity, meaning, mend, ...source].join(" | ")} |`;
}
