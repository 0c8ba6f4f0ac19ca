import { RecentlyUsed } from "@groundrule/node/internal/pure";
import { type EngineHost, Refusal, TILES_PATH, type TileQuery } from "@groundrule/service";
import { isTilePlace, MAX_ZOOM, TILE_MEDIA_TYPE } from "@groundrule/tiles";
import type { Context, Handler } from "hono";
import { entityTag } from "../exchange/entity-tag.ts";
import type { ApiEnv } from "../exchange/env.ts";
import { acceptedType, expected, sourcesOf } from "../exchange/request/request-parts.ts";
import { answerOf, notModified, respondTagged, taggedHeaders } from "../exchange/respond.ts";

/** What tiles are answered with. */
export interface TilesContext {
  readonly engine: EngineHost;
  readonly engineVersion: string;
  readonly now: () => Date;
}

/** Tiles that are kept, and the longest of them in bytes: 32 MiB at most. */
const KEPT = 512;
const KEPT_BYTES = 64 * 1024;

/** They change with the drawing alone, and one key's sources are not another's. */
const HEADERS = { "Content-Type": TILE_MEDIA_TYPE, "Cache-Control": "private, no-cache" };

/**
 * `GET /v1/sources/{name}/tiles/{z}/{x}/{y}`: a vector tile of a source that is available to the caller. Charged to
 * nobody, and cut behind all questions. Whoever has the tile of the current edition, in its colours, is told so before
 * anything is cut.
 */
export function tilesHandler({ engine, engineVersion, now }: TilesContext): Handler<ApiEnv> {
  const kept = new RecentlyUsed<string, Uint8Array<ArrayBuffer>>(KEPT);
  return async (c) => {
    const mediaType = acceptedType(c, [TILE_MEDIA_TYPE]);
    const query = tileQuery(c);
    const caller = c.get("caller");
    const within = sourcesOf(caller);
    const isAvailable = engine.sources(within).some(({ source_name }) => source_name === query.source);
    const drawing = isAvailable ? engine.drawing(query.source) : undefined;
    if (drawing !== undefined) {
      const entity = entityOf(query, drawing);
      const same = notModified(c, entity, headersOf(entity));
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
    const tile = expected("tile", await engine.answer(task));
    const entity = entityOf(query, tile.drawing);
    if (tile.bytes.length <= KEPT_BYTES) kept.set(entity, tile.bytes);
    return respondTile(c, tile.bytes, entity);
  };
}

function respondTile(
  c: Context<ApiEnv>,
  bytes: Uint8Array<ArrayBuffer>,
  entity: string,
): Response | Promise<Response> {
  if (bytes.length > 0) return respondTagged(c, bytes, HEADERS, entity);
  const headers = headersOf(entity);
  const { "Content-Type": _, ...bodiless } = headers;
  return notModified(c, entity, headers) ?? answerOf(c.get("common"), null, 204, bodiless);
}

/** Known from the drawing alone, before a tile is cut: whether it is empty, and how long it is, shows only then. */
function headersOf(entity: string): Readonly<Record<string, string>> {
  return taggedHeaders(HEADERS, entity, "any");
}

/** Raised when the same is drawn in another way. */
const DRAWING = 4;

function entityOf({ source, z, x, y }: TileQuery, drawing: string): string {
  return entityTag(`${DRAWING} ${source} ${drawing} ${z}/${x}/${y}`);
}

function tileQuery(c: Context<ApiEnv>): TileQuery {
  const [z, x, y] = ["z", "x", "y"].map((name) => wholeNumber(c.req.param(name) ?? ""));
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
function wholeNumber(text: string): number {
  return /^(?:0|[1-9]\d{0,4})$/.test(text) ? Number(text) : Number.NaN;
}
