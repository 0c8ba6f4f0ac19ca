import { ascending } from "../base/ascending.ts";
import type { AreaEvidence, SubjectEvidence } from "../verdict/verdict.ts";
import type { AreaFact } from "./measures/area-facts.ts";
import type { SubjectHit } from "./select.ts";

/** An area that stands as evidence of a check. */
export interface AreaExhibit {
  readonly fact: AreaFact;
  /** A set of the check selects by distance, and selected this area. */
  readonly hasDistance: boolean;
  readonly undetermined: boolean;
}

/** The order of evidence: largest overlap first, then nearest, then by source and id. All as printed. */
export function byWeight(a: AreaExhibit, b: AreaExhibit): number {
  return (
    b.fact.overlapSquareMeters - a.fact.overlapSquareMeters ||
    a.fact.distanceMeters - b.fact.distanceMeters ||
    ascending(a.fact.sourceName, b.fact.sourceName) ||
    ascending(a.fact.id, b.fact.id)
  );
}

/** The order of records: by source, id, value, scheme and role, without one first. */
export function bySubject(a: SubjectEvidence, b: SubjectEvidence): number {
  return (
    ascending(a.source_name, b.source_name) ||
    ascending(a.source_id, b.source_id) ||
    ascending(a.value, b.value) ||
    ascending(a.scheme, b.scheme) ||
    ascending(a.role ?? "", b.role ?? "")
  );
}

/** An evidence item: what was measured of an area, always against the plot. */
export function areaEvidence({ fact, hasDistance, undetermined }: AreaExhibit): AreaEvidence {
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
  };
}

/** An evidence item: a record that an identifier of the input hits. */
export function subjectEvidence({ register, row, value, scheme }: SubjectHit): SubjectEvidence {
  return {
    source_name: register.meta.manifest.source_name,
    source_id: register.attributes.id(row),
    value,
    scheme: scheme.type,
    ...(scheme.role !== undefined && { role: scheme.role }),
  };
}
