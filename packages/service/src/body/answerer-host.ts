import type { BorderPiece } from "@groundrule/borders/decode";
import type { Limits } from "@groundrule/contract";
import type { EngineOptions } from "@groundrule/engine";
import { textDigest } from "@groundrule/engine/internal";
import type { WrittenJson } from "@groundrule/engine/records";
import type { SentBody } from "../task/body-task.ts";
import { parseJsonBody } from "./parse-body.ts";
import { latin1Bytes } from "./sent-bytes.ts";

/** What an {@link Answerer} takes from its host. The answers are the same with any of them. */
export interface AnswererHost {
  /** A reader of bodies, for one answerer. */
  readonly bodies: () => BodyReading;
  /** SHA-256 of a text's UTF-8, as 64 hex digits. */
  readonly sha256: (text: string) => string;
  /** Bytes of a text's UTF-8. */
  readonly byteLength: (text: string) => number;
  /** The territory of a country, as polygons of areas that do not overlap; undefined where it has no borders. */
  readonly territoryOf: (iso3: string) => readonly BorderPiece["polygons"][] | undefined;
  /** The countries that hold a place; undefined in the sea. */
  readonly countriesAt: (longitude: number, latitude: number) => readonly string[] | undefined;
  /** Hears of the meter of work that is not the engine's; see `EngineOptions.onMeter`. */
  readonly onMeter?: EngineOptions["onMeter"];
}

/**
 * A host that needs nothing but the language and its encoders: browsers and their workers.
 *
 * @param borders that were read there
 */
export const plainHost = ({
  territoryOf,
  countriesAt,
}: Pick<AnswererHost, "territoryOf" | "countriesAt">): AnswererHost => ({
  bodies: () => ({
    read: (body, limits): ReadBody => {
      const bytes = typeof body === "string" ? latin1Bytes(body) : body;
      return { value: parseJsonBody(bytes, limits), written: new Map() };
    },
  }),
  sha256: textDigest,
  byteLength: (text) => encoder.encode(text).byteLength,
  territoryOf,
  countriesAt,
});

const encoder = new TextEncoder();

/** A body's value, which nothing changes, and how to write it. */
export interface ReadBody {
  /** The JSON value. */
  readonly value: unknown;
  /** What has been written of the value so far. */
  readonly written: WrittenJson;
}

/** Reads the bodies of requests. */
export interface BodyReading {
  /**
   * The value of a body.
   *
   * Fails: with a refusal, `MALFORMED_JSON` with the fault's place; `VALIDATION_FAILED` for texts that not every store can
   * hold.
   */
  read(body: SentBody, limits: Pick<Limits, "jsonDepth">): ReadBody;
}
