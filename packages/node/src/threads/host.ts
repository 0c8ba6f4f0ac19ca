import crypto from "node:crypto";
import zlib from "node:zlib";
import { bordersSnapshot } from "@groundrule/borders";
import { crsTable } from "@groundrule/crs";
import type { EngineOptions, Kernel } from "@groundrule/engine";
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

let shared: SharedArrayBuffer | undefined;

/**
 * The borders of countries in memory that all threads share, made once: a worker has no time for it in a task.
 *
 * Fails: never; there are always borders to write.
 */
export function sharedBorders(): SharedArrayBuffer {
  if (shared === undefined) {
    const bytes = bordersSnapshot();
    shared = new SharedArrayBuffer(bytes.byteLength);
    new Uint8Array(shared).set(bytes);
  }
  return shared;
}

/**
 * The kernel of a name; undefined stands for the engine's own. The reference kernel is loaded when it is
 * first asked for: turf takes longer to load than a plot takes to answer.
 */
export async function loadKernel(name: Kernel["name"] = "default"): Promise<Kernel | undefined> {
  if (name === "default") return undefined;
  const { referenceKernel } = await import("@groundrule/reference");
  return referenceKernel;
}
