import { FIGURES } from "@groundrule/engine/figures";

/** What keeps an edition from becoming current; each can be allowed. */
export const GUARDS = ["empty", "left-out", "shrunk"] as const;

/** One of {@link GUARDS}. */
export type Guard = (typeof GUARDS)[number];

/** Why an edition does not become current. */
export interface GuardFinding {
  /** The guard that objects. */
  readonly guard: Guard;
  /** For people: what was found, and what was expected. */
  readonly message: string;
  /** What the edition has: areas or records, features left out, or square metres. */
  readonly found: number;
  /** The least, or of what was left out the most, that passes. */
  readonly allowed: number;
}

/** What the guards look at. */
export interface EditionExtent {
  /** Of the source. */
  readonly kind: "leaf" | "subject_register";
  /** Areas or records. */
  readonly featureCount: number;
  /** Of areas. */
  readonly squareMeters?: number | undefined;
  /** Features or rows of the source, where that is known. */
  readonly read?: number | undefined;
  /** Of them, those that are not in the edition, where that is known. */
  readonly leftOut?: number | undefined;
}

/** Share of a source's features that may be left out. */
const LEFT_OUT_SHARE = 0.01;
/** Share of the current edition that the next one must have. */
const LEAST_SHARE = 0.5;

/**
 * Why an edition should not become current unless it is allowed: it has nothing (`empty`), more than 1 % of its
 * source was left out (`left-out`), or it has fewer than half of the areas, records or square metres of the
 * current edition (`shrunk`). One that is empty is not told to have shrunk as well.
 *
 * @param current absent for the first edition of a source
 */
export function guardFindings(edition: EditionExtent, current: EditionExtent | undefined): GuardFinding[] {
  const findings: GuardFinding[] = [];
  const { featureCount, leftOut = 0 } = edition;
  const things = edition.kind === "leaf" ? "areas" : "records";
  if (featureCount === 0) {
    findings.push({ guard: "empty", message: `the edition has no ${things}`, found: 0, allowed: 1 });
  }
  const read = edition.read ?? featureCount + leftOut;
  if (leftOut > read * LEFT_OUT_SHARE) {
    const message = `${leftOut} of ${read} features or rows were left out, and at most 1 % may be`;
    const allowed = Math.floor(read * LEFT_OUT_SHARE);
    findings.push({ guard: "left-out", message, found: leftOut, allowed });
  }
  if (current === undefined || featureCount === 0) return findings;
  const leastCount = Math.ceil(current.featureCount * LEAST_SHARE);
  if (featureCount < leastCount) {
    const message = `the edition has ${featureCount} ${things}, fewer than half of the ${current.featureCount} of the current one`;
    findings.push({ guard: "shrunk", message, found: featureCount, allowed: leastCount });
  }
  const before = current.squareMeters;
  const found = edition.squareMeters;
  if (before === undefined || found === undefined) return findings;
  const allowed = before * LEAST_SHARE;
  if (found < allowed) {
    const message = `the areas of the edition have ${FIGURES.en.area(found, allowed)}, less than half of the ${FIGURES.en.area(before)} of the current one`;
    findings.push({ guard: "shrunk", message, found, allowed });
  }
  return findings;
}
