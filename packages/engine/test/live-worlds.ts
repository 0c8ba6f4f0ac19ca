import { selectNeededAreas } from "@groundrule/testing/area-provider";
import { joinFileBytes } from "@groundrule/testing/snapshot-bytes";
import { candidateAreas } from "../src/areas/candidate-areas.ts";
import { type Engine, openEngine } from "../src/engine.ts";
import { areaCoordinates } from "../src/geometry/trees/area-coordinates.ts";
import type { CoverageInput } from "../src/snapshot/coverage.ts";
import type { StoredManifest } from "../src/snapshot/manifest.ts";
import { openSnapshot } from "../src/snapshot/read/reader.ts";
import type { AreaSnapshot } from "../src/snapshot/snapshot.ts";
import { createAreaWriter } from "../src/snapshot/write/writer.ts";
import type { CandidateArea, LiveNeed, Provided } from "../src/sources/live-source.ts";
import type { SourceInput } from "../src/sources/open-source.ts";
import { makeSnapshotBytes, type SourceData, toBoxesGeometry, type World } from "./ruleset-cases.ts";

/** One world twice: its sources of areas as snapshots, and as live sources over the same areas. */
export interface LiveWorld {
  readonly stored: Engine;
  readonly live: Engine;
  /** Answers of the live sources, each queried for no more than a question needs. */
  answer(needs: readonly LiveNeed[]): Provided;
}

/** Why the failed ones fail. */
const REASON = "provider timed out";

export function makeLiveWorld(world: World, failed: readonly string[] = []): LiveWorld {
  const stored: SourceInput[] = [];
  const live: SourceInput[] = [];
  const areas = new Map<string, readonly CandidateArea[]>();
  for (const [name, data] of Object.entries(world.sources)) {
    if (data.records !== undefined) {
      const bytes = makeSnapshotBytes(name, data);
      const source = failed.includes(name) ? makeFailedSource(bytes) : { bytes };
      stored.push(source);
      live.push(source);
      continue;
    }
    const whole = makeAreaSnapshot(name, data, world, sortAreasById(data));
    const { manifest } = openSnapshot(whole).meta;
    stored.push(failed.includes(name) ? { manifest, failed: REASON } : { bytes: whole, leftOut: 0 });
    live.push({ manifest, live: true, blank: makeAreaSnapshot(name, data, world, []) });
    areas.set(name, sortAreasById(data).map(toCandidate));
  }
  const options = { groups: world.groups ?? {}, candidates: candidateAreas };
  return {
    stored: openEngine(stored, options),
    live: openEngine(live, options),
    answer: (needs) =>
      Object.fromEntries(
        needs.map((need) => {
          const name = need.source_name;
          if (failed.includes(name)) return [name, { failed: REASON }];
          // In any order: the engine orders them.
          return [name, { candidates: selectNeededAreas(areas.get(name)!, need).reverse() }];
        }),
      ),
  };
}

function makeFailedSource(bytes: ArrayBuffer): { manifest: StoredManifest; failed: string } {
  return { manifest: openSnapshot(bytes).meta.manifest, failed: REASON };
}

type Area = NonNullable<SourceData["areas"]>[number];

function sortAreasById({ areas = [] }: SourceData): readonly Area[] {
  return [...areas].sort((a, b) => (a.id < b.id ? -1 : 1));
}

function toCandidate({ id, name, country, boxes, properties }: Area): CandidateArea {
  return { id, name, country_iso3: country, geometry: toBoxesGeometry(boxes), properties };
}

/** A snapshot of some of a source's areas, with its coverage and a time of collection. */
function makeAreaSnapshot(
  name: string,
  data: SourceData,
  { borders }: World,
  areas: readonly Area[],
): ArrayBuffer {
  const bytes = makeSnapshotBytes(name, { ...data, areas });
  const { meta, attributes, layer } = openSnapshot(bytes) as AreaSnapshot;
  const writer = createAreaWriter({
    collected_at: "2026-06-25T12:00:00Z",
    ...meta.manifest,
    coverage: undefined,
    columns: data.columns ?? {},
  });
  for (let area = 0; area < attributes.rowCount; area++) {
    writer.add({
      id: attributes.id(area),
      // As a build reads it.
      name: attributes.name(area) || null,
      countryIso3: attributes.countryIso3(area),
      polygons: areaCoordinates(layer, area).map((rings) =>
        rings.map((ring) => Float64Array.from(ring.flat())),
      ),
      properties: attributes.properties(area),
    });
  }
  return joinFileBytes(writer.finish(toCoverageInput(data.coverage, borders)));
}

function toCoverageInput(
  data: SourceData["coverage"],
  borders: World["borders"] = [],
): CoverageInput | undefined {
  if (data === undefined) return undefined;
  if (data === "global") return { extent: "global", known: "declared" };
  if ("countries" in data) {
    // A world may name a country that has no land in it.
    const present = new Set(borders.flatMap((piece) => piece.countries));
    const countries = [...data.countries].filter((code) => present.has(code)).sort();
    if (countries.length === 0) return toCoverageInput({ boxes: [NOWHERE] });
    const pieces = borders.map((piece) => ({
      polygons: toPolygons(piece.boxes),
      countries: piece.countries,
    }));
    return { extent: "countries", known: "declared", countries, pieces };
  }
  const pieces = data.boxes.map((box) => ({ polygons: toPolygons([box]), countries: [] }));
  return { extent: "polygons", known: "declared", pieces };
}

/** Far from every plot. */
const NOWHERE: Area["boxes"][number] = [50_000, 50_000, 50_001, 50_001];

type Boxes = Area["boxes"];

function toPolygons(boxes: Boxes): Float64Array[][] {
  const { coordinates } = toBoxesGeometry(boxes) as { readonly coordinates: number[][][][] };
  return coordinates.map((rings) => rings.map((ring) => Float64Array.from(ring.flat())));
}
