import { EngineError } from "@groundrule/engine";
import { areasOf } from "@groundrule/engine/build";
import { cutTile, type TilePlace } from "@groundrule/tiles";
import type { ScopedEngine } from "../engines/scoped-engines.ts";
import type { CutTile } from "../task/body-task.ts";
import { refusalOf } from "../task/refusal-of.ts";

/** The route of tiles. */
export const TILES_PATH = "/v1/sources/:name/tiles/:z/:x/:y";

/** Which tile is asked for: the `query` of its task. */
export interface TileQuery extends TilePlace {
  /** Name of the source. */
  readonly source: string;
}

/**
 * A tile of a source that is available to the caller.
 *
 * Fails: a `Refusal`, `SOURCE_UNKNOWN` for what has no areas to draw, `SNAPSHOT_CORRUPT` for a source that cannot be
 * read.
 */
export function cutSourceTile({ source, ...place }: TileQuery, { engine }: ScopedEngine): CutTile {
  try {
    const areas = areasOf(engine, source);
    return { kind: "tile", edition: areas.edition, bytes: cutTile(areas, place) };
  } catch (error) {
    throw error instanceof EngineError ? refusalOf(error, (pointer) => pointer) : error;
  }
}
