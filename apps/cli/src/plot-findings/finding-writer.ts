import type { PlotFinding } from "@groundrule/plots";
import { csvCell } from "@groundrule/report";
import type { ResultFile } from "./result-file.ts";

/** A finding, and the geometry of the land that it is about where that is more than a position. */
export interface ToldFinding {
  readonly finding: PlotFinding;
  readonly geometry?: object | undefined;
}

/** Writes findings one after another in one of the formats. */
export interface FindingWriter {
  write(told: ToldFinding): Promise<void>;
  /** To be called once, after the last finding. */
  finish(): Promise<void>;
}

/** One JSON object a line. */
export function jsonWriter(file: ResultFile): FindingWriter {
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

/** CSV (RFC 4180) with a line of titles. */
export function csvWriter(file: ResultFile): FindingWriter {
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

/** A FeatureCollection: a Point where the fault is, or the land that two plots share. */
export function geoJsonWriter(file: ResultFile): FindingWriter {
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
