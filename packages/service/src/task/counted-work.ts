import type { EngineOptions } from "@groundrule/engine";
import type { BodyResult, BodyTask } from "./body-task.ts";

/** Units of the engine's work per byte read or written: some 24 ns. */
const UNITS_PER_BYTE = 8;

/** The work of a task that is known in advance: reading its body. */
export function computeBodyWork({ body }: Pick<BodyTask, "body">): number {
  return UNITS_PER_BYTE * body.length;
}

/** Counts the work of each task: the engine's own count, and the bytes read and written. */
export class CountedWork {
  #meters: Parameters<NonNullable<EngineOptions["onMeter"]>>[0][] = [];

  /** The callback for {@link EngineOptions.onMeter}. */
  readonly hear: NonNullable<EngineOptions["onMeter"]> = (meter) => {
    this.#meters.push(meter);
  };

  /** Units of a finished task; later counts belong to the next one. */
  of(task: Pick<BodyTask, "body">, result: BodyResult): number {
    let units = computeBodyWork(task) + UNITS_PER_BYTE * measureWrittenLength(result);
    for (const { counted } of this.#meters) units += counted;
    this.#meters = [];
    return units;
  }
}

function measureWrittenLength(result: BodyResult): number {
  if (result.kind === "answered") return result.request.length + result.response.length;
  if (result.kind === "told") return result.json.length;
  return result.kind === "tile" ? result.bytes.length : 0;
}
