import { relative } from "node:path";
import type { Place, YamlFault } from "@groundrule/policy-tests";

/** A test case in JUnit's form. */
export interface JunitCase {
  readonly name: string;
  readonly place: Place;
  /** Absent if it passed. */
  readonly failure?: string;
}

/** A test file in JUnit's form: its cases, or the reason why there are none. */
export type JunitSuite = { readonly path: string } & (
  | { readonly cases: readonly JunitCase[] }
  | { readonly faults: readonly YamlFault[] }
);

/** The results of test files as JUnit XML, which CI systems read. */
export function formatJunitXml(suites: readonly JunitSuite[]): string {
  return `${[
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="groundrule test"${formatCaseCounts(suites.flatMap(listSuiteCases))}>`,
    ...suites.flatMap(formatJunitSuite),
    "</testsuites>",
  ].join("\n")}\n`;
}

interface AnyCase extends JunitCase {
  readonly error?: string;
}

/** A file that could not be read counts as one failed test. */
function listSuiteCases(suite: JunitSuite): readonly AnyCase[] {
  if ("cases" in suite) return suite.cases;
  const [first] = suite.faults;
  const message = suite.faults.map(({ line, column, message }) => `${line}:${column}: ${message}`).join("\n");
  return [{ name: "the test file", place: first ?? { line: 1, column: 1 }, error: message }];
}

function formatJunitSuite(suite: JunitSuite): string[] {
  const path = relative(process.cwd(), suite.path) || suite.path;
  const cases = listSuiteCases(suite);
  return [
    `  <testsuite name="${escapeXml(path)}"${formatCaseCounts(cases)}>`,
    ...cases.flatMap(({ name, place, failure, error }) => {
      const head = `    <testcase name="${escapeXml(name)}" classname="${escapeXml(path)}" file="${escapeXml(path)}" line="${place.line}"`;
      const shownMessage = failure ?? error;
      if (shownMessage === undefined) return [`${head}/>`];
      const kind = failure === undefined ? "error" : "failure";
      const [message = ""] = shownMessage.split("\n");
      return [
        `${head}>`,
        `      <${kind} message="${escapeXml(message)}">${escapeXml(shownMessage)}</${kind}>`,
        "    </testcase>",
      ];
    }),
    "  </testsuite>",
  ];
}

function formatCaseCounts(cases: readonly AnyCase[]): string {
  const failures = cases.filter(({ failure }) => failure !== undefined).length;
  const errors = cases.filter(({ error }) => error !== undefined).length;
  return ` tests="${cases.length}" failures="${failures}" errors="${errors}"`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "\n": "&#10;",
  "\t": "&#9;",
};

/** Text for XML 1.0: characters that it cannot contain, such as control characters, become U+FFFD. */
function escapeXml(text: string): string {
  return text
    .toWellFormed()
    .replace(/[^\t\n\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, "\u{fffd}")
    .replace(/[&<>"\n\t]/g, (character) => ENTITIES[character]!);
}
