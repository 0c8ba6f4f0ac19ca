import { RecentlyUsed } from "@groundrule/node/internal/pure";
import { Refusal, TILES_PATH, type TileQuery } from "@groundrule/service";
import { isTilePlace, MAX_ZOOM, TILE_MEDIA_TYPE } from "@groundrule/tiles";
import type { Context, Handler } from "hono";
import { computeEntityDigest } from "../exchange/entity-tag.ts";
import type { ApiEnv } from "../exchange/env.ts";
import {
  getAllowedSourcePatterns,
  requireAcceptableType,
  requireResultKind,
} from "../exchange/request/request-parts.ts";
import {
  buildAnswer,
  buildTaggedHeaders,
  respondIfNotModified,
  respondWithTag,
} from "../exchange/respond.ts";
import { defineOperation, type Operation, type PathParameter } from "./record/operation.ts";
import type { ServiceParts } from "./record/service-parts.ts";

/** Tiles that are kept, and the longest of them in bytes: 32 MiB at most. */
const KEPT = 512;
const KEPT_BYTES = 64 * 1024;

/** They change with the drawing alone, and one key's sources are not another's. */
const HEADERS = { "Content-Type": TILE_MEDIA_TYPE, "Cache-Control": "private, no-cache" };

/**
 * `GET /v1/sources/{name}/tiles/{z}/{x}/{y}`: a vector tile of a source that is available to the caller. Charged to
 * nobody, and cut after all questions. A client that has the tile of the current edition, in its colours, gets a 304
 * before anything is cut.
 */
const sourceTile = defineOperation({
  id: "sourceTile",
  method: "GET",
  path: TILES_PATH,
  tag: "Catalog",
  summary: "Get a vector tile with the areas and the coverage of a source; never charged",
  description:
    "Features of the layer `areas` have `source_id`, `name` and `index`. Those of a raster are rectangles of cells, with the `color` of their value; from afar some have `share`, the part of the cells there that are areas.",
  parameters: {
    name: {
      description: "Name of a source of areas; for a group, request each member",
      schema: { type: "string" },
      example: "demo:parks",
      sample: "demo:parks",
    },
    z: createTilePathParameter(
      `Zoom, up to ${MAX_ZOOM}; at higher zooms, maps enlarge the tiles of this zoom`,
      MAX_ZOOM,
      8,
    ),
    x: createTilePathParameter("Column of the Web Mercator pyramid, from the west", 2 ** MAX_ZOOM - 1, 86),
    y: createTilePathParameter("Row, from the north", 2 ** MAX_ZOOM - 1, 135),
  },
  key: "any",
  room: "tiles",
  query: "none",
  answer: {
    content: { [TILE_MEDIA_TYPE]: { schema: { type: "string", contentMediaType: TILE_MEDIA_TYPE } } },
    always: ["ETag"],
  },
  otherAnswers: { 204: { description: "The source has no area in this tile", headers: ["ETag"] } },
  codes: ["EVALUATION_ABORTED", "NOT_FOUND", "SNAPSHOT_CORRUPT", "SOURCE_UNKNOWN"],
  handler: createTilesHandler,
});

export const TILES: readonly Operation[] = [sourceTile];

function createTilePathParameter(description: string, maximum: number, example: number): PathParameter {
  return { description, schema: { type: "integer", minimum: 0, maximum }, example, sample: "0" };
}

function createTilesHandler({ engine, engineVersion, now }: ServiceParts): Handler<ApiEnv> {
  const kept = new RecentlyUsed<string, Uint8Array<ArrayBuffer>>(KEPT);
  return async (c) => {
    const mediaType = requireAcceptableType(c, [TILE_MEDIA_TYPE]);
    const query = readTileQuery(c);
    const caller = c.get("caller");
    const within = getAllowedSourcePatterns(caller);
    const isAvailable = engine.sources(within).some(({ source_name }) => source_name === query.source);
    const drawing = isAvailable ? engine.drawing(query.source) : undefined;
    if (drawing !== undefined) {
      const entity = computeTileEntity(query, drawing);
      const same = respondIfNotModified(c, entity, buildTileHeaders(entity));
      if (same !== undefined) return same;
      const known = kept.get(entity);
      if (known !== undefined) return respondTile(c, known, entity);
    }
    const task = {
      step: "answer",
      route: TILES_PATH,
      body: "",
      query,
      mediaType,
      requestId: c.get("requestId"),
      engineVersion,
      now: now().toISOString(),
      organization: caller.organization,
      mode: caller.mode,
      inBackground: true,
      ...(within !== undefined && { within }),
    } as const;
    const tile = requireResultKind("tile", await engine.answer(task));
    const entity = computeTileEntity(query, tile.drawing);
    if (tile.bytes.length <= KEPT_BYTES) kept.set(entity, tile.bytes);
    return respondTile(c, tile.bytes, entity);
  };
}

function respondTile(
  c: Context<ApiEnv>,
  bytes: Uint8Array<ArrayBuffer>,
  entity: string,
): Response | Promise<Response> {
  if (bytes.length > 0) return respondWithTag(c, bytes, HEADERS, entity);
  const headers = buildTileHeaders(entity);
  const { "Content-Type": _, ...bodiless } = headers;
  return respondIfNotModified(c, entity, headers) ?? buildAnswer(c.get("common"), null, 204, bodiless);
}

/** Known from the drawing alone, before a tile is cut: whether it is empty, and how long it is, shows only then. */
function buildTileHeaders(entity: string): Readonly<Record<string, string>> {
  return buildTaggedHeaders(HEADERS, entity, "any");
}

/** Raised when the same is drawn in another way. */
const DRAWING = 4;

function computeTileEntity({ source, z, x, y }: TileQuery, drawing: string): string {
  return computeEntityDigest(`${DRAWING} ${source} ${drawing} ${z}/${x}/${y}`);
}

function readTileQuery(c: Context<ApiEnv>): TileQuery {
  const [z, x, y] = ["z", "x", "y"].map((name) => parseWholeNumber(c.req.param(name) ?? ""));
  const place = { z: z!, x: x!, y: y! };
  if (!isTilePlace(place)) {
    throw new Refusal(
      "NOT_FOUND",
      `There is no tile at ${c.req.path}; expected a zoom from 0 to ${MAX_ZOOM}, then column and row from 0 to 2^zoom - 1.`,
    );
  }
  return { source: c.req.param("name") ?? "", ...place };
}

/** The number of its only spelling: the same tile has one address. */
function parseWholeNumber(text: string): number {
  return /^(?:0|[1-9]\d{0,4})$/.test(text) ? Number(text) : Number.NaN;
}
