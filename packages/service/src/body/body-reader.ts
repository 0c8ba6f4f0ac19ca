import type { Limits } from "@groundrule/contract";
import { CleanScan, endOfWhitespace, IN_DOUBT, parseWholeJson } from "@groundrule/engine/internal/json";
import { canonicalJson, type WrittenJson } from "@groundrule/engine/records";
import type { SentBody } from "../task/body-task.ts";
import type { BodyReading, ReadBody } from "./answerer-host.ts";
import { MEMBERS_MAX, parseJsonBody } from "./parse-body.ts";
import { decodeInNode, toBytes } from "./sent-bytes.ts";

/** Reads bodies in Node; a ruleset that many bodies contain is parsed once for all of them. */
export class BodyReader implements BodyReading {
  readonly #rulesets = new KnownRulesets();
  #scan = new CleanScan(0, MEMBERS_MAX);
  #jsonDepth = 0;

  /** Refuses: as {@link parseJsonBody}. */
  read(body: SentBody, limits: Pick<Limits, "jsonDepth">): ReadBody {
    const bytes = toBytes(body);
    return (
      this.#readMembers(bytes, limits) ?? {
        value: parseJsonBody(bytes, limits, { decode: decodeInNode }),
        written: new Map(),
      }
    );
  }

  #scanWithin(jsonDepth: number): CleanScan {
    if (jsonDepth !== this.#jsonDepth) {
      this.#scan = new CleanScan(jsonDepth, MEMBERS_MAX);
      this.#jsonDepth = jsonDepth;
    }
    this.#scan.begin();
    return this.#scan;
  }

  /** Parses an object member by member; undefined if anything in it is unusual. */
  #readMembers(bytes: Buffer, { jsonDepth }: Pick<Limits, "jsonDepth">): ReadBody | undefined {
    const scan = this.#scanWithin(jsonDepth);
    const members: Record<string, unknown> = {};
    const written: WrittenJson = new Map();
    let at = endOfWhitespace(bytes, 0);
    if (bytes[at] !== OPEN_OBJECT) return undefined;
    do {
      at = endOfWhitespace(bytes, at + 1);
      const nameEnd = bytes.indexOf(QUOTE, at + 1);
      if (bytes[at] !== QUOTE || nameEnd < 0 || nameEnd - at > NAME_LENGTH) return undefined;
      const name = bytes.toString("latin1", at + 1, nameEnd);
      if (!NAME.test(name) || Object.hasOwn(members, name)) return undefined;
      at = endOfWhitespace(bytes, nameEnd + 1);
      if (bytes[at] !== COLON) return undefined;
      at = endOfWhitespace(bytes, at + 1);
      const known = name === "ruleset" ? this.#rulesets.find(bytes, at, jsonDepth) : undefined;
      let end: number;
      if (known !== undefined) {
        end = at + known.bytes.length;
        scan.members += known.members;
        members[name] = known.value;
        written.set(known.value, known.canonical);
      } else {
        const before = scan.members;
        end = scan.endOfValue(bytes, at, 1);
        if (end === IN_DOUBT) return undefined;
        const value = parseWholeJson(bytes.toString(scan.isAscii ? "latin1" : "utf8", at, end));
        if (value === undefined) return undefined;
        members[name] = value;
        if (name === "ruleset" && typeof value === "object" && value !== null) {
          const added = { bytes: bytes.subarray(at, end), value, members: scan.members - before, jsonDepth };
          written.set(value, this.#rulesets.add(added));
        }
      }
      if (++scan.members > MEMBERS_MAX) return undefined;
      at = endOfWhitespace(bytes, end);
    } while (bytes[at] === COMMA);
    if (bytes[at] !== CLOSE_OBJECT || endOfWhitespace(bytes, at + 1) !== bytes.length) return undefined;
    return { value: members, written };
  }
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** Names of the members that bodies have. */
const NAME = /^[a-z][a-z_]*$/;
const NAME_LENGTH = 32;

/** A ruleset as bodies hold it, byte for byte. */
interface KnownRuleset {
  readonly bytes: Uint8Array;
  /** The value of the bytes, frozen all through. */
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
class KnownRulesets {
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
    deepFreeze(read.value);
    this.#kept.unshift({ ...read, bytes: Uint8Array.from(read.bytes), canonical });
    if (this.#kept.length > KEPT) this.#kept.pop();
    return canonical;
  }
}

/** Freezes parsed JSON all through. */
function deepFreeze(value: object): void {
  for (const member of Object.values(value))
    if (typeof member === "object" && member !== null) deepFreeze(member);
  Object.freeze(value);
}
