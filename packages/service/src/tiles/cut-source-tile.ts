import { type Engine, EngineError } from "@groundrule/engine";
import { readSourceAreas } from "@groundrule/engine/build";
import { DamagedTile, readSourceCells } from "@groundrule/engine/internal";
import { cutCellTile, cutTile, type TilePlace } from "@groundrule/tiles";
import type { ScopedEngine } from "../engines/scoped-engines.ts";
import type { CutTile } from "../task/body-task.ts";
import { toRefusal } from "../task/refusal.ts";

/** The route of tiles. */
export const TILES_PATH = "/v1/sources/:name/tiles/:z/:x/:y";

/** The requested tile: the `query` of its task. */
export interface TileQuery extends TilePlace {
  /** Name of the source. */
  readonly source: string;
}

/**
 * Cuts a tile of a source that is available to the caller.
 *
 * Fails: a `Refusal`, `SOURCE_UNKNOWN` for a source without areas to draw, `SNAPSHOT_CORRUPT` for one that cannot be
 * read.
 */
export function cutSourceTile({ source, ...place }: TileQuery, { engine }: ScopedEngine): CutTile {
  try {
    const cells = readSourceCells(engine, source);
    if (cells !== undefined)
      return { kind: "tile", drawing: cells.drawing, bytes: cutCellTile(cells, place) };
    const areas = readSourceAreas(engine, source);
    return { kind: "tile", drawing: areas.edition, bytes: cutTile(areas, place) };
  } catch (error) {
    const refused =
      error instanceof DamagedTile
        ? new EngineError("SNAPSHOT_CORRUPT", `"${source}" cannot be read: ${error.message}`, {
            source_name: source,
          })
        : error;
    throw refused instanceof EngineError ? toRefusal(refused, (pointer) => pointer) : error;
  }
}

/** Digest of everything on which the tiles of a source depend, as in {@link CutTile}; undefined if it has none. */
export function findDrawingDigest(source: string, engine: Engine): string | undefined {
  try {
    return readSourceCells(engine, source)?.drawing ?? readSourceAreas(engine, source).edition;
  } catch (error) {
    if (error instanceof EngineError) return undefined;
    throw error;
  }
}
