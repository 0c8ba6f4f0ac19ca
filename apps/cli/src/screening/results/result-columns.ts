import type { AreaEvidence, SubjectEvidence } from "@groundrule/engine";
import type { LineError } from "../../terminal/line-error.ts";
import type { CompactVerdict, ListedEvidence } from "./compact.ts";

/**
 * The columns of a result in every format that has columns, in order: a column `check:ID` for each check of the
 * ruleset, in its order, with the outcome if the check triggered, otherwise `not_triggered`, `not_covered`,
 * `not_declared` or `failed`.
 *
 * @param checks their ids
 */
export function listResultColumns(checks: readonly string[]): readonly string[] {
  return [
    "id",
    "verdict",
    "at_least",
    ...checks.map(formatCheckColumnName),
    "digest",
    "evidence",
    "error_code",
    "error_message",
  ];
}

/** The name of a check's column. */
function formatCheckColumnName(id: string): string {
  return `check:${id}`;
}

/** The edition is in the description of the run. */
type EvidenceMember = Exclude<keyof AreaEvidence | keyof SubjectEvidence, "edition" | "properties">;

/** Members of evidence, of areas and of records, apart from `properties`, which is a map of texts. */
export const EVIDENCE_MEMBERS: Readonly<Record<EvidenceMember, "boolean" | "real" | "text">> = {
  source_name: "text",
  source_id: "text",
  name: "text",
  country_iso3: "text",
  overlap_area_m2: "real",
  overlap_ratio: "real",
  area_overlap_ratio: "real",
  cells: "real",
  distance_m: "real",
  undetermined: "boolean",
  on: "text",
  value: "text",
  scheme: "text",
  role: "text",
};

/** A property's value as text; numbers and booleans as in JSON. */
export function formatPropertyValue(value: unknown): string | null {
  return value === null || value === undefined ? null : String(value);
}

/** A value per column: text or null, except for the evidence. */
export type ResultRow = readonly (string | null | readonly ListedEvidence[])[];

/** The row of an answered plot. */
export function buildVerdictRow(id: string | null, verdict: CompactVerdict): ResultRow {
  const { at_least, digest, evidence } = verdict;
  return [id, verdict.verdict, at_least, ...verdict.checks, digest, evidence, null, null];
}

/** The row of a refused plot. @param checks number of checks of the ruleset */
export function buildErrorRow(id: string | null, { code, message }: LineError, checks: number): ResultRow {
  return [id, null, null, ...Array<null>(checks).fill(null), null, null, code, message];
}
