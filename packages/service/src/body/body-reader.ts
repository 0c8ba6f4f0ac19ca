import type { Limits } from "@groundrule/contract";
import { CleanScan, endOfWhitespace, IN_DOUBT, parseWhole } from "@groundrule/engine/internal/json";
import type { WrittenJson } from "@groundrule/engine/records";
import type { SentBody } from "../task/body-task.ts";
import type { BodyReading, ReadBody } from "./answerer-host.ts";
import { KnownRulesets } from "./known-rulesets.ts";
import { MEMBERS_MAX, parseJsonBody } from "./parse-body.ts";
import { bytesOf, decodeInNode } from "./sent-bytes.ts";

/** Reads bodies in Node; a ruleset that many bodies contain is parsed once for all of them. */
export class BodyReader implements BodyReading {
  readonly #rulesets = new KnownRulesets();
  #scan = new CleanScan(0, MEMBERS_MAX);
  #jsonDepth = 0;

  /** Refuses: as {@link parseJsonBody}. */
  read(body: SentBody, limits: Pick<Limits, "jsonDepth">): ReadBody {
    const bytes = bytesOf(body);
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
        const value = parseWhole(bytes.toString(scan.isAscii ? "latin1" : "utf8", at, end));
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
