import { canonicalJson } from "@groundrule/engine/records";

/** A ruleset as contained in bodies, byte for byte. */
export interface KnownRuleset {
  readonly bytes: Uint8Array;
  /** The parsed value, deeply frozen. */
  readonly value: object;
  readonly canonical: string;
  /** Number of members of all its objects. */
  readonly members: number;
  /** The depth limit under which it was parsed. */
  readonly jsonDepth: number;
}

/** Maximum cached rulesets; comparing with one takes a fraction of a microsecond. */
const KEPT = 16;
/** Larger rulesets are not cached. */
const BYTES_MAX = 65_536;

/** Rulesets of recent bodies: callers send the same few again and again. */
export class KnownRulesets {
  /** Rulesets in order of use, the latest first. */
  readonly #kept: KnownRuleset[] = [];

  /**
   * The known ruleset whose bytes are at an offset. No object's text is a prefix of another's, so the value that begins
   * there is exactly that ruleset.
   */
  find(bytes: Buffer, offset: number, jsonDepth: number): KnownRuleset | undefined {
    const kept = this.#kept;
    for (let i = 0; i < kept.length; i++) {
      const known = kept[i]!;
      const end = offset + known.bytes.length;
      if (known.jsonDepth !== jsonDepth || end > bytes.length) continue;
      if (bytes.compare(known.bytes, 0, known.bytes.length, offset, end) !== 0) continue;
      if (i > 0) {
        kept.splice(i, 1);
        kept.unshift(known);
      }
      return known;
    }
    return undefined;
  }

  /** Adds a parsed ruleset. @returns its canonical JSON */
  add(read: Omit<KnownRuleset, "canonical">): string {
    const canonical = canonicalJson(read.value);
    if (read.bytes.length > BYTES_MAX) return canonical;
    freeze(read.value);
    this.#kept.unshift({ ...read, bytes: Uint8Array.from(read.bytes), canonical });
    if (this.#kept.length > KEPT) this.#kept.pop();
    return canonical;
  }
}

/** Deeply freezes parsed JSON. */
function freeze(value: object): void {
  for (const member of Object.values(value))
    if (typeof member === "object" && member !== null) freeze(member);
  Object.freeze(value);
}
