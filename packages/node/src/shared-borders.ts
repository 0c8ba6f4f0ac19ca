import { bordersSnapshot } from "@groundrule/borders";

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
