import { type CrsTable, EngineError } from "@groundrule/engine";
import { readGeoJson } from "@groundrule/engine/internal";
import { englishFigures } from "@groundrule/words/figures";
import { createPlotFinding, toPropertyPointer } from "../check/plot-findings.ts";
import { findProducerProperties } from "../columns/member-columns.ts";
import { computeCountryKey, normalizeProducerName, type ToIso3 } from "../columns/producer-key.ts";
import type { FindingCode } from "../finding-codes.ts";
import type { PlotFeature } from "../plot-feature.ts";
import type { PlotFinding } from "../plot-finding.ts";
import { QUALITY } from "../quality-bounds.ts";
import { computeDistanceMeters } from "./on-the-ground.ts";

type Position = readonly [longitude: number, latitude: number];

/** A plot of a producer. */
interface Member {
  readonly number: number;
  readonly id: string | number;
  readonly line?: number | undefined;
  /** The name of the producer, as the plot has it. */
  readonly spelling: string;
  /** JSON pointer of the name. */
  readonly pointer: string;
  /** A position of the plot; undefined where none could be read. */
  readonly position: Position | undefined;
}

/**
 * Compares the plots of each producer: one that is far from the others, and names that are one but for case, accents,
 * signs and the order of their words. Memory holds a position and a name of each plot; the work is of the order of
 * n log n.
 */
export class ProducerGroups {
  readonly #groups = new Map<string, Member[]>();

  /**
   * Takes in a plot.
   *
   * @param position longitude and latitude of any place in the plot; undefined where none could be read
   * @param iso3Of codes of countries; absent: a country's code and its name are two countries
   */
  add(plot: PlotFeature, position: Position | undefined, iso3Of?: ToIso3): void {
    const { number, id, line, properties } = plot;
    const { name, country, nameColumn } = findProducerProperties(properties);
    if (typeof name !== "string") return;
    const key = computeNameKey(name);
    if (key === "") return;
    const group = `${key}\n${computeCountryKey(country, iso3Of)}`;
    const member = {
      ...{
        number,
        id,
        spelling: name.trim().replace(/\s+/g, " "),
        pointer: toPropertyPointer(nameColumn),
        position,
      },
      ...(line !== undefined && { line }),
    };
    const members = this.#groups.get(group);
    if (members === undefined) this.#groups.set(group, [member]);
    else members.push(member);
  }

  /** The findings of all plots together, by producer in the order of the file. */
  *findings(): Generator<PlotFinding, void, undefined> {
    for (const members of this.#groups.values()) {
      yield* findDifferingSpellings(members);
      yield* findFarPlots(members);
    }
  }
}

/**
 * A position of a plot, longitude and latitude; undefined where none can be read.
 *
 * @param crsTable CRSs that are known besides longitude and latitude
 */
export function placeIn({ geometry, crs }: PlotFeature, crsTable?: CrsTable): Position | undefined {
  try {
    const { parts, faults } = readGeoJson(geometry as object, { crs, crsTable, pointer: "" });
    const [longitude, latitude] = parts[0]?.[0] ?? [];
    if (faults.length > 0 || longitude === undefined || latitude === undefined) return undefined;
    return [longitude, latitude];
  } catch (error) {
    if (error instanceof EngineError) return undefined;
    throw error;
  }
}

/** A name without case, accents and signs, its words in one order: `Silva, José da` and `JOSE DA SILVA` are one. */
function computeNameKey(name: string): string {
  return normalizeProducerName(name)
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter((word) => word !== "")
    .sort()
    .join(" ");
}

/** Each spelling but the most frequent, once, at the first plot that has it. */
function* findDifferingSpellings(members: readonly Member[]): Generator<PlotFinding, void, undefined> {
  const bySpelling = new Map<string, { readonly first: Member; count: number }>();
  for (const member of members) {
    const known = bySpelling.get(member.spelling);
    if (known === undefined) bySpelling.set(member.spelling, { first: member, count: 1 });
    else known.count++;
  }
  if (bySpelling.size === 1) return;
  const [most, ...others] = [...bySpelling.values()].sort((a, b) => b.count - a.count);
  for (const { first, count } of others) {
    yield createMemberFinding("PRODUCER_SPELLINGS", first, first.pointer, {
      found: `${JSON.stringify(first.spelling)} in ${formatPlotCount(count)}`,
      expected: `one spelling of a producer: ${JSON.stringify(most!.first.spelling)} in ${formatPlotCount(most!.count)}, first in plot ${most!.first.number}`,
      measure: { value: bySpelling.size, bound: 1, unit: "spellings" },
    });
  }
}

function* findFarPlots(members: readonly Member[]): Generator<PlotFinding, void, undefined> {
  const { leastPlots, meters, medians } = QUALITY.group;
  const placed = members.filter((member): member is Placed => member.position !== undefined);
  if (placed.length < leastPlots) return;
  const middle = computeMedianPosition(placed.map(({ position }) => position));
  const distances = placed.map(({ position }) => computeDistanceMeters(position, middle));
  const usual = computeLowerMedian(distances);
  const bound = Math.max(meters, medians * usual);
  for (const [i, member] of placed.entries()) {
    const distance = distances[i]!;
    if (distance <= bound) continue;
    yield createMemberFinding("FAR_FROM_GROUP", member, "/geometry", {
      found: `${englishFigures.distance(distance, bound)} from the middle of the ${placed.length} plots of ${JSON.stringify(member.spelling)}, half of which are within ${englishFigures.distance(usual)}`,
      expected: `${englishFigures.distance(bound)} or less`,
      position: [member.position[0], member.position[1]],
      measure: { value: distance, bound, unit: "meters" },
    });
  }
}

type Placed = Member & { readonly position: Position };

/** The median longitude and the median latitude; longitudes are counted from the first, so that ±180 is no border. */
function computeMedianPosition(positions: readonly Position[]): Position {
  const [from] = positions[0]!;
  const east = positions.map(([longitude]) => {
    const degrees = longitude - from;
    return degrees - 360 * Math.round(degrees / 360);
  });
  return [from + computeLowerMedian(east), computeLowerMedian(positions.map(([, latitude]) => latitude))];
}

/** The middle one of some numbers, of an even count the lower. */
function computeLowerMedian(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[(values.length - 1) >> 1]!;
}

function formatPlotCount(count: number): string {
  return count === 1 ? "1 plot" : `${count} plots`;
}

function createMemberFinding(
  code: FindingCode,
  { number, id, line }: Member,
  pointer: string,
  details: Parameters<typeof createPlotFinding>[3],
): PlotFinding {
  return createPlotFinding({ number, id, ...(line !== undefined && { line }) }, code, pointer, details);
}
