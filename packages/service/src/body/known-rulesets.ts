import { canonicalJson } from "@groundrule/engine/records";

/** A ruleset as bodies hold it, byte for byte. */
export interface KnownRuleset {
  readonly bytes: Uint8Array;
  /** What the bytes say, frozen all through. */
  readonly value: object;
  readonly canonical: string;
  /** Members of all its objects. */
  readonly members: number;
  /** The limit that it was read under. */
  readonly jsonDepth: number;
}

/** Rulesets that are looked for; to compare with one takes a fraction of a microsecond. */
const KEPT = 16;
/** Larger ones are not kept. */
const BYTES_MAX = 65_536;

/** The rulesets that bodies held lately: callers send the same few again and again. */
export class KnownRulesets {
  /** In order of use, the latest first. */
  readonly #kept: KnownRuleset[] = [];

  /**
   * The known ruleset whose bytes stand at an offset. The text of an object is no beginning of another's, so that
   * the value that begins there is that ruleset and no other.
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

  /** Keeps a ruleset that was read. @returns its canonical JSON */
  add(read: Omit<KnownRuleset, "canonical">): string {
    const canonical = canonicalJson(read.value);
    if (read.bytes.length > BYTES_MAX) return canonical;
    freeze(read.value);
    this.#kept.unshift({ ...read, bytes: Uint8Array.from(read.bytes), canonical });
    if (this.#kept.length > KEPT) this.#kept.pop();
    return canonical;
  }
}

/** Freezes parsed JSON all through. */
function freeze(value: object): void {
  for (const member of Object.values(value))
    if (typeof member === "object" && member !== null) freeze(member);
  Object.freeze(value);
}
