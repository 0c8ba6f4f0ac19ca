import { EngineError } from "../../base/errors.ts";

/**
 * Every fault found goes through here. `check` names the condition; the bounds test takes each
 * name's conditions out in turn and shows that the suite notices.
 */
export function corrupt(
  check: string,
  name: string,
  section: string,
  found: string,
  expected: string,
): never {
  throw new EngineError(
    "SNAPSHOT_CORRUPT",
    `snapshot "${name}" is corrupt: ${section} has ${found}, expected ${expected} (${check})`,
    { name, check, section, found, expected },
  );
}
