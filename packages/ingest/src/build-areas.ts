import { type AttributeValue, EngineError, type SourceManifest } from "@groundrule/engine";
import { createAreaWriter, type PreparedArea, type SnapshotFile } from "@groundrule/engine/build";
import {
  AreaBuilder,
  CommonColumns,
  isSameCrs,
  parseCountryCode,
  prepareRings,
  toLabel,
} from "@groundrule/engine/internal";
import { AreaGeometry, type Feature, type Place } from "@groundrule/formats";
import { refuseUnlessAllowed } from "./allowances.ts";
import { AxesCheck } from "./axes.ts";
import type { BuildInput } from "./build-input.ts";
import { buildCoverageReport, deriveCoverage, resolveDeclaredCoverage } from "./coverage.ts";
import { IngestError } from "./ingest-error.ts";
import { ColumnReader, incrementCount } from "./manifest/columns.ts";
import { addPlaceToErrors, checkMappedColumns, toTallies } from "./manifest/mapping.ts";
import type { ContentReport, IngestReport, LeftOut, Mended, RepairedArea, Where } from "./report.ts";
import { buildRepairedArea } from "./report-repair.ts";

/** Builds the snapshot of an area source from features; see {@link buildSnapshot}. */
export async function buildAreaSnapshot(
  input: BuildInput,
): Promise<{ file: SnapshotFile; report: ContentReport }> {
  const { manifest } = input;
  const declared = await resolveDeclaredCoverage(manifest, input.openPolygons, input.crs);
  const builder = new AreaBuilder(createAreaWriter(manifest, input.writerOptions), {
    crsTable: input.crs,
    isOfGeometry: ({ code }) => code !== "CRS_UNKNOWN",
  });
  const reader = new ColumnReader(manifest, input.types);
  const common = new CommonColumns<Where>(manifest);
  const ids = new UniqueIds();
  const crs = new SourceCrs(manifest.crs);
  const tellsCountries = manifest.country !== undefined || manifest.country_iso3 !== undefined;
  const borders = tellsCountries ? await import("@groundrule/borders") : undefined;
  const axes = new AxesCheck(declared?.coverage, borders, input.crs);

  let read = 0;
  let positions = 0;
  let withoutId = 0;
  const repaired: RepairedArea[] = [];
  const leftOut: LeftOut[] = [];
  const duplicates: IngestReport["duplicate_ids"][number][] = [];
  const mended = new Map<string, Mended>();
  const unknownCountries = new Map<string, number>();

  const { table } = input;
  for await (const feature of table.features()) {
    read++;
    const { place } = feature;
    const where = toWhere(place.feature, place);
    const properties = readFeatureProperties(feature, reader, table.isText === true);
    const columns = common.of((column) => feature.properties.has(column));
    const mapped = columns.id === undefined ? null : toLabel(feature.properties.get(columns.id));
    const ownId = mapped ?? toLabel(feature.id);

    const country =
      readFeatureCountry(feature, columns.country, unknownCountries) ?? manifest.country_iso3 ?? null;
    const ofCrs = crs.of(feature);
    axes.add(feature.geometry, ofCrs.name, country, place);
    const area = feature.fault ?? prepareArea(builder, feature, ofCrs);
    if ("message" in area) {
      const { code, message: reason } = area;
      const isPlaced = leaveOutFeature(builder, feature, ofCrs.name);
      const placeless = !isPlaced && ({ place: "unknown" } as const);
      leftOut.push({ ...where, ...(ownId !== null && { id: ownId }), code, reason, ...placeless });
      input.featureDone();
      continue;
    }
    if (columns.id !== undefined && mapped === null) withoutId++;
    const sourceId = ownId ?? String(where.number);
    const id = ids.take(sourceId);
    if (id !== sourceId) duplicates.push({ id: sourceId, stored_as: id, ...where });
    const name = columns.name === undefined ? null : toLabel(feature.properties.get(columns.name));
    common.note({ id, name, countryIso3: country }, properties, where);
    addPlaceToErrors(place, () =>
      builder.add({ id, name, countryIso3: country, polygons: area.polygons, properties }),
    );
    for (const rings of area.polygons) for (const ring of rings) positions += ring.length / 2;
    if (area.repaired) repaired.push(buildRepairedArea(area, where, id, name));
    for (const { code, message } of area.mended) {
      const before = mended.get(code);
      const first = before?.first ?? { ...where, id, message };
      mended.set(code, { code, count: (before?.count ?? 0) + 1, first });
    }
    input.featureDone();
  }

  axes.check(read, input.isSwapped);
  if (read > 0)
    checkMappedColumns(
      input.declared,
      reader.columns,
      "; without an id column, the feature's own id is used",
    );
  if (builder.count > 0) refuseUnlessAllowed(manifest, { leftOut, repaired, coverage: declared?.repaired });
  const mapping = common.mapping(unknownCountries.size === 0);
  const { withoutCountry } = builder;
  const countries = { counts: countAreasByCountry(builder.countries, manifest), withoutCountry };
  const coverage = declared === undefined ? await deriveCoverage(countries) : declared.coverage;
  const file = builder.finish(coverage, mapping);
  const report: ContentReport = {
    format: table.form ?? table.format,
    ...(table.layer !== undefined && { layer: table.layer }),
    ...(crs.used !== undefined && { crs: crs.used }),
    read,
    stored: builder.count,
    positions,
    coverage: buildCoverageReport(coverage, declared?.repaired ?? [], countries),
    columns: Object.entries(file.meta.manifest.columns ?? {}).map(([name, type]) => ({ name, type })),
    mapped_columns: Object.entries<string>(mapping).map(([member, column]) => ({ member, column })),
    hidden_columns: common.hidden(mapping),
    repaired,
    mended: [...mended.values()],
    left_out: leftOut,
    duplicate_ids: duplicates,
    without_id: withoutId,
    without_country: withoutCountry,
    unknown_countries: toTallies(unknownCountries),
    nested_columns: toTallies(reader.nested),
    ill_formed_columns: toTallies(reader.illFormed),
    empty_identifiers: 0,
    split_identifiers: 0,
    unwrapped_identifiers: 0,
    malformed_identifiers: { count: 0, of: 0, first: [] },
    without_identifier: 0,
    unmapped_schemes: [],
    unused_schemes: [],
    differing_columns: [],
  };
  return { file, report };
}

/** Number of areas in each country. A source without areas has the country that its manifest declares for all. */
function countAreasByCountry(
  counts: ReadonlyMap<string, number>,
  { country_iso3 }: SourceManifest,
): ReadonlyMap<string, number> {
  return counts.size > 0 || country_iso3 === undefined ? counts : new Map([[country_iso3, 0]]);
}

/** The CRS of a source: the manifest's, else what its features name. */
class SourceCrs {
  readonly #declared: string | undefined;
  #used: string | undefined;
  #last: FeatureCrs | undefined;

  constructor(declared: string | undefined) {
    this.#declared = declared;
    this.#used = declared;
  }

  get used(): string | undefined {
    return this.#used;
  }

  /** Fails: `CRS_UNSUPPORTED` where the feature names another than the manifest does. */
  of(feature: Feature): FeatureCrs {
    const countries = feature.crs;
    if (this.#declared === undefined) {
      this.#used ??= countries;
      return this.#last !== undefined && this.#last.name === countries ? this.#last : this.#keep(countries);
    }
    if (countries !== undefined && !isSameCrs(countries, this.#declared)) {
      const found = `"${countries}"`;
      const expected = `"${this.#declared}" as in the manifest`;
      throw new IngestError("CRS_UNSUPPORTED", `the source names its CRS ${found}, expected ${expected}`, {
        place: feature.place,
        found,
        expected,
      });
    }
    return this.#last ?? this.#keep(this.#declared);
  }

  #keep(name: string | undefined): FeatureCrs {
    const kept = { name, isAsItIs: name === undefined || isSameCrs(name, "OGC:CRS84") };
    this.#last = kept;
    return kept;
  }
}

/** The CRS of a feature, and whether its positions are what plots hold. */
interface FeatureCrs {
  readonly name: string | undefined;
  readonly isAsItIs: boolean;
}

/** Place of a feature or row, as far as its format has one. */
export function toWhere(number: number, { line }: Place): Where {
  return { number, ...(line !== undefined && { line }) };
}

function readFeatureProperties(
  feature: Feature,
  reader: ColumnReader,
  isText: boolean,
): Record<string, AttributeValue> {
  const properties: Record<string, AttributeValue> = Object.create(null);
  for (const [column, value] of feature.properties) {
    properties[column] = isText
      ? reader.fromText(column, value as string, feature.place)
      : reader.fromJson(column, value, feature.place);
  }
  return properties;
}

/** The area of a feature, or why its geometry can be none. Fails: `CRS_UNSUPPORTED`. */
function prepareArea(
  builder: AreaBuilder,
  { geometry, place }: Feature,
  { name, isAsItIs }: FeatureCrs,
): PreparedArea | EngineError {
  try {
    if (!(geometry instanceof AreaGeometry)) return builder.prepare(geometry, name);
    if (isAsItIs && isOnEarth(geometry)) return builder.prepareRings(geometry.polygons);
    return builder.prepare(geometry.toGeoJson(), name);
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    throw new IngestError("CRS_UNSUPPORTED", error.message, { place, found: name });
  }
}

/** Leaves a feature out. @returns whether it is known how far it reaches */
function leaveOutFeature(builder: AreaBuilder, { geometry, box }: Feature, crs: string | undefined): boolean {
  if (geometry === null && box !== undefined) return builder.leaveOut(toOutline(box), crs);
  return builder.leaveOut(geometry instanceof AreaGeometry ? geometry.toGeoJson() : geometry, crs);
}

/** The ring of a box in the CRS of its file. */
function toOutline([minX, minY, maxX, maxY]: NonNullable<Feature["box"]>): object {
  const coordinates = [
    [minX, minY],
    [maxX, minY],
    [maxX, maxY],
    [minX, maxY],
    [minX, minY],
  ];
  return { type: "LineString", coordinates };
}

/** True if rings meet the conditions of {@link prepareRings}; binary formats can hold anything. */
function isOnEarth({ polygons }: AreaGeometry): boolean {
  return (
    polygons.length > 0 &&
    polygons.every(
      (rings) =>
        rings.length > 0 &&
        rings.every((ring) => {
          for (let i = 0; i < ring.length; i += 2) {
            if (!(Math.abs(ring[i]!) <= 540 && Math.abs(ring[i + 1]!) <= 90)) return false;
          }
          return ring.length > 0;
        }),
    )
  );
}

function readFeatureCountry(
  feature: Feature,
  column: string | undefined,
  unknown: Map<string, number>,
): string | null {
  if (column === undefined) return null;
  const value = feature.properties.get(column);
  const code = parseCountryCode(value);
  if (code === undefined) incrementCount(unknown, toLabel(value)!);
  return code ?? null;
}

/** Makes the id of each area unique: the second `a` of a source becomes `a#2`, the third `a#3`. */
class UniqueIds {
  readonly #uses = new Map<string, number>();

  /** The id to store; `id` itself unless it was taken before. */
  take(id: string): string {
    const before = this.#uses.get(id);
    if (before === undefined) {
      this.#uses.set(id, 1);
      return id;
    }
    let use = before + 1;
    while (this.#uses.has(`${id}#${use}`)) use++;
    this.#uses.set(id, use);
    const own = `${id}#${use}`;
    this.#uses.set(own, 1);
    return own;
  }
}
