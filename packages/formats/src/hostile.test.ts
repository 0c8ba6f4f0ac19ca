import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { mulberry32 } from "@groundrule/testing/random";
import { describe, expect, it } from "vitest";
import { encodeFlatGeobuf } from "../test/flatgeobuf-file.ts";
import { geometryBlob, writeGeoPackage } from "../test/geopackage-file.ts";
import { writeDbf, writeShp } from "../test/write-shapefile.ts";
import { writeZip } from "../test/write-zip.ts";
import { FormatError } from "./format-error.ts";
import { openStream } from "./open-table.ts";

const SEED = 20261122;
const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const RING = [
  [1, 2],
  [3, 4],
  [3, 2],
  [1, 2],
] as const;
const POLYGON = { type: "Polygon", coordinates: [RING.map((position) => [...position])] };
const feature = JSON.stringify({ type: "Feature", id: 1, properties: { name: "a" }, geometry: POLYGON });
const KML =
  "<kml xmlns='http://www.opengis.net/kml/2.2'><Document><Placemark><name>a</name><Polygon><outerBoundaryIs><LinearRing><coordinates>1,2 3,4 3,2 1,2</coordinates></LinearRing></outerBoundaryIs></Polygon></Placemark></Document></kml>";
const { shp, shx } = writeShp(5, [[RING], null]);
const dbf = writeDbf({ fields: [["name", "C", 4]], rows: [["a"], ["b"]] });

function geoPackage(): Uint8Array {
  const dir = mkdtempSync(join(tmpdir(), "groundrule-hostile-"));
  try {
    const path = join(dir, "a.gpkg");
    const columns = { fid: "INTEGER PRIMARY KEY", geom: "POLYGON", name: "TEXT" };
    const rows = [[1, geometryBlob(POLYGON as never), "a"]];
    writeGeoPackage(path, [{ name: "a", geometryType: "POLYGON", columns, rows }]);
    return readFileSync(path);
  } finally {
    rmSync(dir, { recursive: true });
  }
}

const FILES: readonly (readonly [name: string, bytes: Uint8Array])[] = [
  ["GeoJSON", utf8(`{"type":"FeatureCollection","features":[${feature}]}`)],
  ["GeoJSON, gzipped", gzipSync(`${feature}\n${feature}`)],
  ["CSV", utf8('id,geometry\n1,"POLYGON ((1 2,3 4,3 2,1 2))"\n2,POINT (1 2)\n')],
  ["CSV in UTF-16", Buffer.from("\u{feff}lon,lat\n1,2\n", "utf16le")],
  ["KML", utf8(KML)],
  ["KMZ", writeZip([{ name: "doc.kml", bytes: utf8(KML) }])],
  [
    "FlatGeobuf",
    encodeFlatGeobuf({
      columns: [["name", "String"]],
      features: [{ geometry: POLYGON as never, values: ["a"] }],
    }),
  ],
  [
    "a zipped shapefile",
    writeZip([
      { name: "a.shp", bytes: shp },
      { name: "a.shx", bytes: shx },
      { name: "a.dbf", bytes: dbf },
    ]),
  ],
  ["GeoPackage", geoPackage()],
];

/** Reads all there is, as features and as rows. @returns how many, or the error's code */
async function readAll(bytes: Uint8Array): Promise<number | string> {
  async function* stream(): AsyncGenerator<Uint8Array> {
    yield bytes;
  }
  let read = 0;
  try {
    for (const what of ["features", "rows"] as const) {
      const table = await openStream(stream(), { limits: { unpackedBytes: 1 << 20 } });
      try {
        for await (const one of table[what]()) read += one.place === undefined ? 0 : 1;
      } finally {
        await table.close();
      }
    }
    return read;
  } catch (error) {
    if (error instanceof FormatError) return error.code;
    throw error;
  }
}

describe("a file of any format", () => {
  it.each(FILES)(
    "of %s is read, or refused as a FormatError, wherever it is cut or changed",
    async (name, bytes) => {
      expect(await readAll(bytes)).toBeGreaterThan(0);
      const random = mulberry32(SEED);
      const most = name === "GeoPackage" ? 20 : 60;
      const step = Math.max(1, Math.floor(bytes.length / most));
      const cuts = Array.from({ length: Math.floor(bytes.length / step) }, (_, i) =>
        bytes.slice(0, i * step),
      );
      const flips = Array.from({ length: most }, () => {
        const changed = Uint8Array.from(bytes);
        changed[Math.floor(random() * bytes.length)]! ^= 1 << Math.floor(random() * 8);
        return changed;
      });
      for (const [i, hostile] of [...cuts, ...flips].entries()) {
        await readAll(hostile).catch((error: unknown) => {
          throw new Error(`${name}, variant ${i} of ${cuts.length} cuts and ${most} flips`, { cause: error });
        });
      }
    },
  );
});
