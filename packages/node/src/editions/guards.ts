import type { StoredManifest } from "@groundrule/engine";
import { englishFigures } from "@groundrule/words/figures";

/** Reasons that stop an edition from becoming current; each can be allowed. */
export const GUARDS = ["empty", "left-out", "malformed", "shrunk", "narrowed", "regrouped"] as const;

/** One of {@link GUARDS}. */
export type Guard = (typeof GUARDS)[number];

/** The reason why an edition does not become current. */
export interface GuardFinding {
  /** The guard that objects. */
  readonly guard: Guard;
  /** Message for people with the found and the expected value. */
  readonly message: string;
  /**
   * The edition's number of areas or records, features left out, malformed identifiers, square metres or values; or the
   * number of lost items.
   */
  readonly found: number;
  /** The limit that passes: a minimum, or for left-out features a maximum. */
  readonly allowed: number;
}

/** The measures of an edition that the guards check. */
export interface EditionExtent {
  /** Kind of the source. */
  readonly kind: "leaf" | "subject_register";
  /** Number of areas or records. */
  readonly featureCount: number;
  /** Total area, for areas. */
  readonly squareMeters?: number | undefined;
  /** Number of features or rows of the source, if known. */
  readonly read?: number | undefined;
  /** Number of features that are not in the edition, if known. */
  readonly leftOut?: number | undefined;
  /** Number of a register's cells with an identifier of a scheme with a known form, if known. */
  readonly identifiers?: number | undefined;
  /** Number of these cells that violate their scheme. */
  readonly malformed?: number | undefined;
  /** The edition's manifest, if known. */
  readonly manifest?: StoredManifest | undefined;
  /** For each column, the number of areas or records with a value in it, if known. */
  readonly filled?: Readonly<Record<string, number>> | undefined;
}

/** Maximum share of a source's features that may be left out. */
const LEFT_OUT_SHARE = 0.01;
/** Maximum share of a register's identifiers that may violate their scheme. */
const MALFORMED_SHARE = 0.01;
/** Minimum share of the current edition that the next one must have. */
const LEAST_SHARE = 0.5;

/**
 * The reasons why an edition should not become current unless allowed: it is empty (`empty`), more than 1 % of its
 * source was left out (`left-out`), more than 1 % of its identifiers violate their scheme (`malformed`), it has fewer
 * than half of the areas, records or square metres of the current edition (`shrunk`), it loses declared coverage, a
 * column or the values of one (`narrowed`), or its manifest leaves a group (`regrouped`). An empty edition is not
 * reported as shrunk or narrowed too.
 *
 * @param current absent for the first edition of a source
 */
export function listGuardFindings(
  edition: EditionExtent,
  current: EditionExtent | undefined,
): GuardFinding[] {
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
  const { identifiers = 0, malformed = 0 } = edition;
  if (malformed > identifiers * MALFORMED_SHARE) {
    const message = `identifiers that their scheme excludes are in ${malformed} of ${identifiers} rows, and at most 1 % may have one`;
    const allowed = Math.floor(identifiers * MALFORMED_SHARE);
    findings.push({ guard: "malformed", message, found: malformed, allowed });
  }
  if (current === undefined) return findings;
  for (const finding of listRegroupedFindings(edition, current)) findings.push(finding);
  if (featureCount === 0) return findings;
  for (const finding of listNarrowedFindings(edition, current)) findings.push(finding);
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
    const message = `the areas of the edition have ${englishFigures.area(found, allowed)}, less than half of the ${englishFigures.area(before)} of the current one`;
    findings.push({ guard: "shrunk", message, found, allowed });
  }
  return findings;
}

function listRegroupedFindings(
  { manifest: is }: EditionExtent,
  { manifest: was }: EditionExtent,
): GuardFinding[] {
  if (is === undefined) return [];
  const left = (was?.groups ?? []).filter((group) => !is.groups?.includes(group));
  if (left.length === 0) return [];
  const message = `the manifest no longer joins ${formatQuotedList(left)}; the group keeps its member until groundrule sources group defines it anew`;
  return [{ guard: "regrouped", message, found: left.length, allowed: 0 }];
}

function listNarrowedFindings(edition: EditionExtent, current: EditionExtent): GuardFinding[] {
  const findings: GuardFinding[] = [];
  const narrowed = (message: string, found: number, allowed: number) =>
    findings.push({ guard: "narrowed", message, found, allowed });
  const [is, was] = [edition.manifest, current.manifest];
  if (is !== undefined && was !== undefined) {
    const lost = describeLostCoverage(was, is);
    if (lost !== undefined) narrowed(lost, 1, 0);
    for (const [column, type] of Object.entries(was.columns ?? {})) {
      const now = findOwnValue(is.columns, column);
      if (now === type) continue;
      const loss = now === undefined ? "has no column" : `makes a ${now} of the ${type}`;
      narrowed(`the edition ${loss} "${column}", which rulesets may read`, 1, 0);
    }
  }
  const things = edition.kind === "leaf" ? "areas" : "records";
  for (const [column, before] of Object.entries(current.filled ?? {})) {
    const found = findOwnValue(edition.filled, column);
    if (found === undefined || current.featureCount === 0) continue;
    const allowed = Math.ceil((before / current.featureCount) * LEAST_SHARE * edition.featureCount);
    if (found >= allowed) continue;
    const message = `column "${column}" has a value in ${found} of ${edition.featureCount} ${things}, and had one in ${before} of ${current.featureCount}`;
    narrowed(message, found, allowed);
  }
  return findings;
}

/** Coverage that an edition no longer declares, in words; undefined if it declares no less. */
function describeLostCoverage(was: StoredManifest, is: StoredManifest): string | undefined {
  if (was.coverage === undefined || was.coverage_known === "derived") return undefined;
  const before = typeof was.coverage === "string" ? was.coverage : was.coverage.join(", ");
  if (is.coverage === undefined || is.coverage_known === "derived") {
    return `the manifest declares no coverage, and declared ${before}`;
  }
  if (was.coverage === "global" && is.coverage !== "global") {
    return `the coverage is no longer global, but ${typeof is.coverage === "string" ? is.coverage : is.coverage.join(", ")}`;
  }
  if (typeof was.coverage === "string" || typeof is.coverage === "string") return undefined;
  const lost = was.coverage.filter((country) => !is.coverage?.includes(country));
  return lost.length === 0 ? undefined : `the coverage loses ${lost.join(", ")}`;
}

function findOwnValue<Value>(
  of: Readonly<Record<string, Value>> | undefined,
  name: string,
): Value | undefined {
  return of !== undefined && Object.hasOwn(of, name) ? of[name] : undefined;
}

function formatQuotedList(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(", ");
}
