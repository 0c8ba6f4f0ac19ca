import { compareStrings } from "../base/ascending.ts";
import { EngineError } from "../base/errors.ts";
import { ANSWER_WORK, startWorkMeter, type WorkMeter } from "../base/work-meter.ts";
import type { PreparedArea } from "../geometry/plot/mend/prepare-area.ts";
import { describeValue } from "../shape/describe-value.ts";
import type { ColumnType } from "../snapshot/manifest.ts";
import { openSnapshot } from "../snapshot/read/reader.ts";
import type { AreaSnapshot, AttributeValue } from "../snapshot/snapshot.ts";
import { snapshotBytes } from "../snapshot/write/snapshot-bytes.ts";
import { createCandidateWriter } from "../snapshot/write/writer.ts";
import type { CandidateArea, CandidateReader, LiveExcess } from "../sources/live-source.ts";
import { AreaBuilder, fitsColumn, parseCountryCode, toAttribute, toLabel } from "./area-builder.ts";

/** Most candidates of one live source in one question. */
export const MAX_CANDIDATES = 10_000;
/** Units of work to check and repair the candidates of one live source, for one question. */
const PREPARING_WORK = 4 * ANSWER_WORK;

/**
 * Makes an edition of the candidates of a live source, for one question: orders them by id, checks and repairs each
 * as a build does, and takes what cannot be an area for left out. Its digest is that of the snapshot which
 * `snapshotOf` would make of these areas in that order, with the same columns, category and coverage.
 *
 * What is no candidate makes the source fail with a reason: whoever asked the source erred, and the question did not.
 * Too many of them, or those that take too much work to check, are the question's fault.
 */
export const candidateAreas: CandidateReader = (source, candidates, host) => {
  try {
    return readCandidates(source, candidates, host);
  } catch (error) {
    if (error instanceof EngineError) return { failed: error.message };
    // A getter, a proxy: no plain data.
    if (error instanceof CandidateFault) return { failed: error.message };
    if (error instanceof TooMuch) return { excess: error.excess };
    throw error;
  }
};

/** A fault in candidates, in words for people. */
class CandidateFault extends Error {}

/** Thrown where a question wants more areas than are read for one. */
class TooMuch extends Error {
  readonly excess: LiveExcess;

  constructor(excess: LiveExcess) {
    super("the query exceeds its limits");
    this.excess = excess;
  }
}

const readCandidates: CandidateReader = ({ manifest, live }, candidates, { crs: crsTable, onMeter }) => {
  if (candidates.length > MAX_CANDIDATES) {
    throw new TooMuch({ unit: "areas", found: candidates.length, allowed: MAX_CANDIDATES });
  }
  const columns = Object.entries(manifest.columns ?? {});
  const { coverage, coverage_known, ...declared } = manifest;
  const writer = createCandidateWriter(declared, live.content, { crc32: noChecksum });
  const meter = startWorkMeter(onMeter, PREPARING_WORK);
  const builder = new AreaBuilder(writer, { crsTable, meter });
  let leftOut = 0;
  for (const candidate of sortCandidates(candidates)) {
    const { id } = candidate;
    const properties = readAttributes(candidate, columns);
    const area = prepareCandidate(builder, candidate, manifest.crs, meter);
    if (area instanceof EngineError) {
      leftOut++;
      if (!builder.leaveOut(candidate.geometry, manifest.crs)) builder.leaveOutWithin(undefined);
      continue;
    }
    // Its repair may not be what was meant, and nobody is there to allow it.
    if (area.loss !== undefined) builder.leaveOut(candidate.geometry, manifest.crs);
    const countryIso3 =
      parseCountryCode(toTextOrNull(candidate.country_iso3)) ?? manifest.country_iso3 ?? null;
    const { polygons } = area;
    builder.add({ id, name: toLabel(toTextOrNull(candidate.name)), countryIso3, polygons, properties });
  }
  const { buffer } = snapshotBytes(builder.finish());
  const snapshot = openSnapshot(buffer, { crc32: noChecksum }) as AreaSnapshot;
  const described = { ...snapshot.meta.manifest, ...(coverage && { coverage, coverage_known }) };
  const meta = { ...snapshot.meta, manifest: described };
  return { snapshot: { ...snapshot, meta, coverage: live.coverage }, leftOut };
};

/** The bytes never leave this thread. */
const noChecksum = (): number => 0;

/** By id, each once. Fails: {@link CandidateFault} for what has no id, and for an id that differing areas share. */
function sortCandidates(candidates: readonly CandidateArea[]): CandidateArea[] {
  for (const [i, candidate] of candidates.entries()) {
    const id: unknown = (candidate as Partial<CandidateArea> | null)?.id;
    if (typeof id === "string" && id !== "" && id.isWellFormed()) continue;
    throw new CandidateFault(`found ${describeValue(id)} as the id of candidate ${i + 1}, expected a text`);
  }
  const sorted = [...candidates].sort((a, b) => compareStrings(a.id, b.id));
  return sorted.filter((candidate, i) => {
    const before = sorted[i - 1];
    if (before === undefined || before.id !== candidate.id) return true;
    if (JSON.stringify(before) === JSON.stringify(candidate)) return false;
    throw new CandidateFault(
      `two areas have the id ${JSON.stringify(candidate.id)}, expected a column of unique ids`,
    );
  });
}

/** The area of a candidate, or why it can be none. */
function prepareCandidate(
  builder: AreaBuilder,
  { id, geometry }: CandidateArea,
  crs: string | undefined,
  meter: WorkMeter,
): PreparedArea | EngineError {
  try {
    return builder.prepare({ type: "Feature", geometry }, crs);
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    const { counted, allowed } = meter;
    if (counted > allowed) throw new TooMuch({ unit: "units of work", found: counted, allowed });
    throw new CandidateFault(`candidate ${JSON.stringify(id)}: ${error.message}`);
  }
}

function readAttributes(
  { id, properties }: CandidateArea,
  columns: readonly (readonly [string, ColumnType])[],
): Record<string, AttributeValue> {
  const attributes: Record<string, AttributeValue> = Object.create(null);
  for (const [column, type] of columns) {
    const value: unknown =
      properties !== null && typeof properties === "object" && Object.hasOwn(properties, column)
        ? properties[column]
        : null;
    if (value === null || value === undefined) {
      attributes[column] = null;
      continue;
    }
    if (!fitsColumn(value, type)) {
      const found = `${describeValue(value)} in column "${column}" of candidate ${JSON.stringify(id)}`;
      throw new CandidateFault(`found ${found}, expected a ${type} or null`);
    }
    attributes[column] = toAttribute(value) as AttributeValue;
  }
  return attributes;
}

/** Anything else that a candidate has in place of a text counts as missing. */
function toTextOrNull(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}
