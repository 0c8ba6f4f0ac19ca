import crypto from "node:crypto";
import zlib from "node:zlib";
import { bordersSnapshot } from "@groundrule/borders";
import { crsTable } from "@groundrule/crs";
import type { EngineOptions } from "@groundrule/engine";
import { candidateAreas } from "@groundrule/engine/build";

/**
 * What an engine gets in Node: its faster checksums and digests, what reads live sources, the CRSs that inputs may name, and the borders
 * that their countries are compared with, made when an input first names one.
 */
export const ENGINE_OPTIONS: Required<
  Pick<EngineOptions, "crc32" | "textDigest" | "crs" | "borders" | "candidates">
> = {
  crc32: zlib.crc32,
  textDigest: (text) => crypto.hash("sha256", text),
  crs: crsTable,
  borders: bordersSnapshot,
  candidates: candidateAreas,
};
