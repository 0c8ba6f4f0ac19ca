import type { OverlapGeometry } from "../geometry/overlap/overlap-geometry.ts";
import type { Warning } from "../geometry/plot/plot.ts";
import type { AreaEvidence, Evidence, Verdict } from "./schema.ts";

export type { FactDocument, FactValue } from "./fact-shape.ts";

export type {
  AreaEvidence,
  AreaOverlap,
  AtLeast,
  CheckResult,
  ComparisonOperator,
  ComparisonResult,
  DeclaredComparison,
  DeclaredFact,
  Evidence,
  Groups,
  NamedArea,
  NeededFact,
  OpenReason,
  Outcome,
  Properties,
  Resolution,
  SourceCoverage,
  SourceOutcome,
  SubjectEvidence,
  Verdict,
  VerdictInput,
  VerdictStatus,
} from "./schema.ts";

/** Distinguishes evidence of an area from evidence of a record. */
export function isAreaEvidence(evidence: Evidence): evidence is AreaEvidence {
  return "overlap_area_m2" in evidence;
}

/** Answer of a policy: the verdict, and data outside of the verdict. Frozen except for coordinates. */
export interface Evaluation extends Verdict {
  /** If requested: one for each area that is evidence of some check, in the order of the checks. */
  readonly overlaps?: readonly EvidenceOverlap[];
  readonly warnings: readonly Warning[];
}

/** The verdict of an evaluation alone, as it travels and is recorded. */
export function verdictOf({ overlaps: _, warnings: __, ...verdict }: Evaluation): Verdict {
  return verdict;
}

/** The part of an area of the evidence that lies in the plot. */
export interface EvidenceOverlap {
  readonly source_name: string;
  readonly source_id: string;
  /** Null with `geometry_status` where it exceeds what work is left to the answer, and where there is none. */
  readonly geometry: OverlapGeometry | null;
  readonly geometry_status?: "too_complex";
}
