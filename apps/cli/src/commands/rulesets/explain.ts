import type { EvaluationInput } from "@groundrule/engine";
import type { Explanation, Plan, PlanStep } from "@groundrule/engine/rulesets";
import { explainQuestion, type LintFinding, lintRuleset } from "@groundrule/engine/rulesets";
import type { Command } from "../../command-line/command.ts";
import { EXIT, type ExitCode, pickWorseExitCode } from "../../command-line/exit-code.ts";
import {
  EXPECT_EDITION_OPTION,
  openCommandData,
  readCompileOptions,
  WITHOUT_OPTION,
} from "../../data/command-data.ts";
import { RULESET_OPTION, readRuleset } from "../../files/ruleset-file.ts";
import {
  POINT_AREA_DETAIL,
  POINT_AREA_OPTION,
  readJudgedPlots,
  readJudgeOptions,
} from "../../plots/judged-plots.ts";
import { PLOT_READ_OPTIONS } from "../../plots/read-options.ts";
import { CRS_OPTION } from "../../plots/spatial-options.ts";
import { answerOrError, printErrorText } from "../../screening/results/answer-printer.ts";
import { type LineError, toExitCode } from "../../terminal/line-error.ts";
import { formatTableLines } from "../../terminal/table.ts";
import { type Terminal, toPrintable } from "../../terminal/terminal.ts";
import { figures } from "../../words/figures.ts";
import { formatLintFindings } from "../../words/lint-text.ts";
import { formatPlotName } from "../../words/plot-name.ts";

export const explainCommand: Command = {
  summary: "Show how a ruleset would be evaluated: its editions and its steps, in order",
  examples: ["--ruleset preset.eudr"],
  operands: "[FILE]",
  options: [
    RULESET_OPTION,
    CRS_OPTION,
    ...PLOT_READ_OPTIONS,
    POINT_AREA_OPTION,
    WITHOUT_OPTION,
    EXPECT_EDITION_OPTION,
  ],
  details: [
    'Evaluates nothing. Prints {"plan": {…}} for the ruleset alone. With FILE (- for standard input), prints one line per plot: {"id": …, "plan": {…}}, with the number of candidate areas that the index finds for the plot.',
    POINT_AREA_DETAIL,
  ],
  async run(args, terminal) {
    const ruleset = readRuleset(args.get("ruleset"));
    const { engine } = openCommandData(args, terminal).data;
    const options = readCompileOptions(args);
    const asText = terminal.human && !args.flag("json");
    let isFirst = true;
    const explain = (input: EvaluationInput): Explanation | { readonly error: LineError } =>
      answerOrError(() => explainQuestion(engine, { ask: "evaluate", ruleset, input, options }));
    const print = async (
      plot: { readonly id?: string | number },
      answer: Explanation | { readonly error: LineError },
    ): Promise<ExitCode> => {
      if ("error" in answer) {
        const name = plot.id === undefined ? "ruleset" : formatPlotName(plot.id);
        if (asText) await printErrorText(terminal, name, answer.error);
        else await terminal.printJson({ ...plot, error: answer.error });
        return toExitCode(answer.error.code);
      }
      if (!asText) await terminal.printJson({ ...plot, plan: { ...answer.plan, lint } });
      else await printPlan(plot.id, answer.plan, isFirst ? lint : [], terminal);
      isFirst = false;
      return EXIT.done;
    };
    // A ruleset that does not compile has no plan for any plot.
    const { facts = {} } = engine.compile(ruleset, undefined, options).ruleset;
    const lint = lintRuleset(engine, ruleset, options);
    if (args.operands.length === 0) return print({}, explain({}));
    let exit: ExitCode = EXIT.done;
    for await (const plot of readJudgedPlots(args, terminal, readJudgeOptions(args, facts))) {
      const answer = "error" in plot ? plot : explain(plot.input);
      exit = pickWorseExitCode(exit, await print({ id: plot.id }, answer));
    }
    return exit;
  },
};

/** @param lint the findings on the ruleset, which are the same for every plot */
async function printPlan(
  id: string | number | undefined,
  plan: Plan,
  lint: readonly LintFinding[],
  terminal: Terminal,
): Promise<void> {
  const title = (text: string): string => terminal.style("bold", text);
  const rows = plan.sources.map(
    ({ source_name, status, edition, live, feature_count, candidates, reason }) => [
      source_name,
      edition?.slice(0, 12) ??
        (live === true ? "asked live" : status === "without" ? "left out" : `failed: ${reason}`),
      live === true || status === "without" ? "" : figures.decimal(feature_count, 0),
      candidates === null ? "" : figures.decimal(candidates, 0),
    ],
  );
  const [titles, ...sources] = formatTableLines(SOURCE_COLUMNS, rows, terminal.columns);
  const lines = [
    ...(id === undefined ? [] : [title(formatPlotName(toPrintable(String(id))))]),
    title(titles!),
    ...sources,
    ...plan.steps.map((step, i) => `${String(i + 1).padStart(4)}. ${formatPlanStep(step, plan)}`),
    ...plan.refusals.map(({ message }) => `${terminal.style("red", "missing")}  ${toPrintable(message)}`),
    ...formatLintFindings(lint, terminal),
  ];
  for (const line of lines) await terminal.print(line);
}

const SOURCE_COLUMNS = [
  { title: "source" },
  { title: "edition" },
  { title: "features", align: "right" },
  { title: "candidates", align: "right" },
] as const;

function formatPlanStep(step: PlanStep, { sets, checks }: Plan): string {
  switch (step.do) {
    case "measure": {
      const reach =
        step.within_m === undefined
          ? ""
          : ` or lie within ${figures.distance(step.within_m, step.within_m)} of it`;
      return `measure the areas of ${step.source_name} that intersect the ${step.on ?? "plot"}${reach}`;
    }
    case "look_up":
      return `look up the identifiers in ${step.source_name}`;
    case "select": {
      const { operands, where } = sets.find(({ name }) => name === step.set) ?? {};
      const made = operands === undefined ? "" : `, the ${operands.op} of ${operands.sets.join(", ")}`;
      return `select set ${step.set}${made}${where === undefined ? "" : `, where ${toPrintable(where)}`}`;
    }
    case "judge": {
      const { needs = [], facts = [] } = checks.find(({ id }) => id === step.check) ?? {};
      const read = [...needs, ...facts.map((fact) => `the fact ${fact}`)];
      return `evaluate check ${step.check}, which needs ${read.join(" and ")}`;
    }
  }
}
