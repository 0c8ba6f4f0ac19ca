import { type CrsTable, EngineError, parsePlot } from "@groundrule/engine";
import { toPositions } from "@groundrule/engine/internal";

/** A line that ends where it starts is a border; ends up to this far apart are one place to every receiver, metres. */
const CLOSED_METERS = 1;

/** Lines, read as borders. */
export type LineBorders =
  | {
      /** Closed rings, flat `[x, y, …]`, each the border of one polygon. */
      readonly rings: readonly Float64Array[];
    }
  | {
      /** The widest gap that keeps the lines from being a border, metres. */
      readonly gapMeters: number;
    };

/**
 * Lines as borders: each that ends where it starts, or all of them in their order as one, each beginning where the one
 * before it ends. Gaps up to a limit are closed by a straight edge.
 *
 * @param lines flat `[x, y, …]` as written, none empty
 * @param options.mostMeters the widest gap that is closed; absent: {@link CLOSED_METERS}
 */
export function buildBordersFromLines(
  lines: readonly Float64Array[],
  options: { readonly mostMeters?: number | undefined } & Located = {},
): LineBorders {
  const { mostMeters = CLOSED_METERS } = options;
  const gapOf = (from: Float64Array, to: Float64Array): number =>
    computeGapMeters([from[from.length - 2]!, from[from.length - 1]!], [to[0]!, to[1]!], options);
  const own = lines.map((line) => gapOf(line, line));
  const isBorder = (line: Float64Array, i: number): boolean => line.length >= 6 && own[i]! <= mostMeters;
  if (lines.every(isBorder)) return { rings: lines.map(closeRing) };
  const [only] = own;
  if (lines.length === 1) return { gapMeters: only! };
  const gaps = lines.map((line, i) => gapOf(line, lines[(i + 1) % lines.length]!));
  const widest = gaps.reduce((most, gap) => Math.max(most, gap), 0);
  return widest <= mostMeters ? { rings: [closeRing(chainLines(lines))] } : { gapMeters: widest };
}

/** How positions become longitude and latitude. */
interface Located {
  readonly crs?: string | undefined;
  readonly crsTable?: CrsTable | undefined;
}

/** A ring whose last position is the first. */
function closeRing(line: Float64Array): Float64Array {
  const [x, y] = [line[0]!, line[1]!];
  if (line[line.length - 2] === x && line[line.length - 1] === y) return line;
  return Float64Array.from([...line, x, y]);
}

/** Lines one after another, a position that two share once. */
function chainLines(lines: readonly Float64Array[]): Float64Array {
  const xy: number[] = [];
  for (const line of lines) {
    const isShared = xy.at(-2) === line[0] && xy.at(-1) === line[1];
    for (let i = isShared ? 2 : 0; i < line.length; i++) xy.push(line[i]!);
  }
  return Float64Array.from(xy);
}

const METERS_PER_DEGREE = 111_320;

/** Metres between two positions, to a thousandth, for messages about gaps; infinite if a position is no place on earth. */
function computeGapMeters(a: [number, number], b: [number, number], { crs, crsTable }: Located): number {
  if (a[0] === b[0] && a[1] === b[1]) return 0;
  let [from, to] = [a, b];
  if (crs !== undefined) {
    try {
      const { xy } = parsePlot({ type: "MultiPoint", coordinates: [a, b] }, { crs, crsTable }).plot;
      [from, to] = toPositions(Float64Array.from(xy)) as [[number, number], [number, number]];
    } catch (error) {
      if (error instanceof EngineError) return Number.POSITIVE_INFINITY;
      throw error;
    }
  }
  const east = (to[0] - from[0]) * Math.cos((((from[1] + to[1]) / 2) * Math.PI) / 180);
  return METERS_PER_DEGREE * Math.hypot(east, to[1] - from[1]);
}

/** A gap as people read it. */
export function describeGap(meters: number): string {
  if (!Number.isFinite(meters)) return "lie in an unknown CRS";
  return `lie ${meters < 10 ? meters.toFixed(1) : Math.round(meters)} m apart`;
}
