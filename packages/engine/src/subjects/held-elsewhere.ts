import type { EngineSource } from "../sources/source-table.ts";
import type { Scheme } from "./schemes.ts";

/** Look-ups that one refusal spends on suggestions at most. */
const LOOK_UPS = 1_000;
/** Places that a suggestion names at most. */
const PLACES = 3;

/**
 * Makes the end of a refusal's message: under which other types the registers hold the value of an identifier.
 * One suggester serves one refusal; it looks up at most 1,000 times for all identifiers together.
 *
 * @returns given the registers that were to be asked and an identifier with its canonical value, a text that
 *   begins with `; `, or the empty text where none of them holds the value
 */
export function suggesterOfTypes(): (registers: readonly EngineSource[], scheme: Scheme) => string {
  let left = LOOK_UPS;
  return (registers, { type, value }) => {
    const places: string[] = [];
    for (const register of registers) {
      if ("failed" in register || register.snapshot.kind !== "subject_register") continue;
      const { identifiers, meta } = register.snapshot;
      for (const held of meta.schemes) {
        if (places.length === PLACES || left-- <= 0) break;
        if (identifiers.find(held, value, 1).length === 0) continue;
        places.push(`"${meta.manifest.source_name}" holds this value under "${held}"`);
      }
    }
    if (places.length === 0) return "";
    return `; ${places.join(", ")}: ask for it so, or map it to "${type}" in the register's manifest`;
  };
}
