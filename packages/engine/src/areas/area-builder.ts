import { parseCalendarDay } from "../base/calendar-day.ts";
import { isCountryIso3 } from "../base/country-codes.ts";
import { EngineError } from "../base/errors.ts";
import type { WorkMeter } from "../base/work-meter.ts";
import type { Bbox } from "../geometry/earth/bbox.ts";
import type { CrsTable } from "../geometry/plot/crs.ts";
import { type PreparedArea, prepareArea, prepareRings } from "../geometry/plot/mend/prepare-area.ts";
import { findGeometryBox } from "../geometry/plot/placed-box.ts";
import type { CoverageInput } from "../snapshot/coverage.ts";
import type { LeftOutBox } from "../snapshot/left-out.ts";
import type { ColumnType } from "../snapshot/manifest.ts";
import type {
  AreaInput,
  AreaSnapshotWriter,
  AttributeValue,
  FoundOfAreas,
  SnapshotFile,
} from "../snapshot/snapshot.ts";
import { ANYWHERE, createLeftOutBox } from "../snapshot/write/left-out-boxes.ts";

/** Options for reading the geometries of areas. */
export interface AreaBuilderOptions {
  /** The CRSs that are known besides longitude and latitude: `crsTable` of `@groundrule/crs`. */
  readonly crsTable?: CrsTable | undefined;
  /** Counts the work on all geometries, within its limit; absent: there is none. */
  readonly meter?: WorkMeter | undefined;
  /** True if an error concerns one geometry and not the whole source. Absent: true for `GEOMETRY_INVALID`. */
  readonly isOfGeometry?: ((error: EngineError) => boolean) | undefined;
}

/**
 * Makes a snapshot of features, one after another, whatever gave them: a GeoJSON collection, a file, a live source. It
 * says what a feature's values mean (`toLabel`, `parseCountryCode`, `toAttribute`), which geometries are repaired and which
 * features are left out for theirs. How ids are made unique and how faults are told is up to who reads the features.
 */
export class AreaBuilder {
  readonly #writer: AreaSnapshotWriter;
  readonly #options: AreaBuilderOptions;
  readonly #countries = new Map<string, number>();
  readonly #leftOut: LeftOutBox[] = [];
  #withoutCountry = 0;

  constructor(writer: AreaSnapshotWriter, options: AreaBuilderOptions = {}) {
    this.#writer = writer;
    this.#options = options;
  }

  /** Areas stored. */
  get count(): number {
    return this.#writer.count;
  }

  /** Numbers of areas in each country, ISO 3166-1 alpha-3, in the order in which the countries first occur. */
  get countries(): ReadonlyMap<string, number> {
    return this.#countries;
  }

  /** Areas stored without a country. */
  get withoutCountry(): number {
    return this.#withoutCountry;
  }

  /**
   * The area that a geometry is, repaired where it has faults, or why it can be none.
   *
   * @param geometry GeoJSON of a polygon or multipolygon, or a Feature with it
   * @param crs of its positions; absent: longitude and latitude on WGS 84
   *
   * Fails: as `prepareArea` where not the geometry is at fault: `CRS_UNKNOWN`, `CRS_MISMATCH`; `GEOMETRY_TOO_COMPLEX`
   * beyond the limit of the meter.
   */
  prepare(geometry: unknown, crs?: string | undefined): PreparedArea | EngineError {
    const { crsTable, meter } = this.#options;
    return this.#areaOrRefusal(() => prepareArea(geometry, { crs, crsTable, meter }));
  }

  /**
   * As {@link AreaBuilder.prepare}, of rings in longitude and latitude that were read already.
   *
   * @param polygons as `prepareRings` takes them
   *
   * Fails: `GEOMETRY_INVALID` where `isOfGeometry` takes that for no fault of the geometry.
   */
  prepareRings(polygons: readonly (readonly Float64Array[])[]): PreparedArea | EngineError {
    return this.#areaOrRefusal(() => prepareRings(polygons));
  }

  /**
   * Stores an area.
   *
   * @param area with an id that no other has
   *
   * Fails: as `AreaSnapshotWriter.add`, and no more can be stored.
   */
  add(area: AreaInput): void {
    this.#writer.add(area);
    if (area.countryIso3 === null) this.#withoutCountry++;
    else this.#countries.set(area.countryIso3, (this.#countries.get(area.countryIso3) ?? 0) + 1);
  }

  /**
   * Leaves a feature out: the source does not cover a plot at its place.
   *
   * @param geometry as {@link AreaBuilder.prepare} refused it
   * @param crs of its positions
   * @returns whether that tells how far it reaches; if not, any plot may lie in it
   */
  leaveOut(geometry: unknown, crs?: string | undefined): boolean {
    const found = findGeometryBox(geometry, { crs, crsTable: this.#options.crsTable });
    if (found !== undefined) this.#leftOut.push(createLeftOutBox(found.box));
    return found?.isExtent === true;
  }

  /** Leaves a feature out that may lie anywhere within a box; absent: anywhere on earth. */
  leaveOutWithin(box: Bbox | undefined): void {
    this.#leftOut.push(box === undefined ? ANYWHERE : createLeftOutBox(box));
  }

  /**
   * The snapshot of what was stored.
   *
   * @param mapping the columns that ids, names and countries were taken from, where the manifest names none
   *
   * Fails: as `AreaSnapshotWriter.finish`.
   */
  finish(coverage?: CoverageInput | undefined, mapping?: FoundOfAreas["mapping"]): SnapshotFile {
    return this.#writer.finish(coverage, { leftOut: this.#leftOut, mapping });
  }

  #areaOrRefusal(prepare: () => PreparedArea): PreparedArea | EngineError {
    try {
      return prepare();
    } catch (error) {
      const { isOfGeometry = isInvalidGeometry } = this.#options;
      if (error instanceof EngineError && isOfGeometry(error)) return error;
      throw error;
    }
  }
}

function isInvalidGeometry({ code }: EngineError): boolean {
  return code === "GEOMETRY_INVALID";
}

/**
 * A value as an id or a name: its text.
 *
 * @param value as its format has it; of an object its JSON
 * @returns null where it is empty
 */
export function toLabel(value: unknown): string | null {
  if (value === null || value === undefined || value === "") return null;
  const text = typeof value === "object" ? toJsonText(value) : String(value);
  return text?.toWellFormed() ?? null;
}

/**
 * The country that a value names, as its ISO 3166-1 alpha-3 code.
 *
 * @param value such a code, in any case and with spaces around it
 * @returns undefined for what is no such code, null for what is empty
 */
export function parseCountryCode(value: unknown): string | null | undefined {
  const code = toLabel(value)?.trim().toUpperCase();
  if (code === undefined) return null;
  return isCountryIso3(code) ? code : undefined;
}

/**
 * A value as an attribute.
 *
 * @param value as its format has it; arrays and objects become their JSON text, unpaired surrogates U+FFFD
 * @returns undefined for what JSON cannot hold
 */
export function toAttribute(value: unknown): AttributeValue | undefined {
  if (value === null || value === undefined) return null;
  if (typeof value === "number" || typeof value === "boolean") return value;
  return toJsonText(value)?.toWellFormed();
}

/**
 * True if a column of a type can store a value; if the type is still to be inferred, every value except infinite
 * numbers.
 */
export function fitsColumn(value: unknown, type: ColumnType | undefined): boolean {
  if (typeof value === "number") return Number.isFinite(value) && (type ?? "number") === "number";
  if (type === "date") return typeof value === "string" && parseCalendarDay(value) !== undefined;
  return type === undefined || typeof value === type;
}

/** The text that JSON writes for a text, a date or a similar value. Undefined for a value that JSON cannot hold. */
function toJsonText(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  try {
    const json = JSON.stringify(value) as string | undefined;
    return json?.startsWith('"') ? (JSON.parse(json) as string) : json;
  } catch {
    return undefined;
  }
}
