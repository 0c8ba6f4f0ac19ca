import crypto from "node:crypto";
import zlib from "node:zlib";
import { bordersSnapshot } from "@groundrule/borders";
import { crsTable } from "@groundrule/crs";
import type { EngineOptions, Kernel } from "@groundrule/engine";
import { candidateAreas } from "@groundrule/engine/build";

/**
 * Options of engines in Node: faster checksums and digests, the reader of live sources, the CRSs that inputs may name,
 * and the borders of countries, loaded when an input first names one.
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

let shared: SharedArrayBuffer | undefined;

/**
 * The borders of countries in memory shared by all threads, built once: a worker's task has no time for that.
 *
 * Fails: never; there are always borders to write.
 */
export function getSharedBorders(): SharedArrayBuffer {
  if (shared === undefined) {
    const bytes = bordersSnapshot();
    shared = new SharedArrayBuffer(bytes.byteLength);
    new Uint8Array(shared).set(bytes);
  }
  return shared;
}

/**
 * The kernel of a name; undefined stands for the engine's own. The reference kernel is loaded on first use: loading
 * turf takes longer than answering a plot.
 */
export async function loadKernel(name: Kernel["name"] = "default"): Promise<Kernel | undefined> {
  if (name === "default") return undefined;
  const { referenceKernel } = await import("@groundrule/reference");
  return referenceKernel;
}
