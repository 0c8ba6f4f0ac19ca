import { compareStrings } from "../../base/ascending.ts";
import type { WorkMeter } from "../../base/work-meter.ts";
import type {
  AreaEvidence,
  CheckResult,
  Evidence,
  Properties,
  SubjectEvidence,
} from "../../verdict/verdict.ts";
import type { CheckPlan, ComparedSets, SetPlan } from "../compile/compile.ts";
import type { AreaFact } from "../measures/area-facts.ts";
import { createColumnReader } from "../measures/columns.ts";
import type { Grounds } from "../select/land.ts";
import type { Selector, SubjectHit } from "../select/select.ts";

/** Evidence of a check, cut to a number of items. */
export interface GatheredEvidence extends Pick<CheckResult, "undetermined" | "evidence" | "evidence_total"> {
  /** The areas with which the evidence begins. */
  readonly exhibited: readonly AreaFact[];
}

/** Units of work of an area or a record that is ranked as evidence. */
const EVIDENCE_UNITS = 200;

/**
 * Evidence from the sets of a check: areas on the plot, then on the property, then records; each item once, however
 * many sets hold it.
 */
export function gatherEvidence(
  check: CheckPlan,
  { plot: selector, property }: Grounds["selectors"],
  limit: number,
  meter: WorkMeter,
): GatheredEvidence {
  const exhibits = gatherAreaExhibits(check, selector, meter);
  const ofProperty = property === undefined ? [] : gatherOfSets(check.onProperty, property, meter);
  const hasRecords = check.compared.some(({ kind }) => kind === "subject");
  const records = hasRecords ? gatherRecordExhibits(check.compared, selector) : [];
  const exhibited = exhibits.length > limit ? exhibits.slice(0, limit) : exhibits;
  const evidence: Evidence[] = exhibited.map(buildAreaEvidence);
  for (const exhibit of ofProperty.slice(0, limit - evidence.length)) {
    evidence.push({ ...buildAreaEvidence(exhibit), on: "property" });
  }
  for (const record of records.slice(0, limit - evidence.length)) evidence.push(buildSubjectEvidence(record));
  let undetermined = 0;
  for (const exhibit of exhibits) if (exhibit.undetermined) undetermined++;
  for (const exhibit of ofProperty) if (exhibit.undetermined) undetermined++;
  return {
    undetermined,
    evidence,
    evidence_total: exhibits.length + ofProperty.length + records.length,
    exhibited: exhibited.map(({ fact }) => fact),
  };
}

/** An area that is evidence of a check. */
interface AreaExhibit {
  readonly fact: AreaFact;
  /** A set of the check selects by distance, and selected this area. */
  hasDistance: boolean;
  undetermined: boolean;
  /** Columns to show. */
  columns: Set<string> | undefined;
}

/** The areas of a check in the order of evidence. */
function gatherAreaExhibits(check: CheckPlan, selector: Selector, meter: WorkMeter): AreaExhibit[] {
  const [set, ...others] = check.compared;
  if (set === undefined || set.kind === "subject" || others.length > 0 || check.showing.length > 0)
    return gatherOfSets(check, selector, meter);
  const { areas, undetermined } = selector.get(set);
  if (undetermined.length > 0) return gatherOfSets(check, selector, meter);
  meter.add(EVIDENCE_UNITS * areas.length);
  const hasDistance = set.kind === "area" && set.within !== undefined;
  const exhibits = areas.map((fact) => ({ fact, hasDistance, undetermined: false, columns: undefined }));
  return sortItems(exhibits, compareAreaExhibits);
}

/** The same where an area may be found twice, or has columns to show. */
function gatherOfSets(
  { compared, showing }: ComparedSets,
  selector: Selector,
  meter: WorkMeter,
): AreaExhibit[] {
  const exhibits = new Map<AreaFact, AreaExhibit>();
  for (const set of compared) {
    if (set.kind === "subject") continue;
    const { areas, undetermined } = selector.get(set);
    meter.add(EVIDENCE_UNITS * (areas.length + undetermined.length));
    const hasDistance = set.kind === "area" && set.within !== undefined;
    for (const fact of areas) getOrAddExhibit(exhibits, fact, hasDistance);
    for (const fact of undetermined) getOrAddExhibit(exhibits, fact, hasDistance).undetermined = true;
  }
  for (const set of showing) {
    const { areas, undetermined } = selector.get(set);
    for (const facts of [areas, undetermined]) {
      for (const fact of facts) {
        const shown = exhibits.get(fact);
        if (shown !== undefined) shown.columns = new Set([...(shown.columns ?? []), ...set.show]);
      }
    }
  }
  return sortItems([...exhibits.values()], compareAreaExhibits);
}

function getOrAddExhibit(
  exhibits: Map<AreaFact, AreaExhibit>,
  fact: AreaFact,
  hasDistance: boolean,
): AreaExhibit {
  let known = exhibits.get(fact);
  if (known === undefined) {
    known = { fact, hasDistance, undetermined: false, columns: undefined };
    exhibits.set(fact, known);
  } else if (hasDistance) known.hasDistance = true;
  return known;
}

function sortItems<Item>(items: Item[], order: (a: Item, b: Item) => number): Item[] {
  return items.length > 1 ? items.sort(order) : items;
}

/** A record that is evidence of a check, for one pair of its identifiers and the input's. */
interface RecordExhibit {
  readonly hit: SubjectHit;
  readonly named: Pick<SubjectEvidence, "source_name" | "source_id" | "value" | "scheme" | "role">;
  /** Columns to show. */
  readonly columns: Set<string>;
}

function gatherRecordExhibits(sets: Iterable<SetPlan>, selector: Selector): RecordExhibit[] {
  const exhibits = new Map<string, RecordExhibit>();
  for (const set of sets) {
    if (set.kind !== "subject") continue;
    for (const hit of selector.get(set).hits) {
      const named = describeNamedRecord(hit);
      const key = JSON.stringify(Object.values(named));
      const known = exhibits.get(key);
      const exhibit = known ?? { hit, named, columns: new Set<string>() };
      if (known === undefined) exhibits.set(key, exhibit);
      for (const column of set.show) exhibit.columns.add(column);
    }
  }
  return sortItems([...exhibits.values()], compareRecordExhibits);
}

function describeNamedRecord({ register, row, value, scheme }: SubjectHit): RecordExhibit["named"] {
  return {
    source_name: register.meta.manifest.source_name,
    source_id: register.attributes.id(row),
    value,
    scheme: scheme.type,
    ...(scheme.role !== undefined && { role: scheme.role }),
  };
}

/** The order of evidence: largest overlap first, then nearest, then by source and id. All as printed. */
function compareAreaExhibits(a: AreaExhibit, b: AreaExhibit): number {
  return (
    b.fact.overlapSquareMeters - a.fact.overlapSquareMeters ||
    a.fact.distanceMeters - b.fact.distanceMeters ||
    compareStrings(a.fact.sourceName, b.fact.sourceName) ||
    compareStrings(a.fact.id, b.fact.id)
  );
}

/** The order of records: by source, id, value, scheme and role, without one first. */
function compareRecordExhibits({ named: a }: RecordExhibit, { named: b }: RecordExhibit): number {
  return (
    compareStrings(a.source_name, b.source_name) ||
    compareStrings(a.source_id, b.source_id) ||
    compareStrings(a.value, b.value) ||
    compareStrings(a.scheme, b.scheme) ||
    compareStrings(a.role ?? "", b.role ?? "")
  );
}

/** An evidence item: what was measured of an area against the land of its fact. */
function buildAreaEvidence({ fact, hasDistance, undetermined, columns }: AreaExhibit): AreaEvidence {
  if (!hasDistance && !undetermined && columns === undefined) return fact.evidence;
  return {
    ...fact.evidence,
    ...(hasDistance && { distance_m: fact.distanceMeters }),
    ...(undetermined && { undetermined: true }),
    ...(columns !== undefined && { properties: readColumnValues(fact.snapshot, fact.area, columns) }),
  };
}

/** An evidence item: a record that an identifier of the input hits. */
function buildSubjectEvidence({ hit: { register, row }, named, columns }: RecordExhibit): SubjectEvidence {
  const { source_name, source_id, ...identifier } = named;
  return {
    source_name,
    source_id,
    name: register.attributes.name(row),
    ...identifier,
    ...(columns.size > 0 && { properties: readColumnValues(register, row, columns) }),
  };
}

function readColumnValues(
  snapshot: Parameters<typeof createColumnReader>[0],
  row: number,
  columns: ReadonlySet<string>,
): Properties {
  return Object.fromEntries(
    [...columns].map((column) => [column, createColumnReader(snapshot, column)(row)]),
  );
}
