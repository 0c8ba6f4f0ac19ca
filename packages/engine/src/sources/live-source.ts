import { EngineError, type Fault } from "../base/errors.ts";
import { isObject } from "../base/is-object.ts";
import { readUntrusted } from "../base/read-untrusted.ts";
import type { MeterListener } from "../base/work-meter.ts";
import { type Bbox, growBbox } from "../geometry/earth/bbox.ts";
import type { CrsTable } from "../geometry/plot/crs.ts";
import type { Plot } from "../geometry/plot/plot.ts";
import { describeValue } from "../shape/describe-value.ts";
import type { StoredManifest } from "../snapshot/manifest.ts";
import type { AreaSnapshot, AttributeValue } from "../snapshot/snapshot.ts";
import { PRINTED_DISTANCE_SLACK_METERS } from "../verdict/rounding.ts";
import {
  createOpenSource,
  type EngineSource,
  type LiveEngineSource,
  type LiveTerritory,
} from "./source-table.ts";

/** An area of a live source, as passed in by the host that queried it. Plain data. */
export interface CandidateArea {
  /** Identifier in the source; no other area has it. */
  readonly id: string;
  /** Name; absent or null where there is none. */
  readonly name?: string | null | undefined;
  /** ISO 3166-1 alpha-3 country; absent or null where there is none. */
  readonly country_iso3?: string | null | undefined;
  /** A GeoJSON Polygon or MultiPolygon, in the CRS that the manifest names. */
  readonly geometry: object;
  /** Values of the columns that the manifest declares; dates are `YYYY-MM-DD`. Others are not read. */
  readonly properties?: Readonly<Record<string, AttributeValue>> | undefined;
}

/** Answer of one live source: areas, or the reason for their absence. */
export type ProvidedAreas =
  | {
      /** Every area that the question needs, in any order. */
      readonly candidates: readonly CandidateArea[];
    }
  | {
      /** Answers repeat it as the `reason`. */
      readonly failed: string;
    }
  | {
      /** The question needs more than the source returns for one: it is refused, with `GEOMETRY_TOO_COMPLEX`. */
      readonly excess: LiveExcess;
    };

/** How far a question goes beyond the most that a live source returns for one. */
export interface LiveExcess {
  /** The unit of the limit. */
  readonly unit: "areas" | "bytes" | "units of work";
  /** How many were counted when it was given up: more than `allowed`. */
  readonly found: number;
  /** The most that is returned. */
  readonly allowed: number;
}

/**
 * The refusal of a question that wants too much of a live source. It is the question's fault, so nothing is answered:
 * what the other sources decide would otherwise be had for nothing.
 */
function liveExcessError(source_name: string, { unit, found, allowed }: LiveExcess): EngineError {
  const message = `found more than ${allowed} ${unit} of the live source "${source_name}" near the plot, expected at most ${allowed}; send a smaller plot or a smaller distance`;
  return new EngineError("GEOMETRY_TOO_COMPLEX", message, { source_name, unit, found, allowed });
}

/** Answers of live sources, by source name. */
export type Provided = Readonly<Record<string, ProvidedAreas>>;

/** A query to a live source: no area outside of the boxes can change the answer. */
export interface LiveNeed {
  readonly source_name: string;
  /**
   * Every area whose own box of longitudes and latitudes, as the source writes them, meets one of these is a candidate.
   * Degrees; none crosses ±180, and those beyond are for areas that are written past ±180.
   */
  readonly boxes: readonly Bbox[];
  /**
   * Lines along meridians. An area that meets one and whose longitudes span 180° or more is a candidate too: it may
   * have an edge that is read the short way round.
   */
  readonly wide: readonly Bbox[];
}

/** Resources for reading candidates, provided by the caller that opened the engine. */
export interface CandidateHost {
  readonly crs?: CrsTable | undefined;
  readonly onMeter?: MeterListener | undefined;
}

/**
 * Makes an edition of candidates, or returns the reason why not; `candidateAreas` of `@groundrule/engine/build` is
 * one.
 */
export type CandidateReader = (
  source: {
    readonly manifest: StoredManifest;
    /** Territory of the source, known before any query. */
    readonly live: LiveTerritory;
  },
  candidates: readonly CandidateArea[],
  host: CandidateHost,
) =>
  | {
      readonly snapshot: AreaSnapshot;
      /** Candidates that could be no area. */
      readonly leftOut: number;
    }
  | {
      /** Why there is no edition, for people. */
      readonly failed: string;
    }
  | {
      /** The question wants more areas than are read for one. */
      readonly excess: LiveExcess;
    };

/** A live source as a record describes it: all that is needed, besides the candidates, to make its edition again. */
export interface LiveDescription {
  readonly manifest: StoredManifest;
  /** Digest of its edition without areas, which holds its territory; absent where its coverage has none. */
  readonly blank?: string;
}

/** A live source, as records describe it. */
export function describeLiveSource({ manifest, live }: LiveEngineSource): LiveDescription {
  return { manifest, ...(live.blank !== undefined && { blank: live.blank }) };
}

/** True if a source is queried anew for each question. */
export function isLive(source: EngineSource): source is LiveEngineSource {
  return "live" in source;
}

/**
 * Answers of live sources, with names and kinds checked; the content of candidates is checked where they are read.
 *
 * @param live the live sources that there are
 *
 * Fails: `VALIDATION_FAILED`, also for the name of a source that is not live.
 */
export function readProvidedAnswers(input: unknown, live: ReadonlySet<string>): Provided | undefined {
  if (input === undefined) return undefined;
  return readUntrusted(input, "/provided", () => {
    const faults: Fault[] = [];
    const fault = (pointer: string, message: string): void => {
      faults.push({ pointer, code: "TYPE_MISMATCH", message });
    };
    const read: Record<string, ProvidedAreas> = Object.create(null);
    if (!isObject(input)) {
      fault("/provided", `found ${describeValue(input)}, expected an object of live sources by name`);
    } else {
      for (const [name, areas] of Object.entries(input as Record<string, Partial<Record<string, unknown>>>)) {
        const pointer = `/provided/${name}`;
        const { candidates, failed, excess } = areas ?? {};
        if (!live.has(name)) fault(pointer, `found areas for "${name}", which is not a live source`);
        else if (typeof failed === "string") read[name] = { failed };
        else if (Array.isArray(candidates)) read[name] = { candidates };
        else if (isExcess(excess)) read[name] = { excess };
        else {
          const expected = "an object with candidates, failed or excess";
          fault(pointer, `found ${describeValue(areas)}, expected ${expected}`);
        }
      }
    }
    const [first] = faults;
    if (first !== undefined) throw new EngineError("VALIDATION_FAILED", first.message, { faults });
    return read;
  });
}

function isExcess(input: unknown): input is LiveExcess {
  if (typeof input !== "object" || input === null) return false;
  const { unit, found, allowed } = input as Partial<Record<string, unknown>>;
  return typeof unit === "string" && typeof found === "number" && typeof allowed === "number";
}

/**
 * A live source as it answers one question: with an edition of its candidates, or failed. An edition without a
 * collection time was collected when it was queried.
 *
 * @param now instant of the question, ISO 8601 UTC
 *
 * Fails: `GEOMETRY_TOO_COMPLEX` with `source_name`, `unit`, `found` and `allowed` where the query exceeds its limits.
 */
export function toAnsweringSource(
  source: LiveEngineSource,
  provided: ProvidedAreas | undefined,
  read: CandidateReader | undefined,
  host: CandidateHost,
  now: string | undefined,
): EngineSource {
  const { manifest } = source;
  if (provided === undefined) return { manifest, failed: NOT_QUERIED };
  if ("failed" in provided) return { manifest, failed: provided.failed };
  if ("excess" in provided) throw liveExcessError(manifest.source_name, provided.excess);
  if (read === undefined) return { manifest, failed: CANNOT_READ };
  const answered = read(source, provided.candidates, host);
  if ("excess" in answered) throw liveExcessError(manifest.source_name, answered.excess);
  if ("failed" in answered) return { manifest, failed: answered.failed };
  const { snapshot, leftOut } = answered;
  const isDated = manifest.collected_at !== undefined || now === undefined;
  return {
    ...createOpenSource(isDated ? manifest : { ...manifest, collected_at: now }, snapshot),
    leftOut,
  };
}

/** Reason of failure of a live source that was not queried. */
export const NOT_QUERIED = "the live source was not queried";
const CANNOT_READ =
  "this engine reads no live sources; pass candidateAreas of @groundrule/engine/build to openEngine as candidates";

/**
 * Distance beyond that of a question: more than rounding can move, and enough that a box at a pole goes all round it.
 */
const SLACK_METERS = 1 + PRINTED_DISTANCE_SLACK_METERS;
/** Boxes of one plot, before they are split at ±180. */
const MOST_BOXES = 16;
/** As far as longitudes are read. */
const FARTHEST_LONGITUDE = 540;
/** An interval of 180° or more holds one of these meridians. */
const WIDE_MERIDIANS = [-540, -360, -180, 0, 180, 360, 540];

/**
 * The boxes that hold every area which shares a point with a plot or lies within a distance of it.
 *
 * @param withinMeters 0 where only areas that meet the plot matter
 */
export function buildLiveNeed(source_name: string, plot: Plot, withinMeters: number): LiveNeed {
  const grown = listPlotPartBoxes(plot).map((box) => growBbox(box, withinMeters + SLACK_METERS));
  const boxes = grown.flatMap(splitBoxAtAntimeridian);
  const south = boxes.map((box) => box[1]).reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
  const north = boxes.map((box) => box[3]).reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
  const wide = WIDE_MERIDIANS.map((lon): Bbox => [lon, south, lon, north]);
  return { source_name, boxes, wide };
}

/** The boxes of a plot's parts, those with the least room between them together. */
function listPlotPartBoxes({ polygonStarts, ringStarts, xy, bbox }: Plot): Bbox[] {
  const parts: [number, number, number, number][] = [];
  for (let part = 0; part + 1 < polygonStarts.length; part++) {
    const box: [number, number, number, number] = [Infinity, Infinity, -Infinity, -Infinity];
    const [first, end] = [ringStarts[polygonStarts[part]!]!, ringStarts[polygonStarts[part + 1]!]!];
    for (let i = 2 * first; i < 2 * end; i += 2) extendBox(box, xy[i]!, xy[i + 1]!, xy[i]!, xy[i + 1]!);
    parts.push(box);
  }
  if (parts.length < 2) return [bbox];
  parts.sort((a, b) => a[0] - b[0]);
  const gaps: number[] = [];
  let east = parts[0]![2];
  for (const part of parts.slice(1)) {
    gaps.push(part[0] - east);
    east = Math.max(east, part[2]);
  }
  const least = [...gaps].sort((a, b) => b - a)[MOST_BOXES - 1] ?? 0;
  const boxes = [parts[0]!];
  for (const [i, part] of parts.slice(1).entries()) {
    if (gaps[i]! > Math.max(0, least)) boxes.push(part);
    else extendBox(boxes.at(-1)!, ...part);
  }
  return boxes;
}

function extendBox(
  box: [number, number, number, number],
  west: number,
  south: number,
  east: number,
  north: number,
): void {
  box[0] = Math.min(box[0], west);
  box[1] = Math.min(box[1], south);
  box[2] = Math.max(box[2], east);
  box[3] = Math.max(box[3], north);
}

/** A box in every turn of longitudes that areas may be written in, split at ±180. */
function splitBoxAtAntimeridian([west, s, east, n]: Bbox): Bbox[] {
  const [south, north] = [Math.max(-90, s), Math.min(90, n)];
  const [first, last] = [-FARTHEST_LONGITUDE, FARTHEST_LONGITUDE];
  const turns = east - west >= 360 ? [[first, last] as const] : [];
  if (turns.length === 0) {
    const least = Math.ceil((first - east) / 360);
    const most = Math.floor((last - west) / 360);
    for (let turn = least; turn <= most; turn++) turns.push([west + 360 * turn, east + 360 * turn]);
    turns.sort((a, b) => Math.abs(a[0] + a[1]) - Math.abs(b[0] + b[1]));
  }
  return turns.flatMap(([from, to]) =>
    BANDS.flatMap(([bandWest, bandEast]): Bbox[] => {
      const [w, e] = [Math.max(from, bandWest), Math.min(to, bandEast)];
      return w <= e ? [[w, south, e, north]] : [];
    }),
  );
}

const BANDS = [
  [-180, 180],
  [-540, -180],
  [180, 540],
] as const;
