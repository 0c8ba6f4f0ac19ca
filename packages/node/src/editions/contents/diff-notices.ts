import type { Snapshot } from "@groundrule/engine/build";
import { englishFigures } from "@groundrule/words/figures";
import type { DiffNotice, EditionDiff } from "../../catalog/edition-diff.ts";

/** Maximum changed share of the earlier edition without a notice. */
const MOST = 0.5;

/** Changes that no guard stops and that people should know about: see docs/guides/keep-data-fresh.md. */
export function listDiffNotices(
  before: Snapshot,
  after: Snapshot,
  diff: Pick<EditionDiff, "counts" | "square_meters">,
  isOtherLattice: boolean,
): DiffNotice[] {
  const notices = [
    ...listLostCountryNotices(before, after),
    ...listCoverageNotices(before, after),
    ...listReplacementNotices(diff),
  ];
  if (isOtherLattice) notices.push({ code: "GRID_CHANGED", message: OTHER_LATTICE });
  return notices;
}

const OTHER_LATTICE = "the cells lie on another lattice, so they are not compared";

function listLostCountryNotices(before: Snapshot, after: Snapshot): DiffNotice[] {
  const still = new Set(after.meta.country_coverage);
  const lost = before.meta.country_coverage.filter((country) => !still.has(country));
  if (lost.length === 0) return [];
  return [{ code: "COUNTRY_LOST", message: `no area is left in ${lost.join(", ")}` }];
}

function listCoverageNotices(before: Snapshot, after: Snapshot): DiffNotice[] {
  const [was, is] = [before, after].map(({ meta }) => describeCoverage(meta.manifest.coverage));
  if (was === is) return [];
  return [{ code: "COVERAGE_CHANGED", message: `the source covered ${was}, and covers ${is}` }];
}

function describeCoverage(coverage: Snapshot["meta"]["manifest"]["coverage"]): string {
  if (coverage === undefined) return "what it does not declare";
  return typeof coverage === "string" ? coverage : coverage.join(", ");
}

/** The same number of areas in other places: neither count nor sum shows it. */
function listReplacementNotices({
  counts,
  square_meters,
}: Pick<EditionDiff, "counts" | "square_meters">): DiffNotice[] {
  const notices: DiffNotice[] = [];
  const keptCount = counts.before - counts.removed;
  if (keptCount < counts.before * MOST) {
    const message = `${keptCount} of the ${counts.before} that were there are left`;
    notices.push({ code: "MOSTLY_REPLACED", message });
  }
  if (square_meters === undefined) return notices;
  const { before, lost } = square_meters;
  const kept = Math.max(before - lost, 0);
  if (kept < before * MOST) {
    const share = englishFigures.share(kept / before, MOST);
    notices.push({ code: "MOSTLY_REPLACED", message: `${share} of the area that was there is left` });
  }
  return notices;
}
