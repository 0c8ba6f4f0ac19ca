/**
 * The known name a mistyped one most likely meant, or undefined where none is near: at most a third
 * of its characters inserted, removed, replaced or swapped with a neighbour. Of equally near names
 * the first in ascending order.
 *
 * @param mistyped the name that nothing has
 */
export function findNearestName(mistyped: string, known: Iterable<string>): string | undefined {
  const word = mistyped.slice(0, MAX_LENGTH).toLowerCase();
  let nearest: string | undefined;
  let least = Math.max(1, Math.floor(word.length / 3)) + 1;
  for (const name of [...known].sort()) {
    const distance = computeEditDistance(word, name.slice(0, MAX_LENGTH).toLowerCase(), least);
    if (distance < least) {
      least = distance;
      nearest = name;
    }
  }
  return nearest;
}

/**
 * `; did you mean "name"?` where a name is near, else nothing.
 *
 * @param mistyped what was found
 * @param known the names that are expected
 */
export function formatSuggestion(mistyped: string, known: Iterable<string>): string {
  const nearest = findNearestName(mistyped, known);
  return nearest === undefined ? "" : `; did you mean "${nearest}"?`;
}

/** Longer names are compared by their beginning, so that a hostile name costs little. */
const MAX_LENGTH = 64;

/** Optimal string alignment distance; `limit` for any distance that reaches it. */
function computeEditDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) return limit;
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const current = [i];
    let rowLeast = i;
    for (let j = 1; j <= b.length; j++) {
      const replaced = previous[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      let least = Math.min(replaced, previous[j]! + 1, current[j - 1]! + 1);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        least = Math.min(least, beforePrevious[j - 2]! + 1);
      }
      current.push(least);
      rowLeast = Math.min(rowLeast, least);
    }
    // Distances only grow from row to row, except that a swap looks one row further back.
    if (rowLeast > limit) return limit;
    beforePrevious = previous;
    previous = current;
  }
  return Math.min(previous[b.length]!, limit);
}
