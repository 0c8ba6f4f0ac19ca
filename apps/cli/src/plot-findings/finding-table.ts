import { FINDING_CODES, type FindingCode, type PlotFinding } from "@groundrule/plots";
import { renderTable } from "../terminal/table.ts";
import { printable, type Terminal } from "../terminal/terminal.ts";
import type { FindingWriter, ToldFinding } from "./finding-writer.ts";
import type { ResultFile } from "./result-file.ts";

/** Findings that a table shows in full; people read no more, and other formats have them all. */
const SHOWN = 500;

interface Tally {
  findings: number;
  errors: number;
  /** How many plots have it: findings of one plot come together. */
  plots: number;
  last: number;
}

/** For people: how many findings of each code, then what each plot has. */
export function tableWriter(file: ResultFile, terminal: Terminal): FindingWriter {
  const tallies = new Map<FindingCode, Tally>();
  const shown: PlotFinding[] = [];
  let count = 0;
  return {
    async write({ finding }: ToldFinding) {
      count++;
      tally(tallies, finding);
      if (shown.length < SHOWN) shown.push(finding);
    },
    async finish() {
      if (count === 0) return file.print("no findings");
      for (const line of summary(tallies, terminal.columns)) await file.print(line);
      for (const line of plots(shown, terminal)) await file.print(line);
      const rest = count - shown.length;
      if (rest > 0) {
        await file.print("");
        await file.print(`… and ${rest} more findings, which --format csv, json or geojson list`);
      }
    },
  };
}

function tally(tallies: Map<FindingCode, Tally>, { code, severity, plot }: PlotFinding): void {
  let known = tallies.get(code);
  if (known === undefined) {
    known = { findings: 0, errors: 0, plots: 0, last: -1 };
    tallies.set(code, known);
  }
  known.findings++;
  if (severity === "error") known.errors++;
  if (known.last !== plot) known.plots++;
  known.last = plot;
}

function summary(tallies: ReadonlyMap<FindingCode, Tally>, width: number): string[] {
  const rows = FINDING_CODES.flatMap((code) => {
    const known = tallies.get(code);
    if (known === undefined) return [];
    const { findings, errors, plots } = known;
    return [[code, `${plots}`, `${errors}`, `${findings - errors}`]];
  });
  return renderTable(
    [
      { title: "FINDING", cutLast: true },
      { title: "PLOTS", align: "right" },
      { title: "ERRORS", align: "right" },
      { title: "WARNINGS", align: "right" },
    ],
    rows,
    width,
  );
}

function* plots(findings: readonly PlotFinding[], terminal: Terminal): Generator<string> {
  let plot: number | undefined;
  for (const finding of findings) {
    if (finding.plot !== plot) {
      plot = finding.plot;
      yield "";
      yield terminal.style("bold", nameOf(finding));
    }
    const { code, severity, pointer, position, found, expected, mend } = finding;
    const at = position === undefined ? "" : ` [${position[0]}, ${position[1]}]`;
    const style = severity === "error" ? "red" : "yellow";
    yield `  ${terminal.style(style, severity)} ${code}${pointer === "" ? "" : ` at ${printable(pointer)}`}`;
    yield* wrapped(`found ${found}${at}; expected ${expected}`, terminal.columns);
    yield* wrapped(mend, terminal.columns);
  }
}

function nameOf({ plot, id, line }: PlotFinding): string {
  if (plot === 0) return "the file";
  const name = id === plot ? `plot ${plot}` : `plot ${plot}, ${printable(String(id))}`;
  return line === undefined || line === plot ? name : `${name}, line ${line}`;
}

const INDENT = "    ";

function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of printable(text).split(" ")) {
    if (line !== "" && INDENT.length + line.length + 1 + word.length > width) {
      lines.push(INDENT + line);
      line = word;
    } else {
      line = line === "" ? word : `${line} ${word}`;
    }
  }
  return [...lines, INDENT + line];
}
