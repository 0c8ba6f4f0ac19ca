/** A kept list, without its content. */
export interface KeptEntry {
  /** The service and the ruleset. */
  readonly key: string;
  /** Number of its plots. */
  readonly plots: number;
  /** Milliseconds since 1970. */
  readonly savedAt: number;
  readonly bytes: number;
}

/** Maximum bytes of all kept lists. */
export const MOST_BYTES: number = 50 * 2 ** 20;

/**
 * Finds the lists that must go so that another fits, the oldest first. The list that it replaces takes no room.
 *
 * @returns undefined if it fits into no room
 */
export function makeRoom(
  entries: readonly KeptEntry[],
  { key, bytes }: Pick<KeptEntry, "key" | "bytes">,
  mostBytes: number = MOST_BYTES,
): readonly KeptEntry[] | undefined {
  if (bytes > mostBytes) return undefined;
  const others = entries.filter((entry) => entry.key !== key).sort((a, b) => a.savedAt - b.savedAt);
  let all = others.reduce((sum, entry) => sum + entry.bytes, bytes);
  const removed: KeptEntry[] = [];
  for (const entry of others) {
    if (all <= mostBytes) break;
    all -= entry.bytes;
    removed.push(entry);
  }
  return removed;
}
