import { sumPolygonAreas, toPositions } from "@groundrule/engine/internal";
import { hasSwappedAxes } from "../check/check-country.ts";
import { cutDecimals } from "../cut/cut-decimals.ts";
import { FINDINGS } from "../finding-codes.ts";
import type { PlotFeature } from "../plot-feature.ts";
import type { PlotFinding } from "../plot-finding.ts";
import type { Polygons } from "../rings/grid.ts";
import { readGeometryShapes, ShapeFault, type Shapes } from "../rings/read-shapes.ts";
import { isForeign, toLongitudeLatitude } from "../rings/to-longitude-latitude.ts";
import type { ChangeCode } from "./change-codes.ts";
import { fillMissingMembers } from "./fill-members.ts";
import { fixIdentifiers } from "./fix-identifiers.ts";
import { fixProfileMembers, type Properties } from "./fix-members.ts";
import type { FixOptions } from "./fix-options.ts";
import { fixPolygons, type Place, type Unfixed } from "./fix-polygons.ts";
import type { PlotChange } from "./plot-change.ts";

/** Outcome of fixing one plot. */
export interface FixedPlot {
  /**
   * The plot as it can be sent; several where parts share edges, or points and polygons came together: their ids are
   * the plot's with `#1`, `#2` and so on. The very same object where nothing had to change.
   */
  readonly plots: readonly PlotFeature[];
  /** Everything that was changed, in order. */
  readonly changes: readonly PlotChange[];
  /** Why the geometry stays as it is, where it does: nothing is left out. */
  readonly findings: readonly PlotFinding[];
  /**
   * Square metres that were the plot's and are not, and that are and were not; of rings that were no region as they
   * came, or were split at the antimeridian, the difference of areas; 0 for points.
   */
  readonly square_meters_moved: number;
}

/**
 * One plot as the system of a profile will hold it: cut to its decimals, valid, without holes, in longitude and
 * latitude, its properties named and typed as they are read. Fixing it again changes nothing.
 *
 * Fails: never; what cannot be mended stays as it is, with a finding.
 */
export function fixPlot(plot: PlotFeature, options: FixOptions): FixedPlot {
  return new PlotFix(plot, options).run();
}

/** {@link fixPlot} of one plot after another. Fails: never. */
export function* fixPlots(
  plots: Iterable<PlotFeature>,
  options: FixOptions,
): Generator<FixedPlot, void, undefined> {
  for (const plot of plots) yield fixPlot(plot, options);
}

/** Geometries of the plots that one becomes, with the land of each. */
interface Fixed {
  readonly geometries: readonly { readonly geometry: object; readonly squareMeters: number | undefined }[];
  readonly moved: number;
}

class PlotFix {
  readonly #plot: PlotFeature;
  readonly #options: FixOptions;
  readonly #changes: PlotChange[] = [];

  constructor(plot: PlotFeature, options: FixOptions) {
    this.#plot = plot;
    this.#options = options;
  }

  run(): FixedPlot {
    const fixed = this.#fixGeometry();
    if (fixed instanceof ShapeFault) {
      this.#changes.length = 0;
      const properties = this.#fixProperties(undefined, []);
      const plots = [properties === this.#plot.properties ? this.#plot : { ...this.#plot, properties }];
      return { plots, changes: this.#changes, findings: [this.#finding(fixed)], square_meters_moved: 0 };
    }
    const areas = fixed.geometries.map(({ squareMeters }) => squareMeters);
    const known = areas.every((area) => area !== undefined);
    const hectares = known ? areas.reduce((sum, area) => sum + area, 0) / 10_000 : undefined;
    const isMoved = this.#changes.length > 0;
    const properties = this.#fixProperties(
      hectares,
      fixed.geometries.map(({ geometry }) => geometry),
    );
    const result = { changes: this.#changes, findings: [], square_meters_moved: fixed.moved };
    if (this.#changes.length === 0) return { ...result, plots: [this.#plot] };
    if (!isMoved) return { ...result, plots: [{ ...this.#plot, properties }] };
    return { ...result, plots: this.#toPlots(fixed, properties, hectares) };
  }

  #fixGeometry(): Fixed | ShapeFault {
    try {
      const { closeGapMeters: mostMeters, crsTable: table } = this.#options;
      const { crs } = this.#plot;
      const of = isForeign(crs) ? { crs, crsTable: table } : {};
      const shapes = readGeometryShapes(this.#plot.geometry, { mostMeters, ...of });
      const swapAxes = this.#options.swapAxes ?? this.#hasSwappedAxes();
      this.#noteReading(shapes, swapAxes);
      const { crsTable } = this.#options;
      const { polygons, points } = toLongitudeLatitude(shapes, this.#plot.crs, { swapAxes, crsTable });
      const pointGeometry = points.length === 0 ? [] : [this.#fixPoints(points, shapes)];
      if (polygons.length === 0) return { geometries: pointGeometry, moved: 0 };
      const fixed = fixPolygons(polygons, this.#options.profile.takesHoles);
      if ("code" in fixed) return toShapeFault(fixed, shapes);
      for (const { code, count, first, before, after } of fixed.steps) {
        const areas = { square_meters_before: before, square_meters_after: after };
        this.#note(code, formatPositionPointer(shapes, first), count, findPositionAt(polygons, first), areas);
      }
      const geometries = fixed.groups.map((group) => ({
        geometry: toGeometry(group, isMulti(this.#plot.geometry)),
        squareMeters: sumPolygonAreas(group),
      }));
      return { geometries: [...geometries, ...pointGeometry], moved: fixed.moved };
    } catch (error) {
      if (error instanceof ShapeFault) return error;
      throw error;
    }
  }

  /** By the country that the plot declares once its properties are mended. */
  #hasSwappedAxes(): boolean {
    if (this.#options.countries === undefined) return false;
    const properties = this.#fixedProperties(undefined).properties;
    return hasSwappedAxes({ ...this.#plot, properties }, this.#options);
  }

  #noteReading(shapes: Shapes, swapAxes: boolean): void {
    const { polygons, points, heights, firstHeight, isCollection, closedLines, firstLine } = shapes;
    const { crs } = this.#plot;
    const first = shapes.polygonPointers[0] ?? shapes.pointPointers[0]!;
    if (swapAxes) this.#note("AXES_SWAPPED", first, countShapePositions(shapes));
    if (isForeign(crs)) this.#note("CRS_CHANGED", first, countShapePositions(shapes));
    if (closedLines > 0) this.#note("LINE_CLOSED", firstLine, closedLines);
    for (const { code, message } of this.#plot.notes ?? []) this.#add(code, "/geometry", 1, message);
    if (heights > 0) this.#note("HEIGHT_DROPPED", firstHeight, heights);
    if (isCollection) this.#note("COLLECTION_UNFOLDED", "/geometry", polygons.length + points.length / 2);
  }

  #fixPoints(points: readonly number[], shapes: Shapes): Fixed["geometries"][number] {
    const { decimals } = this.#options.profile;
    const kept = new Map<string, [number, number]>();
    let [cut, repeated] = [0, 0];
    let [firstCut, firstRepeated] = ["", ""];
    for (const [i, pointer] of shapes.pointPointers.entries()) {
      const [x, y] = [points[2 * i]!, points[2 * i + 1]!];
      const position: [number, number] = [cutDecimals(x, decimals), cutDecimals(y, decimals)];
      if ((position[0] !== x || position[1] !== y) && cut++ === 0) firstCut = pointer;
      const key = position.join(" ");
      if (kept.has(key) && repeated++ === 0) firstRepeated = pointer;
      kept.set(key, position);
    }
    const positions = [...kept.values()];
    if (cut > 0) this.#note("COORDINATES_CUT", firstCut, cut, positions[0]);
    if (repeated > 0) this.#note("POSITION_DROPPED", firstRepeated, repeated, kept.values().next().value);
    const isPoint = positions.length === 1 && !isMulti(this.#plot.geometry);
    const geometry = isPoint
      ? { type: "Point", coordinates: positions[0]! }
      : { type: "MultiPoint", coordinates: positions };
    return { geometry, squareMeters: undefined };
  }

  #fixedProperties(hectares: number | undefined): ReturnType<typeof fixProfileMembers> {
    const { profile, countries } = this.#options;
    const toIso2 = countries === undefined ? undefined : (code: string) => countries.iso2Of(code);
    return fixProfileMembers(this.#plot.properties, profile, { hectares, iso2Of: toIso2 });
  }

  #fixProperties(hectares: number | undefined, geometries: readonly object[]): Properties {
    const members = this.#fixedProperties(hectares);
    const filled = fillMissingMembers(members.properties, geometries, hectares, this.#options);
    const { properties, changes } = fixIdentifiers(filled.properties);
    for (const { code, pointer, message } of [...members.changes, ...filled.changes, ...changes]) {
      this.#add(code, pointer, 1, message);
    }
    return properties;
  }

  #toPlots(fixed: Fixed, properties: Properties, hectares: number | undefined): PlotFeature[] {
    const { crs: _, ...plot } = this.#plot;
    const { geometries } = fixed;
    if (geometries.length === 1) return [{ ...plot, properties, geometry: geometries[0]!.geometry }];
    const area = properties.Area;
    const isShared = typeof area === "number" && hectares !== undefined && hectares > 0;
    if (isShared) {
      const message = `Area, ${area} ha, was divided among ${geometries.length} plots by their measured areas`;
      this.#add("AREA_SHARED", "/properties/Area", geometries.length, message);
    }
    return geometries.map(({ geometry, squareMeters }, k) => ({
      ...plot,
      id: `${plot.id}#${k + 1}`,
      geometry,
      properties: isShared
        ? { ...properties, Area: this.#shareOf(area, squareMeters! / 10_000 / hectares) }
        : properties,
    }));
  }

  /** Hectares to the square metre, which is the least that is taken. */
  #shareOf(area: number, share: number): number {
    return Math.max(this.#options.profile.leastHectares, Math.round(area * share * 10_000) / 10_000);
  }

  #note(
    code: ChangeCode,
    pointer: string,
    count: number,
    position?: readonly [number, number] | undefined,
    areas: Pick<PlotChange, "square_meters_before" | "square_meters_after"> = {},
  ): void {
    this.#add(code, pointer, count, describeChange(code, count), position, areas);
  }

  #add(
    code: ChangeCode,
    pointer: string,
    count: number,
    message: string,
    position?: readonly [number, number] | undefined,
    areas: Pick<PlotChange, "square_meters_before" | "square_meters_after"> = {},
  ): void {
    const { number, id, line } = this.#plot;
    this.#changes.push({
      plot: number,
      id,
      ...(line !== undefined && { line }),
      code,
      pointer,
      ...(position !== undefined && { position }),
      count,
      message,
      ...areas,
    });
  }

  #finding({ code, pointer, found, expected }: ShapeFault): PlotFinding {
    const { number, id, line } = this.#plot;
    const { mend } = FINDINGS[code];
    const at = line === undefined ? {} : { line };
    return { plot: number, id, ...at, code, severity: "error", pointer, found, expected, mend };
  }
}

/** Phrases for changes of a geometry, one and many. */
const WORDS: Readonly<Partial<Record<ChangeCode, readonly [one: string, many: string]>>> = {
  AXES_SWAPPED: [
    "longitude and latitude of # position were swapped",
    "longitude and latitude of # positions were swapped",
  ],
  CRS_CHANGED: [
    "# position became longitude and latitude on WGS 84",
    "# positions became longitude and latitude on WGS 84",
  ],
  HEIGHT_DROPPED: ["the height of # position was left out", "the heights of # positions were left out"],
  COLLECTION_UNFOLDED: ["a collection of # geometry was split", "a collection of # geometries was split"],
  LINE_CLOSED: [
    "# line that ends where it starts became the border of the plot",
    "# lines that end where they start became borders of the plot",
  ],
  RING_CLOSED: ["# ring was closed", "# rings were closed"],
  POSITION_DROPPED: ["# repeated position was left out", "# repeated positions were left out"],
  COORDINATES_CUT: ["# position was cut", "# positions were cut"],
  RING_DROPPED: ["# ring that encloses nothing was left out", "# rings that enclose nothing were left out"],
  REGION_REPAIRED: [
    "rings that crossed, touched or folded were rebuilt",
    "rings that crossed, touched or folded were rebuilt",
  ],
  CUT_REPAIRED: [
    "rings that crossed, touched or folded after the cut were rebuilt",
    "rings that crossed, touched or folded after the cut were rebuilt",
  ],
  EDGE_DISSOLVED: ["edges that rings share were removed", "edges that rings share were removed"],
  WINDING_TURNED: ["# ring was turned round", "# rings were turned round"],
  ANTIMERIDIAN_SPLIT: ["# ring was split at the antimeridian", "# rings were split at the antimeridian"],
  HOLES_SPLIT: ["# hole was split away", "# holes were split away"],
};

function describeChange(code: ChangeCode, count: number): string {
  const [one, many] = WORDS[code]!;
  return (count === 1 ? one : many).replace("#", String(count));
}

function toShapeFault({ code, first, found }: Unfixed, shapes: Shapes): ShapeFault {
  return new ShapeFault(
    code,
    formatPositionPointer(shapes, first),
    found,
    EXPECTED[code] ?? "rings that can be repaired",
  );
}

const EXPECTED: Readonly<Record<string, string>> = {
  CUT_COLLAPSES_RING: "land that is left once coordinates are cut to six decimals",
  RING_STRAIGHT: "a border that encloses land",
  GEOMETRY_TOO_COMPLEX: "edges that meet less often, or fewer positions",
  LONGITUDE_JUMP: "a plot around a pole as parts within ±180",
};

function formatPositionPointer({ polygonPointers }: Shapes, { polygon, ring, position }: Place): string {
  return `${polygonPointers[polygon]}/${ring}/${position}`;
}

function findPositionAt(
  polygons: Polygons,
  { polygon, ring, position }: Place,
): readonly [number, number] | undefined {
  const xy = polygons[polygon]?.[ring];
  const [longitude, latitude] = [xy?.[2 * position], xy?.[2 * position + 1]];
  return longitude === undefined || latitude === undefined ? undefined : [longitude, latitude];
}

function countShapePositions({ polygons, points }: Shapes): number {
  return polygons.flat().reduce((sum, ring) => sum + ring.length / 2, points.length / 2);
}

function isMulti(geometry: unknown): boolean {
  const { type } = geometry as { type?: unknown };
  return type === "MultiPolygon" || type === "MultiPoint";
}

function toGeometry(polygons: Polygons, isMultiPolygon: boolean): object {
  const coordinates = polygons.map((rings) => rings.map(toPositions));
  return coordinates.length === 1 && !isMultiPolygon
    ? { type: "Polygon", coordinates: coordinates[0]! }
    : { type: "MultiPolygon", coordinates };
}
