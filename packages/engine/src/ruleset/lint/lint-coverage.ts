import type { Bbox } from "../../geometry/earth/bbox.ts";
import { toDegreesBox } from "../../geometry/trees/cells.ts";
import type { Coverage } from "../../snapshot/coverage.ts";
import { type EngineSource, findSourceCoverage, isAssumed } from "../../sources/source-table.ts";
import type { BoundedCoverage } from "../../sources/territories.ts";
import type { LintFindings } from "../certain/findings.ts";

/** One name of an area set, and its sources. */
export interface LintedEntry {
  readonly name: string;
  readonly sources: readonly EngineSource[];
}

/** Finds sources without a declared coverage, and entries that can never cover one plot together. */
export function lintCoverage(entries: readonly LintedEntry[], pointer: string, findings: LintFindings): void {
  for (const [i, { sources }] of entries.entries()) {
    for (const source of sources) {
      const name = source.manifest.source_name;
      const hint = 'declare "coverage" in its manifest: "global", countries or polygons';
      if (findSourceCoverage(source)?.extent === "undeclared") {
        const message = `source "${name}" declares no coverage, and is assumed to cover every plot`;
        findings.info("COVERAGE_UNDECLARED", `${pointer}/${i}`, message, hint);
      } else if (isAssumed(source)) {
        const message = `source "${name}" declares no coverage, and is assumed to cover the countries of its areas`;
        findings.info("COVERAGE_ASSUMED", `${pointer}/${i}`, message, hint);
      }
    }
  }
  for (const [i, later] of entries.entries()) {
    const earlier = entries.slice(0, i).find((entry) => areApart(entry.sources, later.sources));
    if (earlier === undefined) continue;
    const message = `no plot is covered by both "${earlier.name}" and "${later.name}", so checks of the set always stay open`;
    const hint = "put two publishers of one theme into a group, and two themes into separate sets";
    findings.warn("COVERAGE_APART", `${pointer}/${i}`, message, hint);
  }
}

/** True if no plot can lie in the coverage of both groups of sources. */
function areApart(some: readonly EngineSource[], others: readonly EngineSource[]): boolean {
  const [a, b] = [listBoundedCoverages(some), listBoundedCoverages(others)];
  if (a === undefined || b === undefined) return false;
  return a.every((one) => b.every((other) => !mayMeet(one, other)));
}

/** The coverages of sources; undefined where one is not known, or has no bounds. */
function listBoundedCoverages(sources: readonly EngineSource[]): readonly BoundedCoverage[] | undefined {
  const coverages = sources.map(findSourceCoverage);
  const bounded = coverages.filter(isBounded);
  return bounded.length === coverages.length ? bounded : undefined;
}

function isBounded(coverage: Coverage | undefined): coverage is BoundedCoverage {
  return coverage !== undefined && "pieces" in coverage;
}

/** Countries meet in the strips along their borders, which both hold; what else there is, where boxes do. */
function mayMeet(a: BoundedCoverage, b: BoundedCoverage): boolean {
  if (a.extent === "countries" && b.extent === "countries") {
    const pieces = [...a.pieces.countries, ...b.pieces.countries, a.countries];
    return pieces.some((codes) => haveCommonCode(codes, a.countries) && haveCommonCode(codes, b.countries));
  }
  const [one, other] = [computeCoverageBox(a), computeCoverageBox(b)];
  return [-360, 0, 360].some((turn) => boxesMeet(one, other, turn));
}

function haveCommonCode(codes: readonly string[], others: readonly string[]): boolean {
  return codes.some((code) => others.includes(code));
}

/** The box of what a coverage holds. */
function computeCoverageBox(coverage: BoundedCoverage): Bbox {
  const { layer, countries } = coverage.pieces;
  const box: [number, number, number, number] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let ring = 0; ring < layer.ringCount; ring++) {
    const codes = countries[layer.ringAreas[ring]!]!;
    if (coverage.extent === "countries" && !haveCommonCode(codes, coverage.countries)) continue;
    const root = 4 * (layer.chainStarts[ring + 1]! - 1);
    const [west, south, east, north] = toDegreesBox(layer.chainBoxes, root);
    box[0] = Math.min(box[0], west);
    box[1] = Math.min(box[1], south);
    box[2] = Math.max(box[2], east);
    box[3] = Math.max(box[3], north);
  }
  return box;
}

function boxesMeet(a: Bbox, b: Bbox, turn: number): boolean {
  return a[0] <= b[2] + turn && a[2] >= b[0] + turn && a[1] <= b[3] && a[3] >= b[1];
}
