import {
  type AreaEvidence,
  type Bbox,
  type CrsTable,
  type Engine,
  EngineError,
  type GeometryInput,
} from "@groundrule/engine";
import type { MultiPolygonCoordinates } from "@groundrule/engine/build";
import { replayRecord, type VerdictRecord } from "@groundrule/engine/records";
import {
  FARTHEST_METERS,
  listAreaEvidence,
  MAP_SHAPES,
  type MapArea,
  type MapView,
  type ReportMaterial,
  toAreaKey,
} from "./material.ts";
import { plotOutline } from "./page/plot-outline.ts";

const METERS_PER_DEGREE = 111_195;
/** A frame is this much larger than what it shows, on each side. */
const MARGIN = 0.12;
/** Areas are cut this far outside the frame, so that no cut is seen as their border. */
const BLEED = 0.05;

/**
 * Gathers the content of a report from the editions that a record names: the replay, and geometries of the evidence.
 *
 * @param from.engine opened over those editions; absent, the report shows the record and the plot alone
 * @param from.lack why there is no engine
 * @param from.drawn in place of `engine`, where a service gave the answer: for each of {@link mapFrames} an engine over
 *   the areas as its map draws them, undefined where it could not be had
 * @param from.crs the CRSs a plot may be in besides longitude and latitude on WGS 84: `crsTable` of
 *   `@groundrule/crs`; a plot in any other is not shown
 *
 * Fails: `VALIDATION_FAILED` for a record that holds what JSON cannot say; `parseRecord` lets none through.
 */
export function gatherMaterial(
  record: VerdictRecord,
  from: {
    readonly engine?: Engine | undefined;
    readonly lack?: string | undefined;
    readonly drawn?: readonly (Engine | undefined)[] | undefined;
    readonly crs?: CrsTable | undefined;
  } = {},
): ReportMaterial {
  const { engine, lack, drawn } = from;
  const plot = readPlotOutline(record, from.crs);
  const property = plot === undefined ? undefined : readPropertyOutline(record, from.crs);
  const shown = {
    ...(plot !== undefined && { plot }),
    ...(property !== undefined && { property }),
    ...(lack !== undefined && { lack }),
  };
  const frames = plot === undefined ? [] : computePlotFrames(plot, property, listAreaEvidence(record));
  if (drawn !== undefined) {
    const views = frames.map((frame, i): MapView => {
      const areas = drawn[i];
      return { frame, ...(areas === undefined ? { areas: [] } : collectFrameAreas(frame, record, areas)) };
    });
    return { ...shown, sources: [], views, isUnasked: true };
  }
  if (engine === undefined) {
    return { ...shown, sources: [], views: frames.slice(0, 1).map((frame) => ({ frame, areas: [] })) };
  }
  return {
    ...shown,
    sources: engine.sources().filter(({ kind }) => kind !== "group"),
    replay: replayRecord(engine, record),
    views: frames.map((frame) => ({ frame, ...collectFrameAreas(frame, record, engine) })),
  };
}

/**
 * Frames of the maps in a record's report: the plot itself; then, if evidence lies farther off, its surroundings.
 *
 * @param crs as of {@link gatherMaterial}
 */
export function mapFrames(record: VerdictRecord, crs?: CrsTable): readonly Bbox[] {
  const plot = readPlotOutline(record, crs);
  return plot === undefined
    ? []
    : computePlotFrames(plot, readPropertyOutline(record, crs), listAreaEvidence(record));
}

function readPropertyOutline(
  { request: { input } }: VerdictRecord,
  crsTable: CrsTable | undefined,
): MultiPolygonCoordinates | undefined {
  const { property, crs } = input;
  return property === undefined || property === null ? undefined : plotOutline(property, { crs, crsTable });
}

function readPlotOutline(
  { request: { input }, response }: VerdictRecord,
  crsTable: CrsTable | undefined,
): MultiPolygonCoordinates | undefined {
  const { disc } = response.data.input;
  if (disc !== undefined) return disc.type === "Polygon" ? [disc.coordinates] : disc.coordinates;
  if (input.geometry === undefined || input.geometry === null) return undefined;
  return plotOutline(input.geometry, { crs: input.crs, crsTable });
}

/** A property no wider than so many plots is on the plot's own map; one that is wider, on the map around it. */
const PLOTS_WIDE = 6;

/** The plot with a margin; and a second frame wide enough for evidence off the plot, or for a large property. */
function computePlotFrames(
  plot: MultiPolygonCoordinates,
  property: MultiPolygonCoordinates | undefined,
  evidence: readonly AreaEvidence[],
): Bbox[] {
  const stretch = computeLongitudeStretch(computePlotExtent(plot));
  const around = computePlotExtent([...plot, ...(property ?? [])]);
  const isNear =
    computeLongerSide(around, stretch) <= PLOTS_WIDE * computeLongerSide(computePlotExtent(plot), stretch);
  const extent = isNear ? around : computePlotExtent(plot);
  const side = computeLongerSide(extent, stretch);
  const farthest = evidence.map(({ distance_m }) => distance_m ?? 0).reduce((a, b) => Math.max(a, b), 0);
  const near = fitBoxToMap(growBox(extent, Math.max(side * MARGIN, 1e-5), stretch), 0, stretch);
  if (farthest === 0 && isNear) return [near];
  const reach = Math.min(farthest * 1.6, FARTHEST_METERS) / METERS_PER_DEGREE;
  return [near, fitBoxToMap(growBox(around, reach + side * MARGIN, stretch), 1, stretch)];
}

/** How much shorter a degree of longitude is than one of latitude, in the middle of an extent. */
function computeLongitudeStretch([, south, , north]: Bbox): number {
  return Math.max(0.02, Math.cos((((south + north) / 2) * Math.PI) / 180));
}

/** The longer side, degrees of latitude. */
function computeLongerSide([west, south, east, north]: Bbox, stretch: number): number {
  return Math.max((east - west) * stretch, north - south);
}

/** Grown by so many degrees of latitude on each side. */
function growBox([west, south, east, north]: Bbox, degrees: number, stretch: number): Bbox {
  const wide = degrees / stretch;
  return [west - wide, south - degrees, east + wide, north + degrees];
}

/** Widened, or heightened, to a map's shape. */
function fitBoxToMap([west, south, east, north]: Bbox, map: 0 | 1, stretch: number): Bbox {
  const { width, height } = MAP_SHAPES[map];
  const wide = Math.max((east - west) * stretch, ((north - south) * width) / height) / stretch;
  const high = (wide * stretch * height) / width;
  const [lon, lat] = [(west + east) / 2, (south + north) / 2];
  return [lon - wide / 2, lat - high / 2, lon + wide / 2, lat + high / 2];
}

/** Parts that were split at the antimeridian are taken together: east may lie past 180. */
export function computePlotExtent(plot: MultiPolygonCoordinates): Bbox {
  const positions = plot.flatMap(([outer]) => outer ?? []);
  const longitudes = positions.map(([lon]) => lon!);
  const latitudes = positions.map(([, lat]) => lat!);
  const least = (values: readonly number[]) => values.reduce((a, b) => (b < a ? b : a), Infinity);
  const greatest = (values: readonly number[]) => values.reduce((a, b) => (b > a ? b : a), -Infinity);
  const isSplit = greatest(longitudes) - least(longitudes) > 180;
  const joined = isSplit ? longitudes.map((lon) => (lon < 0 ? lon + 360 : lon)) : longitudes;
  return [least(joined), least(latitudes), greatest(joined), greatest(latitudes)];
}

/** More areas than these around a plot add no information. */
const MOST_OTHERS = 150;

/** The areas that a frame shows: the evidence's, and others of the same sources. Where there are too many, none. */
function collectFrameAreas(frame: Bbox, record: VerdictRecord, engine: Engine): Omit<MapView, "frame"> {
  const evidence = listAreaEvidence(record);
  const queried = listAreaSources(record, engine);
  const found = [...new Set(evidence.map(({ source_name }) => source_name))].filter((name) =>
    queried.includes(name),
  );
  if (queried.length === 0) return { areas: [] };
  const box = toBoxGeometry(frame);
  const { geometry, crs } = record.request.input;
  const { disc } = record.response.data.input;
  const all = clipSourceAreas(engine, box, { sources: queried });
  const outlines =
    all ?? (found.length === 0 ? undefined : clipSourceAreas(engine, box, { sources: found })) ?? NOTHING;
  const overlaps =
    found.length === 0
      ? NOTHING
      : ((disc === undefined
          ? clipSourceAreas(engine, geometry ?? {}, { sources: found, ...(crs !== undefined && { crs }) })
          : clipSourceAreas(engine, disc, { sources: found })) ?? NOTHING);
  const keys = new Map(evidence.map((item) => [toAreaKey(item), item]));
  const areas = [...keys].flatMap(([key, { source_name, source_id }]): MapArea[] => {
    const [outline = null, overlap = null] = [outlines.get(key), overlaps.get(key)];
    return outline === null && overlap === null ? [] : [{ source_name, source_id, outline, overlap }];
  });
  const others = [...(all ?? NOTHING)].flatMap(([key, outline]) =>
    keys.has(key) || outline === null ? [] : [outline],
  );
  return { areas, others: others.length > MOST_OTHERS ? [] : others };
}

const NOTHING: ReadonlyMap<string, MultiPolygonCoordinates | null> = new Map();

/** Sources of areas that answered, and are open here. */
function listAreaSources({ response }: VerdictRecord, engine: Engine): string[] {
  const open = new Set(
    engine.sources().flatMap(({ source_name, kind }) => (kind === "leaf" ? source_name : [])),
  );
  return response.data.sources.flatMap(({ source_name, status }) =>
    status === "ok" && open.has(source_name) ? source_name : [],
  );
}

function toBoxGeometry(frame: Bbox): GeometryInput {
  const bleed = BLEED * (frame[3] - frame[1]);
  const [west, south, east, north] = clampBoxToEarth(growBox(frame, bleed, 1));
  return {
    type: "Polygon",
    coordinates: [
      [
        [west, south],
        [east, south],
        [east, north],
        [west, north],
        [west, south],
      ],
    ],
  };
}

/** A frame may reach past the poles and more than round the earth; a query may not. */
function clampBoxToEarth([west, south, east, north]: Bbox): Bbox {
  const middle = (west + east) / 2;
  const half = Math.min((east - west) / 2, 179);
  return [middle - half, Math.max(-90, south), middle + half, Math.min(90, north)];
}

function clipSourceAreas(
  engine: Engine,
  geometry: GeometryInput,
  options: { readonly sources: readonly string[]; readonly crs?: string },
): ReadonlyMap<string, MultiPolygonCoordinates | null> | undefined {
  try {
    const { matches } = engine.intersections(geometry, { ...options, geometry: "overlap" });
    return new Map(
      matches.map((match) => [
        toAreaKey(match),
        match.geometry?.type === "MultiPolygon" ? match.geometry.coordinates : null,
      ]),
    );
  } catch (error) {
    if (error instanceof EngineError) return undefined; // too many areas, or no geometry to query
    throw error;
  }
}
