import type { BorderPiece } from "@groundrule/borders/decode";
import type { Limits } from "@groundrule/contract";
import type { EngineOptions } from "@groundrule/engine";
import { textDigest } from "@groundrule/engine/internal";
import type { WrittenJson } from "@groundrule/engine/records";
import type { SentBody } from "../task/body-task.ts";
import { parseJsonBody } from "./parse-body.ts";
import { encodeLatin1 } from "./sent-bytes.ts";

/** Functions that an {@link Answerer} uses of its environment. The answers are the same with any of them. */
export interface AnswererHost {
  /** Creates a reader of bodies, for one answerer. */
  readonly bodies: () => BodyReading;
  /** SHA-256 of a text's UTF-8, as 64 hex digits. */
  readonly sha256: (text: string) => string;
  /** Number of bytes of a text's UTF-8. */
  readonly byteLength: (text: string) => number;
  /** The territory of a country, as polygons of areas that do not overlap; undefined if it has no borders. */
  readonly territoryOf: (iso3: string) => readonly BorderPiece["polygons"][] | undefined;
  /** The countries at a place; undefined in the sea. */
  readonly countriesAt: (longitude: number, latitude: number) => readonly string[] | undefined;
  /** Called with the meter of work outside of the engine; see `EngineOptions.onMeter`. */
  readonly onMeter?: EngineOptions["onMeter"];
}

/**
 * A host that needs only the language and its encoders: browsers and their workers.
 *
 * @param borders loaded there
 */
export const plainHost = ({
  territoryOf,
  countriesAt,
}: Pick<AnswererHost, "territoryOf" | "countriesAt">): AnswererHost => ({
  bodies: () => ({
    read: (body, limits): ReadBody => {
      const bytes = typeof body === "string" ? encodeLatin1(body) : body;
      return { value: parseJsonBody(bytes, limits), written: new Map() };
    },
  }),
  sha256: textDigest,
  byteLength: (text) => encoder.encode(text).byteLength,
  territoryOf,
  countriesAt,
});

const encoder = new TextEncoder();

/** A body's value, which is never modified, and its serialization. */
export interface ReadBody {
  /** The JSON value. */
  readonly value: unknown;
  /** The serialized parts of the value so far. */
  readonly written: WrittenJson;
}

/** Reads the bodies of requests. */
export interface BodyReading {
  /**
   * Parses a body.
   *
   * Fails: with a refusal, `MALFORMED_JSON` with the fault's place; `VALIDATION_FAILED` for texts that not every store
   * can keep.
   */
  read(body: SentBody, limits: Pick<Limits, "jsonDepth">): ReadBody;
}
