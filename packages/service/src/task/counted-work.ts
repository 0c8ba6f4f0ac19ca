import type { EngineOptions } from "@groundrule/engine";
import type { BodyResult, BodyTask } from "./body-task.ts";

/** A byte that is read or written takes as long as so many units of the engine's work: some 24 ns. */
const UNITS_PER_BYTE = 8;

/** The work that a task is known to take before it begins: its body has to be read. */
export function workOfBody({ body }: Pick<BodyTask, "body">): number {
  return UNITS_PER_BYTE * body.length;
}

/** Tells what each task took: what the engine counted of it, and the bytes that were read and written. */
export class CountedWork {
  #meters: Parameters<NonNullable<EngineOptions["onMeter"]>>[0][] = [];

  /** For {@link EngineOptions.onMeter}. */
  readonly hear: NonNullable<EngineOptions["onMeter"]> = (meter) => {
    this.#meters.push(meter);
  };

  /** Units of a task that is done; what is counted next is another's. */
  of(task: Pick<BodyTask, "body">, result: BodyResult): number {
    let units = workOfBody(task) + UNITS_PER_BYTE * writtenLength(result);
    for (const { counted } of this.#meters) units += counted;
    this.#meters = [];
    return units;
  }
}

function writtenLength(result: BodyResult): number {
  if (result.kind === "answered") return result.request.length + result.response.length;
  if (result.kind === "told") return result.json.length;
  return result.kind === "tile" ? result.bytes.length : 0;
}
