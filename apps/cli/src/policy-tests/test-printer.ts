import { stripVTControlCharacters } from "node:util";
import type {
  CaseResult,
  Difference,
  ExercisedPolicy,
  Gap,
  YamlFile,
  YamlFileError,
} from "@groundrule/policy-tests";
import { type Terminal, toPrintable } from "../terminal/terminal.ts";
import { figures } from "../words/figures.ts";
import type { JunitCase } from "./junit.ts";

/** Prints the results of tests: as text for people and logs, or as JSON lines. */
export class TestPrinter {
  readonly #terminal: Terminal;
  readonly #json: boolean;
  readonly #counts = { passed: 0, failed: 0, files: 0, bad_files: 0 };

  constructor(terminal: Terminal, json: boolean) {
    this.#terminal = terminal;
    this.#json = json;
  }

  /** Starts a file. */
  async file(path: string): Promise<void> {
    this.#counts.files++;
    if (!this.#json) await this.#terminal.print(this.#terminal.style("bold", toPrintable(path)));
  }

  async result(yaml: YamlFile, { test, differences }: CaseResult): Promise<void> {
    const passed = differences.length === 0;
    this.#counts[passed ? "passed" : "failed"]++;
    const { line, column } = yaml.placeOf(test.pointer);
    if (this.#json) {
      const placed = differences.map((difference) => ({
        ...yaml.placeOf(difference.pointer),
        ...difference,
      }));
      await this.#terminal.printJson({
        file: yaml.path,
        line,
        column,
        case: test.name,
        result: passed ? "passed" : "failed",
        differences: placed,
      });
      return;
    }
    const word = passed ? this.#terminal.style("green", "ok  ") : this.#terminal.style("red", "FAIL");
    await this.#wrapped(`  ${word}  ${toPrintable(test.name)}`, "        ");
    for (const difference of differences) {
      for (const said of formatDifference(yaml, difference))
        await this.#wrapped(`        ${said}`, "          ");
    }
  }

  /** A file without a runnable case. */
  async badFile({ path, faults }: YamlFileError): Promise<void> {
    this.#counts.files++;
    this.#counts.bad_files++;
    if (this.#json) return this.#terminal.printJson({ file: path, faults });
    await this.#terminal.print(this.#terminal.style("bold", toPrintable(path)));
    for (const { line, column, message } of faults) {
      const head = this.#terminal.style("red", "bad file");
      await this.#wrapped(`  ${head}  line ${line}, column ${column}: ${toPrintable(message)}`, "    ");
    }
  }

  /** Prints the exercised parts of each policy, then the number of passed cases. */
  async finish(policies: readonly ExercisedPolicy[]): Promise<void> {
    for (const policy of policies) await this.#exercised(policy);
    const { passed, failed, files, bad_files } = this.#counts;
    if (this.#json) return this.#terminal.printJson({ summary: this.#counts });
    const all = passed + failed;
    const said = [
      `${figures.decimal(passed, 0)} of ${figures.decimal(all, 0)} ${all === 1 ? "case" : "cases"} passed in ${figures.decimal(files, 0)} ${files === 1 ? "file" : "files"}`,
      ...(bad_files === 0
        ? []
        : [
            `${figures.decimal(bad_files, 0)} not run, because ${bad_files === 1 ? "it is" : "they are"} not valid`,
          ]),
    ];
    await this.#terminal.print("");
    await this.#terminal.print(
      this.#terminal.style(failed + bad_files === 0 ? "green" : "red", said.join("; ")),
    );
  }

  /** A case for JUnit, with its differences as printed. */
  junitCase(yaml: YamlFile, { test, differences }: CaseResult): JunitCase {
    const [first] = differences;
    const message = first && `${first.what}: expected ${first.expected}, found ${first.found}`;
    const failure = [
      message,
      ...differences.flatMap((difference) => formatDifference(yaml, difference)),
    ].join("\n");
    return {
      name: test.name,
      place: yaml.placeOf(test.pointer),
      ...(differences.length > 0 && { failure }),
    };
  }

  async #exercised(policy: ExercisedPolicy): Promise<void> {
    const { ruleset, checks, conditions, uncounted } = policy;
    if (this.#json) {
      return this.#terminal.printJson({
        exercised: { ruleset, checks, conditions, gaps: policy.gaps(), uncounted },
      });
    }
    await this.#terminal.print("");
    await this.#terminal.print(
      this.#terminal.style("bold", `Parts of ${toPrintable(ruleset)} that the cases exercise`),
    );
    const openable = checks.filter((check) => check.can_be_open);
    const openText = openable.length === 0 ? "" : `, ${formatOccurringShare(openable, "open")} open`;
    await this.#wrapped(
      `  checks: ${formatOccurringShare(checks, "triggered")} triggered, ${formatOccurringShare(checks, "not_triggered")} not triggered${openText}`,
      "    ",
    );
    if (conditions.length > 0) {
      const nullable = conditions.filter((condition) => condition.can_be_unknown);
      await this.#wrapped(
        `  conditions of filters: ${formatOccurringShare(conditions, "true")} true, ${formatOccurringShare(conditions, "false")} false, ${formatOccurringShare(nullable, "unknown")} unknown`,
        "    ",
      );
    }
    for (const gap of policy.gaps()) {
      const of = "check" in gap ? `check ${gap.check}` : gap.condition;
      const never = this.#terminal.style(
        "yellow",
        `never ${joinWithOr(gap.never.map((word) => NEVER[word]))}`,
      );
      await this.#wrapped(`  ${of}: ${never}`, "    ");
      if ("text" in gap) await this.#wrapped(`    ${toPrintable(gap.text)}`, "      ");
    }
    if (uncounted > 0) {
      await this.#wrapped(`  the conditions of ${uncounted} cases are not counted: too complex`, "    ");
    }
  }

  /** Wraps a line between words at the width of the terminal; a word that is too long stays whole. */
  async #wrapped(text: string, indent: string): Promise<void> {
    const width = this.#terminal.columns;
    let line = "";
    for (const word of text.split(/(?<=\S) /)) {
      const longer = line === "" ? word : `${line} ${word}`;
      if (line !== "" && measureVisibleLength(longer) > width) {
        await this.#terminal.print(line);
        line = indent + word;
      } else line = longer;
    }
    await this.#terminal.print(line);
  }
}

function formatDifference(yaml: YamlFile, { pointer, what, expected, found }: Difference): string[] {
  const { line, column } = yaml.placeOf(pointer);
  return [
    `line ${line}, column ${column}: ${toPrintable(what)}`,
    `  expected ${toPrintable(expected)}`,
    `  found    ${toPrintable(found)}`,
  ];
}

/** The share of all that occurred at least once. */
function formatOccurringShare<Name extends string>(
  all: readonly Readonly<Record<Name, number>>[],
  name: Name,
): string {
  return `${figures.decimal(all.filter((each) => each[name] > 0).length, 0)} of ${figures.decimal(all.length, 0)}`;
}

/** Each word as printed after "never". */
const NEVER: Readonly<Record<Gap["never"][number], string>> = {
  triggered: "triggered",
  "not triggered": "left untriggered",
  open: "open",
  true: "true",
  false: "false",
  unknown: "unknown",
};

function joinWithOr(words: readonly string[]): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;
}

function measureVisibleLength(text: string): number {
  return [...stripVTControlCharacters(text)].length;
}
