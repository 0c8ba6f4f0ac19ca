import {
  type Engine,
  type EvaluationInput,
  openEngine,
  type SourceInput,
  type SourceManifest,
} from "@groundrule/engine";
import { createAreaWriter, createRegisterWriter, snapshotOf } from "@groundrule/engine/build";
import { type VerdictRecord, verdictRecord } from "@groundrule/engine/records";
import { createBoxPositions } from "@groundrule/testing/shapes";
import { joinFileBytes } from "@groundrule/testing/snapshot-bytes";

/** Text that breaks out of careless markup. */
export const HOSTILE = `</title></style><script>alert(1)</script>"'><img src=x onerror=alert(2)>&amp;\u202e`;

const LONG = `Reserva Extrativista ${"Marechal Thaumaturgo de Azevedo e Cruzeiro do Norte ".repeat(4).trim()}`;
const NAMES = [
  LONG,
  "பவானிசாகர் காப்புக்காடு",
  "محمية الجبل الأخضر الطبيعية",
  "三江源国家级自然保护区",
  "Национальный парк «Земля леопарда»",
  `Donaudampfschifffahrtsgesellschaft${"skapitänsmützenabzeichen".repeat(6)}`,
  HOSTILE,
];

export interface HardRecord {
  readonly record: VerdictRecord;
  readonly engine: Engine;
}

const ring = (west: number, south: number, east: number, north: number) =>
  createBoxPositions(west, south, east, north);
const box = (west: number, south: number, east: number, north: number) => ({
  type: "Polygon",
  coordinates: [ring(west, south, east, north)],
});

const MANIFEST = { kind: "leaf", collected_at: "2026-10-01T00:00:00Z", license_spdx: "CC-BY-4.0" } as const;

/** Many strips of areas over the plot, with names in many scripts. */
function createStripsSource(): SourceInput {
  const manifest: SourceManifest = {
    ...MANIFEST,
    source_name: "hard:strips",
    source_dataset: `Protected areas ${HOSTILE}`,
    titles: { pt: `Reservas da lista ${HOSTILE}` },
    source_url: "https://example.org/a?b=c&d=%22",
    category: "protected area",
  };
  const writer = createAreaWriter({ ...manifest, columns: { founded: "date" } });
  for (let i = 0; i < 60; i++) {
    const [west, east] = [10 + i / 1000, 10 + (i + 0.8) / 1000];
    const outer = Float64Array.from(ring(west, 49.99, east, 50.003 + i / 10_000).flat());
    writer.add({
      id: `strip-${i}`,
      name: NAMES[i % NAMES.length]!,
      countryIso3: null,
      polygons: [[outer]],
      properties: { founded: i % 5 === 0 ? null : "2001-01-01" },
    });
  }
  return { bytes: joinFileBytes(writer.finish()) };
}

/** Small areas north of the plot. */
function createNearSource(): SourceInput {
  const writer = createAreaWriter({ ...MANIFEST, source_name: "hard:near" });
  for (let i = 0; i < 6; i++) {
    const outer = Float64Array.from(ring(10 + i / 50, 50.06, 10.003 + i / 50, 50.061).flat());
    writer.add({ id: `near-${i}`, name: NAMES[i]!, countryIso3: "DEU", polygons: [[outer]], properties: {} });
  }
  return { bytes: joinFileBytes(writer.finish()) };
}

function createListedSource(): SourceInput {
  const writer = createRegisterWriter({
    ...MANIFEST,
    kind: "subject_register",
    source_name: "hard:listed",
    source_dataset: "制裁名单",
    scheme: "br:cnpj",
  });
  const identifiers = [{ scheme: "br:cnpj", value: "11.222.333/0001-81" }];
  writer.add({ id: HOSTILE, name: NAMES[3]!, properties: {}, identifiers });
  return { bytes: joinFileBytes(writer.finish()) };
}

const FAILED: SourceInput = {
  manifest: { ...MANIFEST, source_name: "hard:failed", source_dataset: "Embargoes" },
  failed: "the file of its edition is missing",
};

const RULESET = {
  name: "hard-cases",
  description: `What a page has to bear. ${HOSTILE}`,
  sets: {
    strips: { sources: ["hard:strips"] },
    old: {
      sources: ["hard:strips"],
      where: { op: "<", args: [{ property: "founded" }, { date: "2010-01-01" }] },
    },
    near: { sources: ["hard:near"], within_m: 20_000 },
    listed: { registers: ["hard:listed"], match: "root" },
  },
  checks: [
    {
      id: "strips",
      set: "strips",
      measure: "overlap_ratio",
      value: 0.1,
      outcome: "NON_COMPLIANT",
      title: LONG,
    },
    { id: "old", set: "old", outcome: "WARNING", title: "Founded before 2010", description: HOSTILE },
    {
      id: "near",
      set: "near",
      measure: "min_distance_m",
      op: "<",
      value: 10_000,
      outcome: "NOTICE",
      title: "附近的保护区",
    },
    { id: "listed", set: "listed", outcome: "NON_COMPLIANT", title: "مدرج في قائمة" },
  ],
};
const WITH_FAILED = {
  ...RULESET,
  sets: { ...RULESET.sets, embargoed: { sources: ["hard:failed"] } },
  checks: [
    ...RULESET.checks,
    { id: "embargo", set: "embargoed", outcome: "NON_COMPLIANT", title: "On embargoed land" },
  ],
};
const SUBJECTS_ONLY = {
  sets: { listed: { registers: ["hard:listed"] } },
  checks: [{ id: "listed", set: "listed", outcome: "NON_COMPLIANT" }],
};

const SCHEME = [
  { type: "br:cnpj", value: "11.222.333/0001-81", role: "owner" },
  { type: "br:cnpj", value: "11.222.333/0002-62", role: "tenant" },
];

/** Records that a page must bear: by what is hard about them. */
/** A source that speaks of the western half of the plot alone, with one reserve near by. */
function createCoveringSource(): SourceInput {
  const park = {
    type: "Feature",
    properties: { id: "p", name: "Brook", since: "2001-05-06" },
    geometry: box(9.98, 50, 9.997, 50.01),
  };
  return snapshotOf("hard:covering", [park], {
    id: "id",
    name: "name",
    coverage: box(9.9, 49.9, 10.01, 50.1),
  }).bytes;
}

const COVERED_PARTLY = {
  not_examined: ["Water rights"],
  sets: {
    parks: { sources: ["hard:covering"], show: ["since"] },
    near: { sources: ["hard:covering"], within_m: 500, show: ["since"] },
  },
  checks: [
    {
      id: "in",
      title: "In a park",
      set: "parks",
      measure: "overlap_area_m2",
      outcome: "NON_COMPLIANT",
      uncovered: "NON_COMPLIANT",
    },
    {
      id: "waived",
      title: "Park, waived",
      set: "parks",
      measure: "overlap_ratio",
      outcome: "WARNING",
      uncovered: "NOTICE",
    },
    { id: "near", title: "Near a park", set: "near", outcome: "WARNING" },
  ],
};

/** A made-up source of part of its theme, whose coverage nobody declared, and a real one. */
function createDoubtfulSources(): SourceInput[] {
  const borders = createAreaWriter({ ...MANIFEST, source_name: "borders", columns: { countries: "string" } });
  const germany = Float64Array.from(ring(6, 47, 15, 55).flat());
  const properties = { countries: "DEU" };
  borders.add({ id: "0", name: null, countryIso3: null, polygons: [[germany]], properties });
  const park = {
    type: "Feature",
    properties: { id: "p", iso3: "DEU" },
    geometry: box(9.98, 50, 9.997, 50.01),
  };
  const made = {
    id: "id",
    country: "iso3",
    borders: joinFileBytes(borders.finish()),
    title: "Made-up parks",
  };
  return [
    snapshotOf("hard:made_up", [park], { ...made, scope: `federal units ${HOSTILE}`, fictional: true }).bytes,
    createCoveringSource(),
  ];
}

const THROUGH_GROUP = {
  sets: { parks: { sources: ["hard:all"] }, strict: { sources: ["hard:all"], coverage: "declared" } },
  checks: ["parks", "strict"].map((set) => ({ id: set, set, outcome: "NON_COMPLIANT" })),
};

/** Facts of an applicant: one that decides, one compared with a measure, and one that is not declared. */
const ASKING = {
  facts: {
    permit: {
      type: "document",
      question: { en: "Authorisation of suppression", pt: "Autorização de supressão", es: "Autorización" },
    },
    plan: { type: "document", question: { en: `Recovery plan ${HOSTILE}`, pt: "Plano", es: "Plan" } },
    modules: {
      type: "number",
      min: 0,
      unit: "modules",
      question: { en: "How many fiscal modules?", pt: "Quantos módulos fiscais?", es: "¿Cuántos módulos?" },
    },
    community: {
      type: "boolean",
      question: { en: "Is it of a community?", pt: "É de comunidade?", es: "¿Es?" },
    },
    planted: { type: "date", question: { en: "When was it planted?", pt: "Quando?", es: "¿Cuándo?" } },
  },
  sets: { parks: { sources: ["hard:covering"] } },
  checks: [
    {
      id: "embargo",
      title: "Embargo",
      all: [
        { set: "parks", measure: "overlap_area_m2" },
        { fact: "permit", op: "not_valid" },
        { fact: "plan", op: "not_valid" },
      ],
      outcome: "NON_COMPLIANT",
    },
    {
      id: "reserve",
      title: "Reserve",
      all: [
        {
          set: "parks",
          measure: "overlap_area_m2",
          on: "property",
          op: ">",
          value: { set: "parks", measure: "overlap_area_m2", times: 0.5 },
        },
        { fact: "modules", op: ">", value: 4 },
      ],
      outcome: "WARNING",
    },
    { id: "late", title: "Late", fact: "planted", op: ">", value: "2020-01-01", outcome: "WARNING" },
    {
      id: "share",
      title: "Share",
      set: "parks",
      measure: "overlap_area_m2",
      value: { fact: "permit.area_m2", times: 2 },
      outcome: "WARNING",
    },
  ],
};
const EXPIRED = { id: `P-1 ${HOSTILE}`, issuer: "State", issued_on: "2024-01-01", valid_until: "2025-01-01" };

export function hardRecords(): Readonly<
  Record<
    | "crowded"
    | "declared"
    | "degraded"
    | "uncovered"
    | "doubtful"
    | "subjects"
    | "antimeridian"
    | "point"
    | "points",
    HardRecord
  >
> {
  const sources = [createStripsSource(), createNearSource(), createListedSource()];
  const plot = { geometry: box(10, 50, 10.06, 50.03), scheme: SCHEME };
  return {
    crowded: evaluateRecord([...sources], RULESET, plot, HOSTILE),
    degraded: evaluateRecord([...sources, FAILED], WITH_FAILED, plot, 7),
    uncovered: evaluateRecord(
      [createCoveringSource()],
      COVERED_PARTLY,
      { geometry: box(10, 50, 10.02, 50.01) },
      8,
    ),
    doubtful: evaluateRecord(
      createDoubtfulSources(),
      THROUGH_GROUP,
      { geometry: box(10, 50, 10.02, 50.01) },
      9,
      {
        "hard:all": ["hard:covering", "hard:made_up"],
      },
    ),
    declared: evaluateRecord(
      [createCoveringSource()],
      ASKING,
      {
        geometry: box(9.99, 50, 10, 50.005),
        property: box(9.98, 49.999, 10.005, 50.01),
        facts: { permit: { ...EXPIRED, area_m2: 1000 }, modules: 6, community: false },
      },
      10,
    ),
    subjects: evaluateRecord(sources, SUBJECTS_ONLY, { scheme: SCHEME }, undefined),
    antimeridian: evaluateRecord(
      sources,
      { ...RULESET, checks: RULESET.checks.slice(0, 1) },
      {
        geometry: {
          type: "MultiPolygon",
          coordinates: [box(179.9, -17, 180, -16.9).coordinates, box(-180, -17, -179.9, -16.9).coordinates],
        },
      },
      "Taveuni",
    ),
    point: evaluateRecord(
      sources,
      RULESET,
      { geometry: { type: "Point", coordinates: [10.03, 50.001] }, area_ha: 4, scheme: SCHEME },
      "a tree",
    ),
    points: evaluateRecord(
      sources,
      { ...RULESET, checks: RULESET.checks.slice(0, 1) },
      {
        geometry: {
          type: "Feature",
          properties: {},
          geometry: {
            type: "MultiPoint",
            coordinates: [
              [179.9999, -17],
              [-179.9999, -17],
              [179.99, -17.01],
            ],
          },
        } as object,
        area_ha: 1.5,
      },
      "Taveuni, trees",
    ),
  };
}

function evaluateRecord(
  sources: readonly SourceInput[],
  ruleset: object,
  input: EvaluationInput,
  id: string | number | undefined,
  groups: Readonly<Record<string, readonly string[]>> = {},
): HardRecord {
  const engine = openEngine(sources, { groups });
  const policy = engine.compile(ruleset);
  const evaluation = policy.evaluate(input, { now: "2026-11-20T12:00:00Z", evidenceLimit: 100 });
  const recorded = { id, input, ruleset, policy, evidenceLimit: 100, groups, engineVersion: "0.0.0" };
  return { record: verdictRecord(recorded, evaluation), engine };
}
