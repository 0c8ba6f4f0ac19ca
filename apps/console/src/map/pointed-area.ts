import type { EvidenceRef } from "../state/store.ts";
import { areasId } from "./layers/map-look.ts";

/** An area of a reference layer below the pointer. */
export interface PointedArea extends EvidenceRef {
  readonly name: string | undefined;
  /** For a cell value: its colour, if it differs from the source's. */
  readonly colour?: string;
}

/**
 * The area that a feature of a tile draws. Areas smaller than a pixel are drawn together, as one feature without an id,
 * which is no area: undefined.
 *
 * @param source id of its source on the map
 */
export function toPointedArea(
  source: string,
  { source_id, name, color }: Readonly<Record<string, unknown>>,
): PointedArea | undefined {
  if (source_id === undefined) return undefined;
  return {
    source_name: source.slice(areasId("").length),
    source_id: String(source_id),
    name: typeof name === "string" && name !== "" ? name : undefined,
    ...(typeof color === "string" && { colour: color }),
  };
}
