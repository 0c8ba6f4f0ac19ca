import { deepFreeze } from "../base/deep-freeze.ts";
import { EngineError, FAULT_LIMIT, type Fault } from "../base/errors.ts";
import { isObject } from "../base/is-object.ts";
import { escapePointerToken } from "../base/json-pointer.ts";
import { formatSuggestion } from "../base/nearest-name.ts";
import { readUntrusted, refusePromise } from "../base/read-untrusted.ts";
import type { CrsTable } from "../geometry/plot/crs.ts";
import type { PreparedArea } from "../geometry/plot/mend/prepare-area.ts";
import { crsTableShape } from "../questions/options.ts";
import { describeValue } from "../shape/describe-value.ts";
import { readShape } from "../shape/read-shape.ts";
import {
  anything,
  array,
  choice,
  fitting,
  object,
  optional,
  record,
  type Shape,
  text,
} from "../shape/shape.ts";
import type { CoverageInput, CoveragePieces } from "../snapshot/coverage.ts";
import {
  BUILD_ALLOWANCES,
  type BuildAllowance,
  type ColumnType,
  type SourceManifest,
} from "../snapshot/manifest.ts";
import type { AttributeValue, Crc32, Sha256 } from "../snapshot/snapshot.ts";
import { snapshotBytes } from "../snapshot/write/snapshot-bytes.ts";
import { createAreaWriter } from "../snapshot/write/writer.ts";
import { openBorders, type SnapshotBytes } from "../sources/open-source.ts";
import { AreaBuilder, fitsColumn, parseCountryCode, toAttribute, toLabel } from "./area-builder.ts";
import { CommonColumns } from "./common-columns.ts";
import { describeRepairLoss } from "./describe-loss.ts";
import { deriveCoverage, readCoverage, snapshotInvalidError } from "./read-coverage.ts";

/** A GeoJSON Feature, as far as a snapshot reads it. Its geometry is checked as it is read. */
export interface AreaFeature {
  /** `Feature` */
  readonly type: string;
  /** A Polygon or MultiPolygon. */
  readonly geometry: object | null;
  /** Attributes of the area by name. */
  readonly properties: object | null;
}

/** A GeoJSON FeatureCollection of areas. */
export interface AreaFeatureCollection {
  /** `FeatureCollection` */
  readonly type: string;
  /** The areas. */
  readonly features: readonly AreaFeature[];
}

/** How features become a snapshot. */
export interface SnapshotOfOptions {
  /** The property that identifies an area: a string or number, present in every feature and unique. */
  readonly id: string;
  /** The property that names an area; absent: `name`, if the areas have it. */
  readonly name?: string | undefined;
  /** The property with the ISO 3166-1 alpha-3 country of an area; absent: `country_iso3`, if all of its values are such. */
  readonly country?: string | undefined;
  /** The properties to store; absent: all of them. */
  readonly properties?: readonly string[] | undefined;
  /** Types of the properties whose type is not to be inferred from their values. */
  readonly columns?: Readonly<Record<string, ColumnType>> | undefined;
  /** Title of the data set. */
  readonly title?: string | undefined;
  /** Address of the data set, http or https. */
  readonly url?: string | undefined;
  /** Kind of the areas, e.g. `protected area`. */
  readonly category?: string | undefined;
  /** SPDX identifier of the licence. */
  readonly license?: string | undefined;
  /** The part of its theme that the source holds, in words, if that is not all of it: e.g. `federal units`. */
  readonly scope?: string | undefined;
  /** Present if the areas are made up. */
  readonly fictional?: true | undefined;
  /** When the data were collected, ISO 8601 UTC. */
  readonly collectedAt?: string | undefined;
  /** CRS of the positions; absent: what the collection names, else longitude and latitude. */
  readonly crs?: string | undefined;
  /**
   * Where the source speaks, so that its silence means something: `global`, the ISO 3166-1 alpha-3 codes of countries
   * (which takes `borders`), or a GeoJSON Polygon or MultiPolygon in longitude and latitude. Absent: with `borders`,
   * the countries that the areas name; else undeclared.
   */
  readonly coverage?: "global" | readonly string[] | object | undefined;
  /** The borders that codes of countries mean: `bordersSnapshot` of `@groundrule/borders`. */
  readonly borders?: SnapshotBytes | undefined;
  /** The CRSs that are known besides longitude and latitude: `crsTable` of `@groundrule/crs`. */
  readonly crsTable?: CrsTable | undefined;
  /**
   * A feature that cannot be stored refuses the whole snapshot, or is left out and counted; where it lies, the
   * source then covers no plot. Default `refuse`.
   */
  readonly onFault?: "refuse" | "leaveOut" | undefined;
  /**
   * Exceptions to what refuses the whole snapshot: `left_out`, that features are left out of which it is not known how far
   * they reach; `repaired`, that a repair leaves out more than a tenth of another reading.
   */
  readonly allow?: readonly BuildAllowance[] | undefined;
  /** The host's own SHA-256, where it has a faster one. */
  readonly sha256?: (() => Sha256) | undefined;
  /** The host's own CRC-32, where it has a faster one. */
  readonly crc32?: Crc32 | undefined;
}

/** A snapshot in memory. `openEngine` accepts it as a source. */
export interface BuiltSnapshot {
  /** The bytes of the snapshot file. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Digest of its content. */
  readonly edition: string;
  /** How many features could not be stored; every answer repeats it as `left_out`. */
  readonly leftOut: number;
  /** Counts of features stored, repaired and skipped. */
  readonly report: SnapshotReport;
}

/** Outcome of the build for the features from which the snapshot was made. */
export interface SnapshotReport {
  /** Features that are stored. */
  readonly stored: number;
  /** The properties that are stored, with their types. */
  readonly columns: Readonly<Record<string, ColumnType>>;
  /** Areas whose geometry was not valid and was repaired. */
  readonly repaired: readonly RepairedFeature[];
  /** Properties that filters do not read, since every area has one of that name, where their values differ. */
  readonly hidden?: readonly HiddenProperty[];
  /** Reasons for leaving features out: the first 100 faults, with JSON pointers into the features as passed in. */
  readonly leftOut: readonly Fault[];
}

/** A property that filters do not read, since every area has one of that name. */
export interface HiddenProperty {
  /** Its name. */
  readonly name: string;
  /** In how many areas it has another value: there filters that read the name have no answer. */
  readonly areas: number;
  /** JSON pointer of the first such feature. */
  readonly first: string;
}

/** An area that is stored with a repaired geometry. */
export interface RepairedFeature {
  /** JSON pointer of the feature. */
  readonly pointer: string;
  /** Its id. */
  readonly id: string;
  /** The first fault that was repaired. */
  readonly message: string;
  /** Square metres of the outer rings as they came, less their holes. */
  readonly squareMetersBefore: number;
  /** Square metres of the area as it is stored. */
  readonly squareMetersAfter: number;
}

/**
 * Makes a snapshot of GeoJSON features: checks and repairs each geometry, infers the types of properties and
 * stores the areas under the name of a source. For data too large for memory use `createAreaWriter`, which
 * takes one area after another.
 *
 * @param name of the source: lowercase words of a-z, 0-9 and _ joined by colons
 * @param features a FeatureCollection, or its features
 *
 * Fails: `VALIDATION_FAILED` with the faults of the features that cannot be stored (at most 100; none with
 * `onFault: "leaveOut"`), for a malformed name and for an unknown option; `CRS_UNKNOWN`.
 */
export function snapshotOf(
  name: string,
  features: AreaFeatureCollection | readonly AreaFeature[],
  options: SnapshotOfOptions,
): BuiltSnapshot {
  const read = readShape(optionsShape, options);
  const list = readFeatureList(features);
  const builder = new SnapshotBuilder(name, list, read);
  for (let i = 0; i < list.features.length; i++) {
    const pointer = `${list.pointer}/${i}`;
    readUntrusted(list.features[i], pointer, () => builder.add(list.features[i], pointer));
  }
  return builder.finish();
}

const property = text({ min: 1 });

const optionsShape: Shape<SnapshotOfOptions> = object<SnapshotOfOptions>(
  {
    id: property,
    name: optional(property),
    country: optional(property),
    properties: optional(array(property)),
    columns: optional(record(property, choice("number", "string", "boolean", "date"))),
    title: optional(text()),
    url: optional(text()),
    category: optional(text()),
    license: optional(text()),
    scope: optional(text()),
    fictional: optional(choice(true)),
    collectedAt: optional(text()),
    coverage: optional(anything() as Shape<NonNullable<SnapshotOfOptions["coverage"]>>), // readCoverage checks it
    borders: optional(anything() as Shape<SnapshotBytes>), // openBorders checks it
    crs: optional(text()),
    crsTable: optional(crsTableShape),
    onFault: optional(choice("refuse", "leaveOut")),
    allow: optional(array(choice(...BUILD_ALLOWANCES))),
    sha256: optional(fitting<() => Sha256>((value) => typeof value === "function", "a function")),
    crc32: optional(fitting<Crc32>((value) => typeof value === "function", "a function")),
  },
  { words: "an object of options with id" },
);

interface FeatureList {
  readonly features: readonly unknown[];
  readonly pointer: string;
  /** Name of the collection's CRS in the manner before RFC 7946, if it has one. */
  readonly crs: unknown;
}

function readFeatureList(input: unknown): FeatureList {
  refusePromise(input, "");
  return readUntrusted(input, "", () => readList(input));
}

function readList(input: unknown): FeatureList {
  if (Array.isArray(input)) return { features: [...input], pointer: "", crs: undefined };
  const { type, features, crs } = (input ?? {}) as {
    readonly [Name in "type" | "features" | "crs"]?: unknown;
  };
  if (type === "FeatureCollection" && Array.isArray(features))
    return { features: [...features], pointer: "/features", crs };
  const found = typeof type === "string" ? `a ${type}` : describeValue(input);
  throw snapshotInvalidError([
    {
      pointer: "",
      code: "TYPE_MISMATCH",
      message: `found ${found}, expected a GeoJSON FeatureCollection or an array of Features`,
    },
  ]);
}

/** Reads features into an {@link AreaBuilder}, with the faults of all by their places. */
class SnapshotBuilder {
  readonly #options: SnapshotOfOptions;
  readonly #crs: unknown;
  readonly #builder: AreaBuilder;
  readonly #ids = new Map<string, string>();
  readonly #properties = new Set<string>();
  readonly #faults: Fault[] = [];
  readonly #repaired: RepairedFeature[] = [];
  /** The fault that refuses the snapshot unless it is allowed. */
  readonly #stops: { readonly allowance: BuildAllowance; readonly fault: Fault }[] = [];
  readonly #common: CommonColumns<string>;
  #areAllCountries = true;
  #faultCount = 0;
  #leftOut = 0;
  #hasId = false;
  /** Number of features with an id of their own, apart from their properties. */
  #ownIds = 0;
  readonly #borders: CoveragePieces | undefined;
  readonly #coverage: CoverageInput | undefined;

  constructor(name: string, { crs }: FeatureList, options: SnapshotOfOptions) {
    this.#options = options;
    this.#crs = crs;
    const { sha256, crc32, borders, crsTable } = options;
    this.#borders = borders && openBorders(borders, { crc32 });
    this.#coverage = readCoverage(options, this.#borders);
    const manifest = toManifest(name, options);
    this.#common = new CommonColumns(manifest);
    const writer = createAreaWriter(manifest, { sha256, crc32 });
    this.#builder = new AreaBuilder(writer, { crsTable });
  }

  /** @param pointer JSON pointer of the feature */
  add(feature: unknown, pointer: string): void {
    const before = this.#faultCount;
    const properties = this.#readProperties(feature, pointer);
    const id = this.#readId(properties, pointer);
    const attributes = this.#attributes(properties, pointer);
    const mapped = this.#common.of((column) => Object.hasOwn(attributes, column));
    const countryIso3 = this.#readCountry(properties, mapped.country, pointer);
    const area = this.#prepare(feature, pointer);
    if (this.#faultCount > before || id === undefined || area === undefined) {
      this.#leaveOut(feature, pointer);
      return;
    }
    const name = mapped.name === undefined ? null : toLabel(properties[mapped.name]);
    if (area.loss !== undefined)
      this.#stop("repaired", pointer, "AREA_LOST", describeRepairLoss(area.loss, area));
    this.#common.note({ id, name, countryIso3 }, attributes, pointer);
    try {
      const { polygons } = area;
      this.#builder.add({ id, name, countryIso3, polygons, properties: attributes });
    } catch (error) {
      // Faults that only the writer can find, such as too many columns, concern the whole snapshot: nothing is left
      // half written.
      if (!(error instanceof EngineError)) throw error;
      throw snapshotInvalidError([{ pointer, code: "VALUE_INVALID", message: error.message }]);
    }
    this.#ids.set(id, pointer);
    if (area.repaired) this.#repaired.push(describeRepair(area, id, pointer));
  }

  finish(): BuiltSnapshot {
    const { onFault = "refuse", id, name, country, properties = [], columns = {} } = this.#options;
    if (this.#leftOut > 0 && !this.#hasId && !this.#properties.has(id)) {
      const meant =
        this.#ownIds > 0
          ? "; the id of a Feature itself is not read, so copy it into its properties"
          : formatSuggestion(id, this.#properties);
      throw snapshotInvalidError([
        { pointer: "/id", code: "COLUMN_UNKNOWN", message: `no feature has the property "${id}"${meant}` },
      ]);
    }
    // A property whose type is stated may be missing from all features today.
    const picked = properties.map((each, i) => [
      `properties/${i}`,
      Object.hasOwn(columns, each) ? undefined : each,
    ]);
    for (const [option, named] of [["name", name], ["country", country], ...picked]) {
      if (named === undefined || this.#properties.has(named) || this.#properties.size === 0) continue;
      const message = `no feature has the property "${named}"${formatSuggestion(named, this.#properties)}`;
      throw snapshotInvalidError([{ pointer: `/${option}`, code: "COLUMN_UNKNOWN", message }]);
    }
    if (onFault === "refuse" && this.#faultCount > 0)
      throw snapshotInvalidError(this.#faults, this.#faultCount);
    const { allow = [] } = this.#options;
    const stops = this.#stops.filter(({ allowance }) => !allow.includes(allowance)).map(({ fault }) => fault);
    if (stops.length > 0) throw snapshotInvalidError(stops.slice(0, FAULT_LIMIT), stops.length);
    const mapping = this.#common.mapping(this.#areAllCountries);
    const file = this.#builder.finish(
      this.#coverage ?? deriveCoverage(this.#builder.countries, this.#borders),
      mapping,
    );
    const hidden = this.#common.hidden(mapping);
    const report: SnapshotReport = deepFreeze({
      stored: file.meta.feature_count,
      columns: { ...file.meta.manifest.columns },
      repaired: this.#repaired,
      ...(hidden.length > 0 && { hidden }),
      leftOut: this.#faults,
    });
    return Object.freeze({
      bytes: snapshotBytes(file),
      edition: file.meta.edition,
      leftOut: this.#leftOut,
      report,
    });
  }

  #readProperties(feature: unknown, pointer: string): Readonly<Record<string, unknown>> {
    const { type, id, properties } = (feature ?? {}) as {
      readonly type?: unknown;
      readonly id?: unknown;
      readonly properties?: unknown;
    };
    if (id !== undefined) this.#ownIds++;
    if (type !== "Feature") {
      const found = typeof type === "string" ? `a ${type}` : describeValue(feature);
      this.#fault(pointer, "TYPE_MISMATCH", `found ${found}, expected a GeoJSON Feature`);
      return {};
    }
    if (properties === null || properties === undefined) return {};
    if (!isObject(properties)) {
      this.#fault(
        `${pointer}/properties`,
        "TYPE_MISMATCH",
        `found ${describeValue(properties)}, expected an object`,
      );
      return {};
    }
    for (const name of Object.keys(properties)) this.#properties.add(name);
    return { ...properties };
  }

  #readId(properties: Readonly<Record<string, unknown>>, pointer: string): string | undefined {
    const value = properties[this.#options.id];
    const at = `${pointer}/properties/${escapePointerToken(this.#options.id)}`;
    const id = typeof value === "string" || typeof value === "number" ? toLabel(value) : null;
    if (id === null) {
      this.#fault(
        at,
        "ID_MISSING",
        `found ${describeValue(value)}, expected an id, which is a string or a number`,
      );
      return undefined;
    }
    this.#hasId = true;
    const taken = this.#ids.get(id);
    if (taken === undefined) return id;
    this.#fault(
      at,
      "ID_DUPLICATE",
      `found the id ${describeValue(id)} of the feature at ${taken}, expected a unique id`,
    );
    return undefined;
  }

  /** Leaves a feature out; stops the snapshot if the extent of its geometry is unknown. */
  #leaveOut(feature: unknown, pointer: string): void {
    this.#leftOut++;
    const [sent, crs] = this.#readGeometry(feature);
    if (this.#builder.leaveOut(sent, crs)) return;
    const message =
      "the feature is left out, and its geometry does not tell how far it reaches, so that it may lie on any plot";
    this.#stop("left_out", pointer, "PLACE_UNKNOWN", message);
  }

  #stop(allowance: BuildAllowance, pointer: string, code: string, message: string): void {
    const mend = `correct it, or allow it: "allow": ["${allowance}"]`;
    this.#stops.push({ allowance, fault: { pointer, code, message: `${message}; ${mend}` } });
  }

  #readCountry(
    properties: Readonly<Record<string, unknown>>,
    country: string | undefined,
    pointer: string,
  ): string | null {
    if (country === undefined) return null;
    const code = parseCountryCode(properties[country]);
    if (code !== undefined) return code;
    if (this.#options.country === undefined) {
      this.#areAllCountries = false;
      return null;
    }
    const text = toLabel(properties[country]);
    const message = `found country ${describeValue(text)}, expected an ISO 3166-1 alpha-3 code`;
    this.#fault(`${pointer}/properties/${escapePointerToken(country)}`, "VALUE_INVALID", message);
    return null;
  }

  #readGeometry(feature: unknown): [feature: object, crs: string | undefined] {
    const { geometry } = (feature ?? {}) as { readonly geometry?: unknown };
    const { crs } = this.#options;
    const hasOwn = crs === undefined && this.#crs !== undefined;
    return [{ type: "Feature", geometry, ...(hasOwn && { crs: this.#crs }) }, crs];
  }

  #prepare(feature: unknown, pointer: string): PreparedArea | undefined {
    const [sent, crs] = this.#readGeometry(feature);
    const area = this.#builder.prepare(sent, crs);
    if (!(area instanceof EngineError)) return area;
    const { faults = [{ pointer: "/geometry", code: area.code, message: area.message }] } = area.details;
    for (const fault of faults) this.#fault(`${pointer}${fault.pointer}`, fault.code, fault.message);
    return undefined;
  }

  #attributes(
    properties: Readonly<Record<string, unknown>>,
    pointer: string,
  ): Record<string, AttributeValue> {
    const { properties: names = Object.keys(properties), columns = {} } = this.#options;
    const attributes = names.map((name): [string, AttributeValue] => {
      const value = toAttribute(properties[name]);
      if (value === undefined) {
        const message = `found ${describeValue(properties[name])}, expected a value that JSON supports`;
        this.#fault(`${pointer}/properties/${escapePointerToken(name)}`, "VALUE_INVALID", message);
        return [name, null];
      }
      const type = Object.hasOwn(columns, name) ? columns[name] : undefined;
      if (value !== null && !fitsColumn(value, type)) {
        const message = `found ${describeValue(value)}, expected ${type === undefined ? "a finite number" : `a ${type}`}`;
        this.#fault(`${pointer}/properties/${escapePointerToken(name)}`, "VALUE_INVALID", message);
      }
      return [name, value];
    });
    return Object.fromEntries(attributes);
  }

  #fault(pointer: string, code: string, message: string): void {
    this.#faultCount++;
    if (this.#faults.length < FAULT_LIMIT) this.#faults.push({ pointer, code, message });
  }
}

function toManifest(name: string, options: SnapshotOfOptions): SourceManifest {
  const { title, url, category, license, scope, fictional, collectedAt } = options;
  return {
    source_name: name,
    kind: "leaf",
    id: options.id,
    ...(options.name !== undefined && { name: options.name }),
    ...(options.country !== undefined && { country: options.country }),
    ...(title !== undefined && { source_dataset: title }),
    ...(url !== undefined && { source_url: url }),
    ...(category !== undefined && { category }),
    ...(license !== undefined && { license_spdx: license }),
    ...(scope !== undefined && { scope }),
    ...(fictional && { fictional }),
    ...(collectedAt !== undefined && { collected_at: collectedAt }),
    ...(options.crs !== undefined && { crs: options.crs }),
    ...(options.columns !== undefined && { columns: options.columns }),
    ...(options.allow !== undefined && options.allow.length > 0 && { allow: options.allow }),
  };
}

function describeRepair(area: PreparedArea, id: string, pointer: string): RepairedFeature {
  const { faults, squareMetersBefore = 0, squareMetersAfter = 0 } = area;
  return { pointer, id, message: faults[0]!.message, squareMetersBefore, squareMetersAfter };
}
