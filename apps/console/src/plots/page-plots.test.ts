import { openBlob } from "@groundrule/formats";
import type { Point, Polygon } from "geojson";
import { describe, expect, it } from "vitest";
import { isOnEarth } from "../map/on-earth.ts";
import { type FileOptions, type NewPlot, readPagePlots, type TakenColumns } from "./page-plots.ts";
import { plotSources } from "./plot-sources.ts";
import { pastedFile } from "./reading/pasted.ts";

async function read(text: string, options: FileOptions = {}) {
  let columns: TakenColumns | undefined;
  const reading = readPagePlots(openBlob(new Blob([text]), { name: "test" }), "test", options, (taken) => {
    columns = taken;
  });
  const plots: NewPlot[] = [];
  for (;;) {
    const next = await reading.next();
    if (next.done === true) return { plots, columns, ...next.value };
    plots.push(next.value);
  }
}

const POINT = { type: "Point", coordinates: [-56, -7] };

describe("readPagePlots", () => {
  it("names plots by id, name or number, and keeps one that cannot be read among the others", async () => {
    const { plots } = await read("id,name,lon,lat,Area\na,,-56,-7,2\n,North,-56,-7,2\nc,,x,-7,2\n");
    expect(plots.map(({ id, state }) => [id, state.kind])).toEqual([["a", "new"], ["North", "new"], ["c", "unread"]]); // biome-ignore format: rows
    expect(plots[0]!.input).toEqual({ geometry: POINT, area_ha: 2 });
  });

  it("tells which columns hold ids and areas, and takes ids from the one that it is told", async () => {
    const table = "farm,code,area_m2,lon,lat\nNorth,7,20000,-56,-7\nSouth,8,30000,-56,-8\n";
    const told = await read(table);
    expect(told.columns).toMatchObject({ area: { column: "area_m2", unit: "m²" } });
    const column = (told.columns!.id as { readonly column: string }).column;
    const other = column === "farm" ? "code" : "farm";
    const again = await read(table, { id: other });
    expect(again.columns!.id).toEqual({ column: other });
    expect(again.plots.map(({ id }) => id)).toEqual(other === "farm" ? ["North", "South"] : ["7", "8"]);
    expect((await read("lon,lat,crop\n-56,-7,soy\n-56,-8,soy\n")).columns!.id).toBe("number");
  });

  it("doubts positions that are no place on earth, and takes what is told of them", async () => {
    const swapped = "id,lon,lat\na,-7,-106\n";
    expect((await read(swapped)).doubt).toBe("axes");
    expect((await read(swapped, { swapAxes: true })).plots[0]!.geometry).toMatchObject({
      coordinates: [-106, -7],
    });
    const commas = "farm;lon;lat\nA;-56,25;-7,5\nB;-56,5;-7\n";
    expect((await read(commas)).doubt).toBe("decimal");
    const told = await read(commas, { decimal: "comma" });
    expect([told.doubt, told.plots[0]!.geometry]).toEqual([
      undefined,
      { type: "Point", coordinates: [-56.25, -7.5] },
    ]);
    const metres = "id,x,y\nb,712000,9236000\n";
    expect((await read(metres)).doubt).toBe("crs");
    const { plots, doubt } = await read(metres, { crs: "EPSG:31981" });
    expect(doubt).toBeUndefined();
    expect(plots[0]!.input).toMatchObject({
      crs: "EPSG:31981",
      geometry: { coordinates: [712000, 9236000] },
    });
    const [longitude, latitude] = (plots[0]!.geometry as Point).coordinates;
    expect([longitude, latitude]).toEqual([expect.closeTo(-55.08, 1), expect.closeTo(-6.9, 1)]);
  });
});

describe("a plot with faults in another reference system", () => {
  it("is placed by its corners", async () => {
    const ring = [[712000, 9236000], [713000, 9237000], [713000, 9236000], [712000, 9237000], [712000, 9236000]]; // biome-ignore format: a ring
    const { plots } = await read(JSON.stringify({ type: "Polygon", coordinates: [ring] }), {
      crs: "EPSG:31981",
    });
    const [[corner, ...others]] = (plots[0]!.geometry as Polygon).coordinates as [[number[], ...number[][]]];
    expect(corner).toEqual([expect.closeTo(-55.08, 1), expect.closeTo(-6.9, 1)]);
    expect(others).toHaveLength(4);
  });
});

describe("isOnEarth", () => {
  it("takes what a map can draw, and nothing else", () => {
    expect(isOnEarth(POINT)).toBe(true);
    expect(isOnEarth({ type: "GeometryCollection", geometries: [POINT] })).toBe(true);
    const point = (...coordinates: unknown[]) => ({ type: "Point", coordinates });
    const bad = [point(1, 91), point("1", 2), point(), { type: "Polygon", coordinates: [[1, 2]] }, {}, null];
    for (const geometry of [...bad, { type: "constructor", coordinates: [1, 2] }]) {
      expect(isOnEarth(geometry)).toBe(false);
    }
  });

  it("keeps off the map what it could not draw, and asks about it all the same", async () => {
    const { plots } = await read('{"type":"Point","coordinates":[1,95]}');
    expect(plots[0]).toMatchObject({ geometry: undefined, input: { geometry: { coordinates: [1, 95] } } });
  });
});

describe("pastedFile", () => {
  it("makes tables of WKT, a geometry over several lines too", () => {
    expect(pastedFile("POINT (1 2)\nPOLYGON ((0 0, 1 0,\n 1 1, 0 0))")).toBe(
      'wkt\n"POINT (1 2)"\n"POLYGON ((0 0, 1 0, 1 1, 0 0))"\n',
    );
  });

  it("makes points or one polygon of positions, and leaves the rest as it is", () => {
    expect(JSON.parse(pastedFile("-7, -56"))).toEqual(POINT);
    expect(JSON.parse(pastedFile("0, 0\n0, 1\n1, 1\n"))).toMatchObject({ type: "Polygon" });
    for (const text of ["id,lon,lat\n1,2,3\n", "{}", "nonsense"]) expect(pastedFile(text)).toBe(text);
  });
});

describe("plotSources", () => {
  it("puts the files of a shapefile together, whatever the case of their letters", () => {
    const files = ["a.shp", "A.DBF", "a.prj", "b.dbf", "c.geojson"].map((name) => new File([], name));
    expect(
      plotSources(files).map((source) => [source.name, "file" in source && source.beside.length]),
    ).toEqual([
      ["a.shp", 2],
      ["b.dbf", 0],
      ["c.geojson", 0],
    ]);
  });
});
