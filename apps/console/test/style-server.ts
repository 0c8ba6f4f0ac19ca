import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { crc32, deflateSync } from "node:zlib";
import { createBoxPositions } from "@groundrule/testing/shapes";
import type { StyleSpecification } from "maplibre-gl";
import { PbfWriter } from "pbf";
import { readSourceAreas, snapshotOf } from "../../../packages/engine/src/build.ts";
import { openEngine } from "../../../packages/engine/src/index.ts";
import { cutTile } from "../../../packages/tiles/src/index.ts";
import { ELSEWHERE } from "../../../tools/browser/browser.ts";

/** Colours that nothing else on the page has. */
export const RELIEF: Colour = [40, 200, 120];
export const LAND: Colour = [230, 60, 220];
export const NAMES: Colour = [20, 30, 250];
export type Colour = readonly [red: number, green: number, blue: number];

/** The box of the style's land: west, south, east and north. */
export const LAND_BOX = [12, 2, 16, 8] as const;

export interface StyleServer {
  /** The server's origin, which differs from the page's. */
  readonly origin: string;
  readonly style: StyleSpecification;
  /** Paths requested so far. */
  readonly requested: readonly string[];
  /** Paths that are answered like by a failed server. */
  failing: RegExp | undefined;
  /** The origin of its raster tiles: initially its own. */
  relief: string;
  close(): Promise<void>;
}

/**
 * A server of a base map like those of operators: a style, vector tiles cut from a snapshot, raster tiles by a
 * TileJSON, glyphs as signed distances, and a sprite.
 */
export async function serveBaseMapStyle(): Promise<StyleServer> {
  const requested: string[] = [];
  const land = createLandAreas();
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url!, "http://server/").pathname);
    requested.push(path);
    response.setHeader("Access-Control-Allow-Origin", "*");
    if (served.failing?.test(path)) return void response.writeHead(503).end("no tiles today");
    const [, z, x, y] = /\/(\d+)\/(\d+)\/(\d+)\.(?:pbf|png)$/.exec(path) ?? [];
    const place = { z: Number(z), x: Number(x), y: Number(y) };
    const send = (type: string, body: string | Uint8Array) => {
      response.setHeader("Content-Type", type);
      response.end(body);
    };
    if (path === "/maps/style.json") return send("application/json", JSON.stringify(served.style));
    if (path === "/maps/relief.json") {
      const tiles = [`${served.relief}/relief/{z}/{x}/{y}.png`];
      return send("application/json", JSON.stringify({ tilejson: "3.0.0", tiles, minzoom: 0, maxzoom: 8 }));
    }
    if (path === "/maps/sprite.json") return send("application/json", JSON.stringify(SPRITE));
    if (path === "/maps/sprite.png") return send("image/png", encodeSquarePng(8, LAND));
    if (path.startsWith("/relief/")) return send("image/png", encodeSquarePng(256, RELIEF));
    if (path.startsWith("/tiles/")) return send("application/vnd.mapbox-vector-tile", cutTile(land, place));
    const range = /^\/maps\/fonts\/Block Regular\/(\d+)-\d+\.pbf$/.exec(path)?.[1];
    if (range !== undefined)
      return send("application/x-protobuf", encodeGlyphs("Block Regular", Number(range)));
    response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const origin = `http://${ELSEWHERE}:${(server.address() as AddressInfo).port}`;
  const served: StyleServer = {
    origin,
    style: createMapStyle(origin),
    requested,
    failing: undefined,
    relief: origin,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return served;
}

const SPRITE = { dot: { x: 0, y: 0, width: 8, height: 8, pixelRatio: 1 } };

/** A style as editors save it: some addresses relative, some absolute. */
function createMapStyle(origin: string): StyleSpecification {
  const ink = `rgb(${NAMES.join()})`;
  return {
    version: 8,
    name: "Blocks",
    glyphs: `${origin}/maps/fonts/{fontstack}/{range}.pbf`,
    sprite: `${origin}/maps/sprite`,
    sources: {
      relief: { type: "raster", url: "relief.json", tileSize: 256, attribution: "Relief of the survey" },
      land: { type: "vector", tiles: ["../tiles/{z}/{x}/{y}.pbf"], maxzoom: 6 },
    },
    layers: [
      { id: "background", type: "background", paint: { "background-color": "#888888" } },
      { id: "relief", type: "raster", source: "relief", paint: { "raster-fade-duration": 0 } },
      {
        id: "land",
        type: "fill",
        source: "land",
        "source-layer": "areas",
        paint: { "fill-color": `rgb(${LAND.join()})` },
      },
      {
        id: "names",
        type: "symbol",
        source: "land",
        "source-layer": "areas",
        layout: {
          "icon-image": "dot",
          "icon-allow-overlap": true,
          "text-field": ["get", "name"],
          "text-font": ["Block Regular"],
          "text-size": 40,
          "text-allow-overlap": true,
        },
        paint: { "text-color": ink },
      },
    ],
  };
}

function createLandAreas() {
  const [west, south, east, north] = LAND_BOX;
  const ring = createBoxPositions(west, south, east, north);
  const land = {
    type: "Feature" as const,
    properties: { code: "land", name: "LAND" },
    geometry: { type: "Polygon", coordinates: [ring] },
  };
  const engine = openEngine([snapshotOf("my:land", [land], { id: "code", name: "name" })]);
  return readSourceAreas(engine, "my:land");
}

/** Glyphs of a range, each a block of its height: a protocol buffer as written by fontnik and its successors. */
function encodeGlyphs(fontstack: string, from: number): Uint8Array {
  const [width, height, buffer] = [12, 18, 3];
  const row = width + 2 * buffer;
  const bitmap = Uint8Array.from({ length: row * (height + 2 * buffer) }, (_, i) => {
    const [x, y] = [i % row, Math.floor(i / row)];
    const inside = Math.min(x - buffer, row - buffer - 1 - x, y - buffer, height + buffer - 1 - y);
    return Math.max(0, Math.min(255, 192 + 24 * inside));
  });
  const writer = new PbfWriter();
  writer.writeMessage(
    1,
    (_, stack) => {
      stack.writeStringField(1, fontstack);
      stack.writeStringField(2, `${from}-${from + 255}`);
      for (let id = Math.max(from, 32); id < from + 256; id++) {
        stack.writeMessage(
          3,
          (_, glyph) => {
            glyph.writeVarintField(1, id);
            glyph.writeBytesField(2, bitmap);
            glyph.writeVarintField(3, width);
            glyph.writeVarintField(4, height);
            glyph.writeSVarintField(5, 0);
            glyph.writeSVarintField(6, -6);
            glyph.writeVarintField(7, width + 2);
          },
          undefined,
        );
      }
    },
    undefined,
  );
  return writer.finish();
}

/** A square of one colour. */
function encodeSquarePng(size: number, [red, green, blue]: Colour): Uint8Array {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(size, 0);
  header.writeUInt32BE(size, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const row = Buffer.concat([Buffer.of(0), Buffer.concat(Array(size).fill(Buffer.of(red, green, blue)))]);
  const pixels = deflateSync(Buffer.concat(Array(size).fill(row)));
  const chunk = (type: string, data: Uint8Array): Buffer => {
    const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, sum]);
  };
  const signature = Buffer.from("89504e470d0a1a0a", "hex");
  return Buffer.concat([
    signature,
    chunk("IHDR", header),
    chunk("IDAT", pixels),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}
