import { hash } from "node:crypto";
import { crc32 } from "node:zlib";
import { crsTable } from "@groundrule/crs";
import type { EngineOptions } from "@groundrule/engine";

/** What an engine gets in Node: its faster checksums and digests, and the CRSs that inputs may name. */
export const HOST: Required<Pick<EngineOptions, "crc32" | "textDigest" | "crs">> = {
  crc32,
  textDigest: (text) => hash("sha256", text),
  crs: crsTable,
};
