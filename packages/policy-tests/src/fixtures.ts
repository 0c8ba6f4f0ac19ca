import {
  type AttributeValue,
  type ColumnType,
  type Engine,
  EngineError,
  type EngineOptions,
  openEngine,
  parsePlot,
  type SourceInput,
} from "@groundrule/engine";
import { createRegisterWriter, snapshotBytes, snapshotOf } from "@groundrule/engine/build";
import { parseCalendarDay } from "@groundrule/engine/internal";
import { formatJsonPointer } from "@groundrule/engine/internal/json";
import type {
  AreaFixture,
  Geometry,
  RecordFixture,
  RegionFixture,
  SourceFixture,
  TestFile,
} from "./test-file.ts";
import { describeUnknownName, TestFileFaults } from "./test-file.ts";

/** Resources that the host of tests gives their engine. */
export type TestHost = Pick<EngineOptions, "borders" | "candidates" | "crc32" | "crs" | "textDigest">;

/**
 * Opens the sources that stand in a test file, built in memory.
 *
 * @param host with the borders of countries, where the tests cover any
 *
 * Fails: `YamlFileError` for what cannot be built or opened, with every fault.
 */
export function openFixtureSources(
  { yaml, tests: { sources = {}, groups } }: TestFile,
  host: TestHost,
): Engine {
  const faults = new TestFileFaults(yaml);
  const inputs = Object.entries(sources).map(([name, source]) =>
    buildFixtureSource(name, source, faults, host),
  );
  for (const [group, members] of Object.entries(groups ?? {})) {
    for (const [i, member] of members.entries()) {
      if (Object.hasOwn(sources, member)) continue;
      const message = describeUnknownName(
        `"${member}"`,
        "a source of this file",
        member,
        Object.keys(sources),
      );
      faults.add(["groups", group, i], message);
    }
  }
  faults.throwIfAny();
  try {
    return openEngine(
      inputs.flatMap((input) => input ?? []),
      { ...(groups !== undefined && { groups }), ...host },
    );
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    addEngineFaults(faults, "", error);
    faults.throwIfAny();
    throw error;
  }
}

/** The kinds of sources, each by the member that makes it. */
const KINDS = ["areas", "records", "failed"] as const;
/** Members that only sources of areas have, and those that only registers have. */
const OF_AREAS = ["coverage", "category"] as const;

function buildFixtureSource(
  name: string,
  source: SourceFixture,
  faults: TestFileFaults,
  host: TestHost,
): SourceInput | undefined {
  const path = ["sources", name];
  const kinds = KINDS.filter((kind) => source[kind] !== undefined);
  if (kinds.length !== 1) {
    const found = kinds.length === 0 ? "neither areas nor records nor failed" : kinds.join(" and ");
    faults.add(path, `found ${found}, expected one of areas (which may be []), records and failed`);
    return undefined;
  }
  const misplaced = [
    ...(source.areas === undefined ? OF_AREAS.filter((member) => source[member] !== undefined) : []),
    ...(source.areas !== undefined && source.scheme !== undefined ? ["scheme"] : []),
    ...(source.failed === undefined && source.kind !== undefined ? ["kind"] : []),
  ];
  for (const member of misplaced) {
    faults.add(
      [...path, member],
      `found ${member} beside ${kinds[0]}, expected it of ${OWNERS[member]} only`,
    );
  }
  if (source.areas !== undefined) return buildFixtureAreas(name, source, source.areas, faults, host);
  if (source.records !== undefined) return buildFixtureRegister(name, source, source.records, faults);
  const { kind = "leaf", columns, scheme, failed = "" } = source;
  const manifest = { source_name: name, kind, ...(columns && { columns }), ...(scheme && { scheme }) };
  return { manifest, failed };
}

const OWNERS: Readonly<Record<string, string>> = {
  coverage: "areas",
  category: "areas",
  scheme: "records and failed registers",
  kind: "failed sources",
};

/** Properties that every area has, and the place of each in a fixture. */
const ID = "source_id";
const NAME = "name";
const COUNTRY = "country_iso3";
const COMMON: ReadonlyMap<string, string> = new Map([
  [ID, "id"],
  [NAME, "name"],
  [COUNTRY, "country_iso3"],
]);

function buildFixtureAreas(
  name: string,
  source: SourceFixture,
  areas: readonly AreaFixture[],
  faults: TestFileFaults,
  { borders }: TestHost,
): SourceInput | undefined {
  const { columns = {}, collected_at, category, coverage } = source;
  const path = ["sources", name, "areas"];
  const names = new Set(Object.keys(columns));
  const ids = new Set<string>();
  const features = areas.flatMap((area, i) => {
    checkUniqueId(area.id, ids, [...path, i, "id"], faults);
    for (const property of Object.keys(area.properties ?? {})) {
      const own = COMMON.get(property);
      if (own !== undefined) {
        const at = [...path, i, "properties", property];
        faults.add(at, `found the property ${property}, expected the area's own ${own}, beside properties`);
      }
      names.add(property);
    }
    checkColumnTypes(area.properties, columns, [...path, i], faults);
    const geometry = readFixtureRegion(area, [...path, i], faults);
    if (geometry === undefined) return [];
    const own = { [ID]: area.id, [NAME]: area.name ?? null, [COUNTRY]: area.country_iso3 ?? null };
    return [{ type: "Feature", geometry, properties: { ...area.properties, ...own } }];
  });
  if (features.length < areas.length || ids.size < areas.length) return undefined;
  const region =
    coverage === undefined ? undefined : readFixtureCoverage(coverage, ["sources", name, "coverage"], faults);
  try {
    return snapshotOf(name, features, {
      id: ID,
      name: NAME,
      country: COUNTRY,
      properties: [...names],
      columns,
      ...(collected_at !== undefined && { collectedAt: collected_at }),
      ...(category !== undefined && { category }),
      ...(region !== undefined && { coverage: region }),
      ...(Array.isArray(region) &&
        borders !== undefined && { borders: typeof borders === "function" ? borders() : borders }),
    });
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    addEngineFaults(faults, `/sources/${name}`, error, (pointer) =>
      /^\/\d/.test(pointer) ? `/areas${pointer}` : pointer,
    );
    return undefined;
  }
}

/** @param taken ids so far; a number and the same text are one id */
function checkUniqueId(
  id: string | number,
  taken: Set<string>,
  path: readonly (string | number)[],
  faults: TestFileFaults,
): void {
  if (taken.has(String(id))) faults.add(path, `found the id "${id}" twice, expected it once`);
  taken.add(String(id));
}

function readFixtureCoverage(
  coverage: NonNullable<SourceFixture["coverage"]>,
  path: readonly (string | number)[],
  faults: TestFileFaults,
): "global" | readonly string[] | Geometry | undefined {
  return coverage === "global" || Array.isArray(coverage)
    ? (coverage as "global" | readonly string[])
    : readFixtureRegion(coverage as RegionFixture, path, faults);
}

/** A valid region. What could cost a repair without end is refused here, within the work of an answer. */
function readFixtureRegion(
  { box, geometry }: RegionFixture,
  path: readonly (string | number)[],
  faults: TestFileFaults,
): Geometry | undefined {
  if ((box === undefined) === (geometry === undefined)) {
    const found = box === undefined ? "neither box nor geometry" : "box and geometry";
    faults.add(path, `found ${found}, expected one of them`);
    return undefined;
  }
  const region = geometry ?? toPolygon(box!);
  try {
    parsePlot(region, { dimensions: ["polygon"] });
    return region;
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    addEngineFaults(faults, formatJsonPointer([...path, box === undefined ? "geometry" : "box"]), error);
    return undefined;
  }
}

/** A box as GeoJSON has it. */
export function toPolygon([west, south, east, north]: readonly number[]): Geometry {
  const ring = [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ];
  return { type: "Polygon", coordinates: [ring] };
}

function buildFixtureRegister(
  name: string,
  source: SourceFixture,
  records: readonly RecordFixture[],
  faults: TestFileFaults,
): SourceInput | undefined {
  const { columns = {}, collected_at, scheme } = source;
  const path = ["sources", name, "records"];
  try {
    const writer = createRegisterWriter({
      source_name: name,
      kind: "subject_register",
      value: "identifier",
      columns,
      ...(scheme !== undefined && { scheme }),
      ...(collected_at !== undefined && { collected_at }),
    });
    const ids = new Set<string>();
    for (const [i, record] of records.entries()) {
      checkUniqueId(record.id, ids, [...path, i, "id"], faults);
      checkColumnTypes(record.properties, columns, [...path, i], faults);
      const identifiers = readRecordIdentifiers(record, scheme, [...path, i, "identifiers"], faults);
      writer.add({
        id: String(record.id),
        name: record.name ?? null,
        properties: record.properties ?? {},
        identifiers,
      });
    }
    return { bytes: snapshotBytes(writer.finish()) };
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    addEngineFaults(faults, `/sources/${name}`, error);
    return undefined;
  }
}

function readRecordIdentifiers(
  { identifiers }: RecordFixture,
  scheme: string | undefined,
  path: readonly (string | number)[],
  faults: TestFileFaults,
): { readonly scheme: string; readonly value: string }[] {
  const list = typeof identifiers === "string" ? [identifiers] : identifiers;
  return list.flatMap((identifier, i) => {
    if (typeof identifier !== "string") return [{ scheme: identifier.type, value: identifier.value }];
    if (scheme !== undefined) return [{ scheme, value: identifier }];
    const at = typeof identifiers === "string" ? path : [...path, i];
    faults.add(
      at,
      "found an identifier without a scheme, expected {type: …, value: …} or a scheme of the source",
    );
    return [];
  });
}

/** Values of columns whose type is declared. The others are whatever their values are. */
function checkColumnTypes(
  properties: Readonly<Record<string, AttributeValue>> | undefined,
  columns: Readonly<Record<string, ColumnType>>,
  path: readonly (string | number)[],
  faults: TestFileFaults,
): void {
  for (const [name, value] of Object.entries(properties ?? {})) {
    const type = Object.hasOwn(columns, name) ? columns[name] : undefined;
    if (type === undefined || value === null) continue;
    const fits =
      type === "date"
        ? typeof value === "string" && parseCalendarDay(value) !== undefined
        : typeof value === type;
    if (fits) continue;
    const expected = type === "date" ? "a calendar day YYYY-MM-DD" : `a ${type}`;
    faults.add(
      [...path, "properties", name],
      `found ${JSON.stringify(value)}, expected ${expected}, as columns say`,
    );
  }
}

/** @param below where in the file a pointer of the error leads, under `pointer` */
function addEngineFaults(
  faults: TestFileFaults,
  pointer: string,
  { message, details }: EngineError,
  below: (pointer: string) => string = (each) => each,
): void {
  const own = details.faults ?? [];
  if (own.length === 0) faults.addAt(pointer, message);
  for (const fault of own) faults.addAt(`${pointer}${below(fault.pointer)}`, fault.message);
}
