import { hash } from "node:crypto";
import { crc32 } from "node:zlib";
import type { EngineOptions } from "@groundrule/engine";

/** What Node does faster than the engine's own. */
export const HOST: Required<Pick<EngineOptions, "crc32" | "textDigest">> = {
  crc32,
  textDigest: (text) => hash("sha256", text),
};
