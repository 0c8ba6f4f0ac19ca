import { describe, expect, it } from "vitest";
import { toPlainGeometry as plainOf, readTableFeatures } from "../../test/reading.ts";
import { openBlob } from "../file/open-blob.ts";
import type { Feature } from "../format-reader.ts";
import type { FormatOptions } from "../open/formats.ts";
import { openTable } from "../open/open-table.ts";

async function read(text: string, options: FormatOptions = {}) {
  const file = openBlob(new TextEncoder().encode(text), { name: "table" });
  const { features } = await readTableFeatures(openTable(file, options));
  return features;
}

/** Positions of points, else the first of each ring; what is wrong where there is none. */
function readPlace({ geometry, fault }: Feature): unknown {
  if (fault !== undefined) return fault.message;
  return geometry === null ? null : toTypedGeometry(geometry).coordinates;
}

function toTypedGeometry(geometry: unknown): { readonly type: string; readonly coordinates: unknown } {
  return plainOf(geometry) as ReturnType<typeof toTypedGeometry>;
}

async function readRefusal(text: string, options: FormatOptions = {}): Promise<string> {
  return read(text, options).then(
    () => "read",
    (error: unknown) => (error as Error).message,
  );
}

const AT = [-55.245123, -6.580234];
const RING = [
  [-55.2, -6.5],
  [-55.1, -6.5],
  [-55.1, -6.4],
  [-55.2, -6.5],
];

describe("columns of coordinates", () => {
  it.each([
    ["latitud", "longitud"],
    ["_gps_latitude", "_gps_longitude"],
    ["farm-gps-Latitude", "farm-gps-Longitude"],
    ["POINT_Y", "POINT_X"],
    ["ycoord", "xcoord"],
    ["lat_dd", "lon_dd"],
    ["Latitude (Y)", "Longitude (X)"],
    ["lintang", "bujur"],
    ["GPSLatitude", "GPSLongitude"],
    ["decimalLatitude", "decimalLongitude"],
    ["group/gps:Latitude", "group/gps:Longitude"],
    ["Coordenada Y", "Coordenada X"],
    ["Norte", "Este"],
    ["UTM_N", "UTM_E"],
    ["Northing (m)", "Easting (m)"],
    ["LATITUDE_WGS84", "LONGITUDE_WGS84"],
    ["geo_lat", "geo_lng"],
    ["Lat.", "Long."],
  ])("are found by their stems: %s, %s", async (latitude, longitude) => {
    const [first] = await read(`id,${latitude},note,${longitude}\n1,-6.580234,x,-55.245123\n`);
    expect(readPlace(first!)).toEqual(AT);
    expect([...first!.properties.keys()]).toEqual(["id", "note"]);
  });

  it.each(["flat,along", "plat,salon", "relation,belong", "latrine,longest", "name_x,address"])(
    "are not found in words that hold a stem: %s",
    async (names) => {
      expect(await readRefusal(`id,${names}\n1,2,3\n`)).toMatch(/^found text with the columns id/);
    },
  );

  it("go before those of another place, and two that differ are refused with the options that decide", async () => {
    const [first] = await read("farm_lat,farm_lon,lat,lon\n1,2,-6.5,-55.5\n");
    expect(readPlace(first!)).toEqual([-55.5, -6.5]);
    const both = "start_lat,start_lon,end_lat,end_lon\n1,2,-6.5,-55.5\n";
    expect(await readRefusal(both)).toContain(
      "--longitude start_lon --latitude start_lat or --longitude end_lon",
    );
    expect(readPlace((await read(both, { longitude: "end_lon", latitude: "end_lat" }))[0]!)).toEqual([
      -55.5, -6.5,
    ]);
    const same = "start_lat,start_lon,end_lat,end_lon\n-6.5,-55.5,-6.5,-55.50\n";
    expect(readPlace((await read(same))[0]!)).toEqual([-55.5, -6.5]);
  });

  it("that are not found are named with their values, and with the options", async () => {
    const message = await readRefusal("id,A,B\n1,-6.5802,-55.2451\n");
    expect(message).toContain(
      'perhaps in A ("-6.5802"), B ("-55.2451"): name the columns with --wkt, or --longitude',
    );
  });
});

describe("coordinates in degrees, minutes and seconds", () => {
  it.each([
    `6°34'48.8"S;55°14'42.4"W`,
    `6° 34' 48.8" S;55° 14' 42.4" W`,
    `6º34´48,8´´S;55º14´42,4´´O`,
    `6°34′48.8″S;55°14′42.4″W`,
    `6°34’48.8”S;55°14’42.4”W`,
    `S 6 34 48.8;W 55 14 42.4`,
    `6:34:48.8S;55:14:42.4W`,
    `-6°34'48.8";-55°14'42.4"`,
    `−6° 34′ 48.8″;−55° 14′ 42.4″`,
    `6°34'48.8'' Sul;55°14'42.4'' Oeste`,
    `6d34m48.8s S;55d14m42.4s W`,
    `6°34'48.8" LS;55°14'42.4" BB`,
    `S6°34.813333';W55°14.706667'`,
    `6.580222 S;55.245111 W`,
    `6,580222° S;55,245111° O`,
  ])("are read: %s", async (cells) => {
    const quoted = cells
      .split(";")
      .map((cell) => `"${cell.replaceAll('"', '""')}"`)
      .join(";");
    const [first] = await read(`id;latitude;longitude\n1;${quoted}\n`);
    const [x, y] = readPlace(first!) as [number, number];
    expect(x).toBeCloseTo(-55.245111, 5);
    expect(y).toBeCloseTo(-6.580222, 5);
  });

  it.each([
    [`6°64'48.8"S`, "with 64 minutes, which are 60 or more"],
    [`6°34'61"S`, "with 61 seconds, which are more than 60"],
    [`6.5°34'S`, "a fraction before its last part"],
    [`-6°34'N`, "a minus sign with a letter of the north"],
    [`55°14'42"W`, "expected a latitude, not a longitude"],
    ["6 34", "expected a number"],
  ])("that contradict themselves are faults: %s", async (latitude, message) => {
    const [first] = await read(`id;latitude;longitude\n1;"${latitude.replaceAll('"', '""')}";-55\n`);
    expect(first!.fault?.message).toContain(message);
  });
});

describe("a lost decimal sign", () => {
  it.each(["-6.580.234", "-6580234", "-6,580,234", "65802341", "-65802"])(
    "is named: %s",
    async (latitude) => {
      const [first] = await read(`id;latitude;longitude\n1;${latitude};-55.5\n`);
      expect(first!.fault?.message).toContain("the decimal sign was lost");
    },
  );

  it.each([
    ["9271391.7;708229.2", {}],
    ["9271391;708229", {}],
    ["-65802;-6149539", { crs: "EPSG:3857" }],
    ["-6;-55", {}],
  ] as const)("is none in metres or whole degrees: %s", async (cells, options) => {
    const [first] = await read(`id;latitude;longitude\n1;${cells}\n`, options);
    expect(readPlace(first!)).toEqual(cells.split(";").map(Number).reverse());
  });
});

describe("a geometry in one cell", () => {
  const corners = RING.map(([x, y]) => `${y} ${x} 0 4.5`).join(";");
  const geojson = JSON.stringify({ type: "Polygon", coordinates: [RING] }).replaceAll('"', '""');
  it.each([
    ["shape", "POLYGON ((-55.2 -6.5, -55.1 -6.5, -55.1 -6.4, -55.2 -6.5))"],
    ["x7", "Polygon((-55.2 -6.5,-55.1 -6.5,-55.1 -6.4,-55.2 -6.5))"],
    ["border", "POLYGON ((−55.2 −6.5, −55.1 −6.5, −55.1 −6.4, −55.2 −6.5))"],
    ["polígono", "POLYGON ((-55,2 -6,5, -55,1 -6,5, -55,1 -6,4, -55,2 -6,5))"],
    ["polígono", "POLYGON ((-55,2 -6,5;-55,1 -6,5;-55,1 -6,4;-55,2 -6,5))"],
    ["wkt", "POLYGON((-55,2 -6,5,-55,1 -6,5,-55,1 -6,4,-55,2 -6,5))"],
    ["geo", `${geojson}`],
    ["geo", `{""type"":""Feature"",""properties"":{},""geometry"":${geojson}}`],
    ["plot_boundary", corners],
    ["plot_boundary", `${corners};`],
    ["q12", corners.replaceAll(" 0 4.5", "").replaceAll(";", "; ")],
  ])("is read in whatever notation, in a column of any name: %s %s", async (name, cell) => {
    const [first] = await read(`id,${name}\n1,"${cell}"\n`);
    expect(readPlace(first!)).toEqual([RING]);
    expect(toTypedGeometry(first!.geometry).type).toBe("Polygon");
  });

  it.each([
    ["coordinates", "-6.580234, -55.245123"],
    ["coordinates", "(-6.580234, -55.245123)"],
    ["Lat/Long", "-6.580234 -55.245123"],
    ["ubicación", "-6,580234; -55,245123"],
    ["ponto", "-6,580234, -55,245123"],
    ["lon_lat", "-55.245123, -6.580234"],
    ["q1", "-6.580234,-55.245123"],
    ["location", "6.580234 S, 55.245123 W"],
    ["location", "W 55.245123, S 6.580234"],
    ["gps", "-6.580234 -55.245123 120.0 4.5"],
    ["gps", "-6.580234 -55.245123 0"],
  ])(
    "may be a position, latitude first unless its name, letters or values say otherwise: %s %s",
    async (name, cell) => {
      const [first] = await read(`id,${name}\n1,"${cell}"\n`);
      const [x, y] = readPlace(first!) as [number, number];
      expect([x, y]).toEqual(AT);
    },
  );

  it("has its longitude first where the first number is no latitude", async () => {
    const rows = await read('id,coordinates\n1,"-102.5, 19.5"\n2,"-80.1, 20.5"\n');
    expect(rows.map(readPlace)).toEqual([
      [-102.5, 19.5],
      [-80.1, 20.5],
    ]);
  });

  it("is read from the hexadecimal digits of PostGIS, with its SRID, also with \\x before them", async () => {
    const hex = "0101000020E6100000000000000000F03F0000000000000040";
    for (const cell of [hex, hex.toLowerCase(), `\\x${hex}`, `0x${hex}`]) {
      const [first] = await read(`gid,the_shape\n1,${cell}\n`);
      expect([readPlace(first!), first!.crs]).toEqual([[1, 2], "EPSG:4326"]);
    }
    const [cut] = await read(`gid,geom\n1,${hex.slice(0, -8)}\n`);
    expect(cut!.fault?.message).toMatch(/^column "geom": /);
  });

  it("leaves rows where it is empty to the coordinates", async () => {
    const text = `id;Polígono;Latitude;Longitude\n1;"POLYGON ((1 2, 3 2, 3 4, 1 2))";;\n2;;-6.5;-55.5\n3;;;\n`;
    for (const options of [
      {},
      { wkt: "Polígono" },
      { longitude: "Longitude", latitude: "Latitude", wkt: "Polígono" },
    ]) {
      const rows = await read(text, options);
      expect(rows.map(({ geometry }) => geometry && toTypedGeometry(geometry).type)).toEqual([
        "Polygon",
        "Point",
        null,
      ]);
    }
  });

  it("is not chosen among several that differ, but among those that hold the same", async () => {
    const differing = `id,a,b\n1,"POLYGON ((1 2, 3 2, 3 4, 1 2))","POLYGON ((1 2, 3 2, 3 5, 1 2))"\n`;
    expect(await readRefusal(differing)).toBe(
      "found geometries that differ in the columns a and b, expected one column of them; name it: --wkt a or --wkt b",
    );
    const same = differing.replace("3 5", "3 4");
    expect((await read(same))[0]!.properties.get("b")).toContain("POLYGON");
    const [border] = await read(`id,house,plot\n1,"-6.5 -55.2 0 3","${corners}"\n`);
    expect(toTypedGeometry(border!.geometry).type).toBe("Polygon");
  });

  it("keeps the worst accuracy of its positions, and none of positions that were set by hand", async () => {
    const rows = await read(`id,gps\n1,-6.5 -55.2 0 3.5\n2,-6.5 -55.2 0.0 0.0\n`);
    expect(rows.map(({ properties }) => properties.get("gps_accuracy_m"))).toEqual([3.5, undefined]);
  });

  it("that does not end where it begins is a border by its name or its neighbours, else a line", async () => {
    const open = corners.split(";").slice(0, 3).join(";");
    const inferType = async (name: string, ...cells: string[]) => {
      const rows = await read(`id,${name}\n${cells.map((cell) => `1,${cell}`).join("\n")}\n`);
      return toTypedGeometry(rows[0]!.geometry).type;
    };
    expect(await inferType("geoshape", open)).toBe("Polygon");
    expect(await inferType("talhao", `${open};`)).toBe("Polygon");
    expect(await inferType("q12", open, corners, corners)).toBe("Polygon");
    expect(await inferType("q12", open)).toBe("LineString");
    expect(await inferType("plot_trace", open)).toBe("LineString");
  });
});

describe("a table as spreadsheets write it", () => {
  const ROW = "P-1,-6.580234,-55.245123,2.5";
  const NAMES = "plot_id,latitude,longitude,area_ha";
  it.each([
    ["a line sep=", `sep=;\n${NAMES.replaceAll(",", ";")}\n${ROW.replaceAll(",", ";")}\n`],
    ["a quoted line sep=", `\ufeff"sep=,"\r\n${NAMES}\r\n${ROW}\r\n`],
    ["a title", `Growers 2026\n${NAMES}\n${ROW}\n`],
    ["a title with delimiters", `Growers 2026,,,\n,,,\nprinted 1 May,,,\n${NAMES}\n${ROW}\n`],
    [
      "a title with a comma over semicolons",
      `Growers, 2026\n${NAMES.replaceAll(",", ";")}\n${ROW.replaceAll(",", ";")}\n`,
    ],
    ["bars", `${NAMES.replaceAll(",", "|")}\n${ROW.replaceAll(",", "|")}\n`],
    ["delimiters behind the header and rows", `${NAMES},,\n${ROW},,\n,,,,,\n,,,,,\n`],
    ["delimiters behind the header alone", `${NAMES},\n${ROW}\n`],
    ["delimiters behind the rows alone", `${NAMES}\n${ROW},,\n`],
    ["empty rows between", `${NAMES}\n,,,\n"","","",""\n${ROW}\n`],
    ["an empty name between", `plot_id,,latitude,longitude,area_ha\nP-1,,-6.580234,-55.245123,2.5\n`],
    ["spaces around names", `plot_id, latitude , longitude ,area_ha\n${ROW}\n`],
  ])("is read with %s", async (_what, text) => {
    const rows = await read(text);
    expect(rows.map(readPlace)).toEqual([AT]);
    expect([...rows[0]!.properties].map(([, value]) => value)).toEqual(["P-1", "2.5"]);
  });

  it("has pandas' index under a name of its own, and repeated names with numbers", async () => {
    const [first] = await read(",lat,lon,name,name,id\n0,1,2,a,b,P-1\n");
    expect([...first!.properties]).toEqual([
      ["column 1", "0"],
      ["name_1", "a"],
      ["name_2", "b"],
      ["id", "P-1"],
    ]);
    expect(await readRefusal("lat,lat,lon\n1,2,3\n")).toContain('perhaps in lat_1 ("1"), lat_2 ("2")');
    expect(await readRefusal("lat,lon,fact:x,fact:x\n1,2,3,4\n")).toContain('found two columns "fact:x"');
  });

  it("keeps the zeros of a text that a formula protects, whatever the pieces it comes in", async () => {
    for (const cell of ['="00012"', '"=""00012"""']) {
      const [first] = await read(`id,lat,lon\n${cell},1,2\n`);
      expect(first!.properties.get("id")).toBe("00012");
    }
  });

  it("has no header but its first row where nothing else has names", async () => {
    expect(await readRefusal("P-1,-6.5,-55.2\nP-2,-6.6,-55.3\n")).toMatch(/^found text with the columns P-1/);
    const rows = await read("id,lat,lon\nlat,1,2\nlatitude,3,4\n");
    expect(rows.map(({ properties }) => properties.get("id"))).toEqual(["lat", "latitude"]);
  });
});

describe("rows that are the corners of plots", () => {
  const corners = (id: string, x: number, more = "") =>
    [
      [x, 0],
      [x + 0.01, 0],
      [x + 0.01, 0.01],
      [x, 0.01],
    ].map(([lon, lat], index) => `${id},${index + 1},${lon},${lat}${more}`);
  const table = (names: string, ...rows: readonly string[][]) => `${names}\n${rows.flat().join("\n")}\n`;

  it.each(["vertex", "corner_no", "seq", "ponto", "Orden", "urutan", "Vértice", "point_number"])(
    "become polygons where a column counts them: %s",
    async (order) => {
      const rows = await read(table(`plot_id,${order},lon,lat`, corners("a", 1), corners("b", 2)));
      expect(
        rows.map(({ geometry, properties }) => [toTypedGeometry(geometry).type, [...properties]]),
      ).toEqual([
        ["Polygon", [["plot_id", "a"]]],
        ["Polygon", [["plot_id", "b"]]],
      ]);
      expect(readPlace(rows[0]!)).toEqual([
        [
          [1, 0],
          [1.01, 0],
          [1.01, 0.01],
          [1, 0.01],
          [1, 0],
        ],
      ]);
    },
  );

  it("come in the order of that column, by numbers in words or letters", async () => {
    const shuffled = [2, 0, 3, 1].map((at) => corners("a", 1)[at]!);
    const [first] = await read(table("plot_id,vertex,lon,lat", shuffled));
    expect((readPlace(first!) as number[][][])[0]!.slice(0, 2)).toEqual([
      [1, 0],
      [1.01, 0],
    ]);
    for (const names of [
      ["P-9", "P-10", "P-11", "P-12"],
      ["A", "B", "C", "D"],
    ]) {
      const lettered = corners("a", 1).map((row, index) =>
        row.replace(`,${index + 1},`, `,${names[index]},`),
      );
      expect(toTypedGeometry((await read(table("plot_id,vertex,lon,lat", lettered)))[0]!.geometry).type).toBe(
        "Polygon",
      );
    }
  });

  it("may end with the first again, with its number or one more", async () => {
    const [first] = corners("a", 1);
    for (const closing of [first!, first!.replace(",1,", ",5,")]) {
      const [plot] = await read(
        table("plot_id,vertex,lon,lat", [...corners("a", 1), closing], corners("b", 2)),
      );
      expect((readPlace(plot!) as number[][][])[0]).toHaveLength(5);
    }
  });

  it("are an error that names the options and the number of plots where there is a doubt", async () => {
    const [a, b] = [corners("a", 1), corners("b", 2)];
    const uncounted = table("plot_id,note,lon,lat", a, b);
    expect(await readRefusal(uncounted.replaceAll(/,\d,/g, ",x,"))).toBe(
      "found rows that seem to be corners: plot_id comes again in row after row, and no column counts them, expected one row a plot, or which rows are the corners of one; --corners-of plot_id [--corner-order COLUMN] makes 2 plots of the 8 rows, and --corners-of none reads each row as a plot",
    );
    const split = table("plot_id,vertex,lon,lat", a.slice(0, 2), b, a.slice(2));
    expect(await readRefusal(split)).toContain("the rows of a do not come one after another");
    const crossing = table(
      "plot_id,vertex,lon,lat",
      [a[0]!, a[2]!, a[1]!, a[3]!].map((row, i) => row.replace(/,\d,/, `,${i + 1},`)),
    );
    expect(await readRefusal(crossing)).toContain("the border of a would cross itself");
    const wide = table(
      "plot_id,vertex,lon,lat",
      corners("a", 1).map((row, index) => row.replace(",0.01", `,${index}`)),
    );
    expect(await readRefusal(wide)).toMatch(/those of a are \d+ km apart/);
  });

  it("are made by the options, and each is a plot where these name none", async () => {
    const [a, b] = [corners("a", 1), corners("b", 2)];
    const split = table("plot_id,vertex,lon,lat", a.slice(0, 2), b, a.slice(2));
    const named = await read(split, { cornersOf: "plot_id", cornerOrder: "vertex" });
    expect(named.map(({ geometry }) => toTypedGeometry(geometry).type)).toEqual(["Polygon", "Polygon"]);
    expect(await read(split, { cornersOf: "none" })).toHaveLength(8);
    const far = table(
      "plot_id,vertex,lon,lat",
      corners("a", 1).map((row, index) => row.replace(",0.01", `,${index}`)),
    );
    expect((await read(far, { cornersOf: "plot_id" }))[0]!.fault?.message).toContain(
      "km apart, expected at most 10 km",
    );
  });

  it("are none where ids distinguish rows, or lie far apart without a column that counts", async () => {
    const points = ["a", "b", "c", "d"].map((id, index) => `${id},coop,${index},${index}`);
    expect(await read(table("plot_id,producer_code,lon,lat", points))).toHaveLength(4);
    const far = [0, 1, 2, 3].map((index) => `coop,x,${index},${index}`);
    expect(await read(table("code,note,lon,lat", far))).toHaveLength(4);
  });
});
