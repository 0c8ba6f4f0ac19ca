import crypto from "node:crypto";
import { countriesAt, territoryOf } from "@groundrule/borders";
import type { AnswererHost } from "./body/answerer-host.ts";
import { BodyReader } from "./body/body-reader.ts";

/** Node: its buffers and its digests. */
export const NODE_HOST: AnswererHost = {
  bodies: () => new BodyReader(),
  sha256: (text) => crypto.hash("sha256", text),
  byteLength: Buffer.byteLength,
  territoryOf,
  countriesAt,
};
