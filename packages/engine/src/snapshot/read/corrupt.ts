import { EngineError } from "../../base/errors.ts";

/**
 * Refuses a snapshot; the reader reports every fault through this function. `check` names the condition. The
 * bounds test takes the conditions of each name out in turn and shows that its files notice.
 */
export function throwSnapshotCorrupt(
  check: string,
  name: string,
  section: string,
  found: string,
  expected: string,
): never {
  throw new EngineError(
    "SNAPSHOT_CORRUPT",
    `snapshot "${name}" is corrupt: found ${found}, expected ${expected} (${section}, ${check})`,
    { name, check, section, found, expected },
  );
}

export type Refuse = (check: string, found: string, expected: string) => never;

/** {@link throwSnapshotCorrupt} of one section. */
export function createSectionRefuse(name: string, section: string): Refuse {
  return (check, found, expected) => throwSnapshotCorrupt(check, name, section, found, expected);
}
