/** A closed ring on the grid of integers from 0 to 6. */
export type GridRing = readonly (readonly [number, number])[];

/** A piece of the plane that no edge runs through: a trapezoid with two vertical sides. */
export interface Cell {
  /** Index of its vertical strip. */
  readonly strip: number;
  /** Heights of lower and upper side where the strip begins and ends. */
  readonly left: readonly [number, number];
  readonly right: readonly [number, number];
  readonly middle: readonly [number, number];
  readonly area: number;
  /** For each ring, whether the cell lies in it by the even-odd rule. */
  readonly inside: readonly boolean[];
  /** How often each ring winds round the cell, counter-clockwise positive. */
  readonly turns: readonly number[];
}

/**
 * Numbers closer than this are equal. Every height compared is a fraction whose denominator is at
 * most 2·72·72·6, so different ones are 2e-10 apart, and rounding errors stay below 1e-13: on this
 * grid doubles decide exactly.
 */
const SAME = 1e-11;

/** Cuts the plane into cells at every corner and crossing: slow, and with nothing to get wrong. */
export function toCells(rings: readonly GridRing[]): Cell[] {
  const edges = rings.flatMap((ring, r) => ring.slice(1).map((b, i) => ({ r, a: ring[i]!, b })));
  const xs = edges.map(({ a }) => a[0]);
  edges.forEach(({ a, b }, i) => {
    for (const { a: c, b: d } of edges.slice(0, i)) {
      const denominator = (b[0] - a[0]) * (d[1] - c[1]) - (b[1] - a[1]) * (d[0] - c[0]);
      if (denominator === 0) continue;
      const t = ((c[0] - a[0]) * (d[1] - c[1]) - (c[1] - a[1]) * (d[0] - c[0])) / denominator;
      if (t > 0 && t < 1) xs.push(a[0] + t * (b[0] - a[0]));
    }
  });
  xs.sort((p, q) => p - q);
  const cuts = xs.filter((x, i) => i === 0 || x - xs[i - 1]! > SAME);

  return cuts.slice(1).flatMap((east, strip) => {
    const west = cuts[strip]!;
    const x = (west + east) / 2;
    const crossed = edges
      .filter(({ a, b }) => a[0] < x !== b[0] < x)
      .map(({ r, a, b }) => {
        const at = (x: number): number => a[1] + ((x - a[0]) * (b[1] - a[1])) / (b[0] - a[0]);
        return { r, left: at(west), right: at(east), y: at(x), turn: a[0] < b[0] ? 1 : -1 };
      })
      .sort((p, q) => p.y - q.y);
    const cells: Cell[] = [];
    const inside = rings.map(() => false);
    const turns = rings.map(() => 0);
    crossed.forEach((lower, k) => {
      inside[lower.r] = !inside[lower.r];
      turns[lower.r]! += lower.turn;
      const upper = crossed[k + 1];
      if (upper === undefined || upper.y - lower.y < SAME) return;
      cells.push({
        strip,
        left: [lower.left, upper.left],
        right: [lower.right, upper.right],
        middle: [x, (lower.y + upper.y) / 2],
        area: (upper.y - lower.y) * (east - west),
        inside: [...inside],
        turns: [...turns],
      });
    });
    return cells;
  });
}

/** True if two cells share a point, even if only of their boundaries. */
export function doCellsMeet(a: Cell, b: Cell): boolean {
  const reach = (p: readonly [number, number], q: readonly [number, number]): boolean =>
    Math.min(p[1], q[1]) - Math.max(p[0], q[0]) > -SAME;
  if (a.strip === b.strip) return reach(a.left, b.left) || reach(a.right, b.right);
  if (a.strip + 1 === b.strip) return reach(a.right, b.left);
  return a.strip === b.strip + 1 && reach(a.left, b.right);
}

/** True if the cells are connected by more than points. */
export function areConnected(cells: readonly Cell[]): boolean {
  const reached = new Set<Cell>(cells.slice(0, 1));
  for (const cell of reached) {
    for (const other of cells) {
      const [from, to] =
        other.strip === cell.strip + 1
          ? [cell.right, other.left]
          : other.strip === cell.strip - 1
            ? [cell.left, other.right]
            : [];
      if (
        from !== undefined &&
        to !== undefined &&
        Math.min(from[1], to[1]) - Math.max(from[0], to[0]) > SAME
      ) {
        reached.add(other);
      }
    }
  }
  return reached.size === cells.length;
}

/** True if a ring has three corners or more and meets itself nowhere. Compares every pair of edges. */
export function isSimple(ring: GridRing): boolean {
  const corners = ring.slice(1).filter((p, i) => p[0] !== ring[i]![0] || p[1] !== ring[i]![1]);
  const n = corners.length;
  if (n < 3) return false;
  const corner = (i: number): readonly [number, number] => corners[i % n]!;
  for (let i = 0; i < n; i++) {
    for (let j = i + 1; j < n; j++) {
      const [a, b, c, d] = [corner(i), corner(i + 1), corner(j), corner(j + 1)];
      const shared = [c, d].filter((p) => isOn(p, a, b)).length + [a, b].filter((p) => isOn(p, c, d)).length;
      const follow = j === i + 1 || (i === 0 && j === n - 1);
      // Edges that follow each other meet in one corner, which each finds on the other.
      if (shared > (follow ? 2 : 0)) return false;
      if (sideOfLine(a, b, c) * sideOfLine(a, b, d) < 0 && sideOfLine(c, d, a) * sideOfLine(c, d, b) < 0)
        return false;
    }
  }
  return true;
}

type Point = readonly [number, number];

function sideOfLine(a: Point, b: Point, c: Point): number {
  return Math.sign((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]));
}

function isOn(p: Point, a: Point, b: Point): boolean {
  return (
    sideOfLine(a, b, p) === 0 && (p[0] - a[0]) * (p[0] - b[0]) <= 0 && (p[1] - a[1]) * (p[1] - b[1]) <= 0
  );
}
