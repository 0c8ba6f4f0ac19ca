import { createWriteStream, type WriteStream } from "node:fs";
import { finished } from "node:stream/promises";
import { FINDING_CODES, type FindingCode, type PlotFinding } from "@groundrule/plots";
import { csvCell } from "@groundrule/report";
import { InputFileError } from "../../files/input-file.ts";
import { indentAndWrapText } from "../../terminal/indented.ts";
import { formatTableLines } from "../../terminal/table.ts";
import { type Terminal, toPrintable } from "../../terminal/terminal.ts";

/** A finding, and the geometry of its land if that is more than a position. */
export interface LocatedFinding {
  readonly finding: PlotFinding;
  readonly geometry?: object | undefined;
}

/** Writes findings one after another in one of the formats. */
export interface FindingWriter {
  write(located: LocatedFinding): Promise<void>;
  /** Call once, after the last finding. */
  finish(): Promise<void>;
}

/** Writes one JSON object per line. */
export function createJsonWriter(file: ResultFile): FindingWriter {
  return {
    write: ({ finding }) => file.print(JSON.stringify(finding)),
    finish: async () => {},
  };
}

const COLUMNS = [
  "plot",
  "id",
  "line",
  "code",
  "severity",
  "pointer",
  "longitude",
  "latitude",
  "found",
  "expected",
  "mend",
  "square_meters",
  "other_plot",
  "other_id",
] as const;

/** Writes CSV (RFC 4180) with a line of titles. */
export function createCsvWriter(file: ResultFile): FindingWriter {
  let isBegun = false;
  const begin = async (): Promise<void> => {
    if (isBegun) return;
    isBegun = true;
    await file.print(COLUMNS.join(","));
  };
  return {
    write: async ({ finding }) => {
      await begin();
      const { position, other, ...rest } = finding;
      const cells: Readonly<Record<(typeof COLUMNS)[number], unknown>> = {
        ...rest,
        line: finding.line,
        square_meters: finding.square_meters,
        longitude: position?.[0],
        latitude: position?.[1],
        other_plot: other?.plot,
        other_id: other?.id,
      };
      await file.print(COLUMNS.map((name) => csvCell(cells[name])).join(","));
    },
    finish: begin,
  };
}

/** Writes a FeatureCollection: a Point at the fault, or the land that two plots share. */
export function createGeoJsonWriter(file: ResultFile): FindingWriter {
  let count = 0;
  const begin = async (): Promise<void> => {
    if (count === 0) await file.print('{"type":"FeatureCollection","features":[');
  };
  return {
    write: async ({ finding, geometry }) => {
      await begin();
      const { position, ...properties } = finding;
      const place = position === undefined ? null : { type: "Point", coordinates: position };
      const feature = { type: "Feature", geometry: geometry ?? place, properties };
      await file.print(`${count++ === 0 ? "" : ","}${JSON.stringify(feature)}`);
    },
    finish: async () => {
      await begin();
      await file.print("]}");
    },
  };
}

/** Destination of results: standard output, or a named file. */
export interface ResultFile {
  /** Writes a line; waits while the reader lags behind. */
  print(line: string): Promise<void>;
  /** Call once, after the last line. */
  close(): Promise<void>;
}

/** Fails: {@link InputFileError} while writing. */
export function openResultFile(path: string | undefined, terminal: Terminal): ResultFile {
  if (path === undefined) return { print: (line) => terminal.print(line), close: async () => {} };
  const stream = createWriteStream(path);
  // The first failure is thrown by the next awaited call.
  let failure: Error | undefined;
  stream.on("error", (error) => {
    failure = error;
  });
  const writeError = (): InputFileError => new InputFileError(`cannot write ${path}: ${failure?.message}`);
  return {
    async print(line) {
      if (failure !== undefined) throw writeError();
      if (!stream.write(`${line}\n`)) await waitForDrain(stream);
    },
    async close() {
      stream.end();
      await finished(stream).catch((error: Error) => {
        failure ??= error;
      });
      if (failure !== undefined) throw writeError();
    },
  };
}

function waitForDrain(stream: WriteStream): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      stream.off("drain", done).off("error", done).off("close", done);
      resolve();
    };
    stream.on("drain", done).on("error", done).on("close", done);
  });
}

/** Maximum findings shown in a table; other formats have them all. */
const SHOWN = 500;

interface Tally {
  findings: number;
  errors: number;
  /** Number of plots that have it: findings of one plot are consecutive. */
  plots: number;
  last: number;
}

/** Writes for people: the number of findings of each code, then the errors of each plot, then its warnings. */
export function createTableWriter(file: ResultFile, terminal: Terminal): FindingWriter {
  const tallies = new Map<FindingCode, Tally>();
  const found: Record<PlotFinding["severity"], PlotFinding[]> = { error: [], warning: [] };
  let count = 0;
  return {
    async write({ finding }: LocatedFinding) {
      count++;
      tallyFinding(tallies, finding);
      const alike = found[finding.severity];
      if (alike.length < SHOWN) alike.push(finding);
    },
    async finish() {
      if (count === 0) return file.print("no findings");
      const shown = [...found.error, ...found.warning].slice(0, SHOWN);
      for (const line of formatFindingSummary(tallies, terminal.columns)) await file.print(line);
      for (const line of formatPlotFindings(shown, terminal)) await file.print(line);
      const rest = count - shown.length;
      if (rest > 0) {
        await file.print("");
        await file.print(`… and ${rest} more findings, which --format csv, json or geojson list`);
      }
    },
  };
}

function tallyFinding(tallies: Map<FindingCode, Tally>, { code, severity, plot }: PlotFinding): void {
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

function formatFindingSummary(tallies: ReadonlyMap<FindingCode, Tally>, width: number): string[] {
  const rows = FINDING_CODES.flatMap((code) => {
    const known = tallies.get(code);
    if (known === undefined) return [];
    const { findings, errors, plots } = known;
    return [[code, `${plots}`, `${errors}`, `${findings - errors}`]];
  });
  return formatTableLines(
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

function* formatPlotFindings(findings: readonly PlotFinding[], terminal: Terminal): Generator<string> {
  let plot: number | undefined;
  for (const finding of findings) {
    if (finding.plot !== plot) {
      plot = finding.plot;
      yield "";
      yield terminal.style("bold", formatPlotName(finding));
    }
    const { code, severity, pointer, position, found, expected, mend } = finding;
    const at = position === undefined ? "" : ` [${position[0]}, ${position[1]}]`;
    const style = severity === "error" ? "red" : "yellow";
    yield `  ${terminal.style(style, severity)} ${code}${pointer === "" ? "" : ` at ${toPrintable(pointer)}`}`;
    yield* indentAndWrapText(`found ${found}${at}; expected ${expected}`, terminal.columns);
    yield* indentAndWrapText(mend, terminal.columns);
  }
}

function formatPlotName({ plot, id, line }: PlotFinding): string {
  if (plot === 0) return "the file";
  const name = id === plot ? `plot ${plot}` : `plot ${plot}, ${toPrintable(String(id))}`;
  return line === undefined || line === plot ? name : `${name}, line ${line}`;
}
