/**
 * The exact sum of finite numbers, rounded once to the nearest double, to even where two are equally
 * near; the greatest finite number where it is beyond it. The order of the numbers is no matter.
 *
 * Source: Shewchuk, Adaptive Precision Floating-Point Arithmetic (Discrete & Computational Geometry
 * 18, 1997), grow-expansion; the last rounding is that of CPython's `math.fsum`.
 */
export function exactSum(values: readonly number[]): number {
  const rough = values.reduce((sum, value) => sum + value, 0);
  if (!Number.isFinite(rough)) return rough > 0 ? Number.MAX_VALUE : -Number.MAX_VALUE;
  // Parts of the sum that do not overlap, ascending in size.
  const parts: number[] = [];
  for (const value of values) {
    let rest = value;
    let kept = 0;
    for (const part of parts) {
      const [large, small] = Math.abs(rest) < Math.abs(part) ? [part, rest] : [rest, part];
      rest = large + small;
      const lost = small - (rest - large);
      if (lost !== 0) parts[kept++] = lost;
    }
    parts.length = kept;
    parts.push(rest);
  }
  return roundExactSum(parts);
}

function roundExactSum(parts: readonly number[]): number {
  let at = parts.length - 1;
  let sum = parts[at] ?? 0;
  let lost = 0;
  while (at > 0 && lost === 0) {
    const part = parts[--at]!;
    const before = sum;
    sum = before + part;
    lost = part - (sum - before);
  }
  // A half is rounded to even; the parts below it may show that it is more.
  const below = parts[at - 1];
  if (below === undefined || lost === 0 || lost > 0 !== below > 0) return sum;
  const further = sum + 2 * lost;
  return further - sum === 2 * lost ? further : sum;
}
