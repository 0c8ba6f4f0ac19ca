import type { EngineSource } from "../sources/source-table.ts";
import type { Scheme } from "./schemes.ts";

/** Look-ups that one refusal spends on suggestions at most. */
const LOOK_UPS = 1_000;
/** Places that a suggestion names at most. */
const PLACES = 3;

/** A register that contains the value of an identifier, under another type than in the look-up. */
export interface RegisteredElsewhere {
  /** The register. */
  readonly source_name: string;
  /** The type under which it holds the value, e.g. `ofac:tax_id_no`. */
  readonly type: string;
  /** The type in the look-up, e.g. `br:cnpj`. */
  readonly asked: string;
}

/**
 * Finds the other types under which registers contain the values of identifiers: at most three places for each, by at
 * most 1,000 look-ups for all of them together.
 *
 * An error carries what is found as `details.held`, never in its message: it is an answer about a value, and a
 * service that charges for answers must not give it away with a refusal.
 *
 * @param lookUps each identifier, its value canonical, with the registers that were to be asked for it
 */
export function findOtherIdentifierTypes(
  lookUps: readonly { readonly scheme: Scheme; readonly registers: readonly EngineSource[] }[],
): RegisteredElsewhere[] {
  const found: RegisteredElsewhere[] = [];
  let left = LOOK_UPS;
  for (const { scheme, registers } of lookUps) {
    let places = 0;
    for (const register of registers) {
      if (!("snapshot" in register) || register.snapshot.kind !== "subject_register") continue;
      const { identifiers, meta } = register.snapshot;
      for (const type of meta.schemes) {
        if (places === PLACES || left-- <= 0) break;
        if (identifiers.find(type, scheme.value, 1).length === 0) continue;
        found.push({ source_name: meta.manifest.source_name, type, asked: scheme.type });
        places++;
      }
    }
  }
  return found;
}

/** @deprecated Use {@link RegisteredElsewhere}. */
export type HeldElsewhere = RegisteredElsewhere;
