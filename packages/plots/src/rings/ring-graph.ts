/** The rings of one polygon as positions by number, so that rings that touch share them. */
export interface RingGraph {
  readonly x: Float64Array;
  readonly y: Float64Array;
  /** The positions of each ring in turn, the first not repeated at the end; the outer ring first. */
  readonly rings: readonly (readonly number[])[];
  /** The edges of the rings, as the rings run: land is to their left. */
  readonly edges: readonly (readonly [number, number])[];
}

/** @param rings closed, outer counter-clockwise, holes clockwise */
export function buildRingGraph(rings: readonly Float64Array[]): RingGraph {
  const numbers = new Map<string, number>();
  const xy: number[] = [];
  const numbered = rings.map((ring) => {
    const own: number[] = [];
    for (let i = 0; i + 3 < ring.length; i += 2) {
      const key = `${ring[i]} ${ring[i + 1]}`;
      let number = numbers.get(key);
      if (number === undefined) {
        number = numbers.size;
        numbers.set(key, number);
        xy.push(ring[i]!, ring[i + 1]!);
      }
      own.push(number);
    }
    return own;
  });
  return {
    x: Float64Array.from({ length: numbers.size }, (_, p) => xy[2 * p]!),
    y: Float64Array.from({ length: numbers.size }, (_, p) => xy[2 * p + 1]!),
    rings: numbered,
    edges: numbered.flatMap((own) => own.map((p, i) => [p, own[(i + 1) % own.length]!] as const)),
  };
}
