import { ascending } from "../base/ascending.ts";
import type { WorkMeter } from "../base/work-meter.ts";
import type { AreaEvidence, CheckResult, Evidence, Properties, SubjectEvidence } from "../verdict/verdict.ts";
import { type CheckPlan, reachedFrom, type SetPlan } from "./compile.ts";
import type { AreaFact } from "./measures/area-facts.ts";
import { columnReader } from "./measures/column-reader.ts";
import type { Selector, SubjectHit } from "./select.ts";

/** What a check shows, cut to a number of items. */
export interface GatheredEvidence extends Pick<CheckResult, "undetermined" | "evidence" | "evidence_total"> {
  /** The areas with which the evidence begins. */
  readonly exhibited: readonly AreaFact[];
}

/** Units of work of an area or a record that is ranked as evidence. */
const EVIDENCE_UNITS = 200;

/** What the sets of a check hold: areas first, then records; each once however many sets hold it. */
export function gatherEvidence(
  check: CheckPlan,
  selector: Selector,
  limit: number,
  meter: WorkMeter,
): GatheredEvidence {
  const sets = new Set(check.comparisons.map(({ set }) => set));
  const exhibits = gatherAreas(sets, selector, meter).sort(byWeight);
  const records = gatherRecords(sets, selector).sort(bySubject);
  const exhibited = exhibits.slice(0, limit);
  const shown: Evidence[] = exhibited.map(areaEvidence);
  return {
    undetermined: exhibits.filter(({ undetermined }) => undetermined).length,
    evidence: [...shown, ...records.slice(0, limit - shown.length).map(subjectEvidence)],
    evidence_total: exhibits.length + records.length,
    exhibited: exhibited.map(({ fact }) => fact),
  };
}

/** An area that stands as evidence of a check. */
interface AreaExhibit {
  readonly fact: AreaFact;
  /** A set of the check selects by distance, and selected this area. */
  readonly hasDistance: boolean;
  readonly undetermined: boolean;
  /** Columns to show. */
  readonly columns: ReadonlySet<string> | undefined;
}

function gatherAreas(sets: Iterable<SetPlan>, selector: Selector, meter: WorkMeter): AreaExhibit[] {
  const areas = new Set<AreaFact>();
  const near = new Set<AreaFact>();
  const undetermined = new Set<AreaFact>();
  for (const set of sets) {
    if (set.kind === "subject") continue;
    const selection = selector.get(set);
    meter.add(EVIDENCE_UNITS * (selection.areas.length + selection.undetermined.length));
    for (const fact of selection.undetermined) undetermined.add(fact);
    for (const fact of [...selection.areas, ...selection.undetermined]) {
      areas.add(fact);
      if (set.kind === "area" && set.within !== undefined) near.add(fact);
    }
  }
  const columns = columnsOfAreas(sets, areas, selector);
  return [...areas].map((fact) => ({
    fact,
    hasDistance: near.has(fact),
    undetermined: undetermined.has(fact),
    columns: columns.get(fact),
  }));
}

/** The columns that sets of areas show, those that derived sets are made of among them, by area. */
function columnsOfAreas(
  sets: Iterable<SetPlan>,
  exhibited: ReadonlySet<AreaFact>,
  selector: Selector,
): ReadonlyMap<AreaFact, ReadonlySet<string>> {
  const columns = new Map<AreaFact, Set<string>>();
  for (const set of reachedFrom(sets)) {
    if (set.kind !== "area" || set.show.length === 0) continue;
    const { areas, undetermined } = selector.get(set);
    for (const fact of [...areas, ...undetermined]) {
      if (exhibited.has(fact)) addAll(columns, fact, set.show);
    }
  }
  return columns;
}

/** A record that stands as evidence of a check, for one pair of its identifiers and the input's. */
interface RecordExhibit {
  readonly hit: SubjectHit;
  readonly named: Pick<SubjectEvidence, "source_name" | "source_id" | "value" | "scheme" | "role">;
  /** Columns to show. */
  readonly columns: Set<string>;
}

function gatherRecords(sets: Iterable<SetPlan>, selector: Selector): RecordExhibit[] {
  const exhibits = new Map<string, RecordExhibit>();
  for (const set of sets) {
    if (set.kind !== "subject") continue;
    for (const hit of selector.get(set).hits) {
      const named = namesOf(hit);
      const key = JSON.stringify(Object.values(named));
      const known = exhibits.get(key);
      const exhibit = known ?? { hit, named, columns: new Set<string>() };
      if (known === undefined) exhibits.set(key, exhibit);
      for (const column of set.show) exhibit.columns.add(column);
    }
  }
  return [...exhibits.values()];
}

function namesOf({ register, row, value, scheme }: SubjectHit): RecordExhibit["named"] {
  return {
    source_name: register.meta.manifest.source_name,
    source_id: register.attributes.id(row),
    value,
    scheme: scheme.type,
    ...(scheme.role !== undefined && { role: scheme.role }),
  };
}

function addAll<Key>(map: Map<Key, Set<string>>, key: Key, columns: readonly string[]): void {
  const known = map.get(key);
  if (known === undefined) map.set(key, new Set(columns));
  else for (const column of columns) known.add(column);
}

/** The order of evidence: largest overlap first, then nearest, then by source and id. All as printed. */
function byWeight(a: AreaExhibit, b: AreaExhibit): number {
  return (
    b.fact.overlapSquareMeters - a.fact.overlapSquareMeters ||
    a.fact.distanceMeters - b.fact.distanceMeters ||
    ascending(a.fact.sourceName, b.fact.sourceName) ||
    ascending(a.fact.id, b.fact.id)
  );
}

/** The order of records: by source, id, value, scheme and role, without one first. */
function bySubject({ named: a }: RecordExhibit, { named: b }: RecordExhibit): number {
  return (
    ascending(a.source_name, b.source_name) ||
    ascending(a.source_id, b.source_id) ||
    ascending(a.value, b.value) ||
    ascending(a.scheme, b.scheme) ||
    ascending(a.role ?? "", b.role ?? "")
  );
}

/** An evidence item: what was measured of an area, always against the plot. */
function areaEvidence({ fact, hasDistance, undetermined, columns }: AreaExhibit): AreaEvidence {
  const { attributes, meta } = fact.snapshot;
  return {
    source_name: fact.sourceName,
    source_id: fact.id,
    name: attributes.name(fact.area),
    country_iso3: attributes.countryIso3(fact.area),
    edition: meta.edition,
    overlap_area_m2: fact.overlapSquareMeters,
    overlap_ratio: fact.overlapRatio,
    area_overlap_ratio: fact.areaOverlapRatio,
    ...(hasDistance && { distance_m: fact.distanceMeters }),
    ...(undetermined && { undetermined: true }),
    ...(columns !== undefined && { properties: valuesOf(fact.snapshot, fact.area, columns) }),
  };
}

/** An evidence item: a record that an identifier of the input hits. */
function subjectEvidence({ hit: { register, row }, named, columns }: RecordExhibit): SubjectEvidence {
  const { source_name, source_id, ...identifier } = named;
  return {
    source_name,
    source_id,
    name: register.attributes.name(row),
    ...identifier,
    ...(columns.size > 0 && { properties: valuesOf(register, row, columns) }),
  };
}

function valuesOf(
  snapshot: Parameters<typeof columnReader>[0],
  row: number,
  columns: ReadonlySet<string>,
): Properties {
  return Object.fromEntries([...columns].map((column) => [column, columnReader(snapshot, column)(row)]));
}
