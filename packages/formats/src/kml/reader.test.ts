import { createSeededRandom } from "@groundrule/testing/random";
import { describe, expect, it } from "vitest";
import { toLocalFile } from "../../test/local-bytes.ts";
import { readTableFeatures, toPlainGeometry } from "../../test/reading.ts";
import { encodeZip } from "../../test/write-zip.ts";
import { AreaGeometry } from "../area-geometry.ts";
import { FormatError } from "../format-error.ts";
import type { Feature, ReadOptions } from "../format-reader.ts";
import { reader as kmlReader } from "./reader.ts";

const RING = "0,0 4,0 4,4 0,0";
const HOLE = "1,1,9 2,1,9 2,2,9 1,1,9";
const ring = (coordinates: string) => `<LinearRing><coordinates>${coordinates}</coordinates></LinearRing>`;
const POLYGON = `<Polygon><outerBoundaryIs>${ring(RING)}</outerBoundaryIs><innerBoundaryIs>${ring(HOLE)}</innerBoundaryIs></Polygon>`;
const placemark = (inner: string): string => `<Placemark>${inner}</Placemark>`;
const kml = (inner: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<kml xmlns="http://www.opengis.net/kml/2.2"><Document>\n${inner}</Document></kml>\n`;

const read = async (document: string | Uint8Array, options: ReadOptions = {}) =>
  (await readTableFeatures(kmlReader.open(toLocalFile(Buffer.from(document as string)), options))).features;

const listGeometries = (features: readonly Feature[]): unknown[] =>
  features.map(({ geometry }) => toPlainGeometry(geometry));

const readGeometry = async (inner: string, options: ReadOptions = {}): Promise<unknown> =>
  listGeometries(await read(kml(placemark(inner)), options))[0];

const AREA = [
  [
    [0, 0],
    [4, 0],
    [4, 4],
    [0, 0],
  ],
  [
    [1, 1],
    [2, 1],
    [2, 2],
    [1, 1],
  ],
];

describe("kmlReader", () => {
  it("reads placemarks with their ids, lines, folders and data", async () => {
    const features = await read(
      kml(`<Schema id="s"><SimpleField name="ha" type="double"/><SimpleField name="n" type="int"/><SimpleField name="ok" type="bool"/></Schema>
<Folder><name>Sítio &amp; C&#x6f;</name><Folder><name>North</name>
<Placemark id="p1"><name><![CDATA[<Field> 1]]></name><styleUrl>#x</styleUrl>
 <ExtendedData><Data name="owner"><displayName>Owner</displayName><value>Ana</value></Data><Data name="name"><value>other</value></Data>
 <SchemaData schemaUrl="#s"><SimpleData name="ha">1.50</SimpleData><SimpleData name="n">9007199254740993</SimpleData><SimpleData name="ok">1</SimpleData></SchemaData></ExtendedData>
 ${POLYGON}</Placemark></Folder></Folder>
${placemark("<name> </name>")}`),
    );
    expect(features.map(({ place, id, crs }) => [place, id, crs])).toEqual([
      [{ feature: 1, line: 5 }, "p1", "EPSG:4326"],
      [{ feature: 2, line: 9 }, undefined, "EPSG:4326"],
    ]);
    expect([...features[0]!.properties]).toEqual([
      ["name", "<Field> 1"],
      ["folder", "Sítio & Co/North"],
      ["owner", "Ana"],
      ["ExtendedData.name", "other"],
      ["ha", 1.5],
      ["n", "9007199254740993"],
      ["ok", true],
    ]);
    expect([...features[1]!.properties]).toEqual([]);
    expect(listGeometries(features)).toEqual([{ type: "Polygon", coordinates: AREA }, null]);
  });

  it("reads every kind of geometry, with or without heights and prefixes", async () => {
    const point = "<Point><coordinates>\n 1.5,-2e0,7 \n</coordinates></Point>";
    const line = `<LineString><coordinates>0 , 1 , 5\t2,\n3,5</coordinates></LineString>`;
    expect(await readGeometry(point)).toEqual({ type: "Point", coordinates: [1.5, -2] });
    expect(await readGeometry(point, { swapAxes: true })).toEqual({ type: "Point", coordinates: [-2, 1.5] });
    expect(await readGeometry(line)).toEqual({
      type: "LineString",
      coordinates: [
        [0, 1],
        [2, 3],
      ],
    });
    expect(await readGeometry(ring(RING))).toEqual({ type: "Polygon", coordinates: [AREA[0]] });
    expect(
      await readGeometry(
        `<MultiGeometry>${POLYGON}<MultiGeometry>${POLYGON}</MultiGeometry></MultiGeometry>`,
      ),
    ).toEqual({
      type: "MultiPolygon",
      coordinates: [AREA, AREA],
    });
    expect(await readGeometry(`<MultiGeometry>${point}${point}</MultiGeometry>`)).toEqual({
      type: "MultiPoint",
      coordinates: [
        [1.5, -2],
        [1.5, -2],
      ],
    });
    expect(await readGeometry(`<MultiGeometry>${point}${POLYGON}</MultiGeometry>`)).toEqual({
      type: "GeometryCollection",
      geometries: [
        { type: "Point", coordinates: [1.5, -2] },
        { type: "Polygon", coordinates: AREA },
      ],
    });
    expect(await readGeometry("<MultiGeometry/>")).toBeNull();
    const prefixed = kml(placemark(POLYGON))
      .replaceAll(/<(\/?)(?=[A-Za-z])/g, "<$1k:")
      .replace("xmlns=", "xmlns:k=");
    expect(listGeometries(await read(prefixed))).toEqual([{ type: "Polygon", coordinates: AREA }]);
  });

  it.each([
    ["four numbers in a tuple", "<Point><coordinates>1,2, 3,4</coordinates></Point>", '"1,2,3,4"'],
    ["one number", "<Point><coordinates>1</coordinates></Point>", '"1"'],
    ["an empty number", "<Point><coordinates>1,,2</coordinates></Point>", '"1,,2"'],
    ["hexadecimal", "<Point><coordinates>0x10,2</coordinates></Point>", '"0x10,2"'],
    ["a decimal comma", "<LineString><coordinates>1,5,2,5</coordinates></LineString>", '"1,5,2,5"'],
    ["too large a number", "<Point><coordinates>1e999,2</coordinates></Point>", '"1e999,2"'],
    ["no coordinates", "<Point/>", "without coordinates"],
    ["empty coordinates", "<LineString><coordinates> </coordinates></LineString>", "empty"],
    ["two positions for a point", "<Point><coordinates>1,2 3,4</coordinates></Point>", "2 positions"],
    ["no outer boundary", "<Polygon/>", "0 outer"],
    ["two outer boundaries", POLYGON.replaceAll("inner", "outer"), "2 outer"],
    ["two geometries", `${POLYGON}${POLYGON}`, "second geometry"],
    ["a model", "<MultiGeometry><Model/></MultiGeometry>", "a Model"],
  ])("makes a fault of %s, and goes on", async (_, inner, said) => {
    const [first, second] = await read(kml(placemark(inner) + placemark(POLYGON)));
    expect(first).toMatchObject({ geometry: null, fault: { message: expect.stringContaining(said) } });
    expect(first!.fault!.message).toMatch(/^line 3: found /);
    expect(second!.geometry).toBeInstanceOf(AreaGeometry);
  });

  it("reads a ring that stands alone as the border that its kind makes it, closed or not, and notes it", async () => {
    for (const coordinates of [RING, "0,0 4,0 4,4"]) {
      const [only] = await read(kml(placemark(ring(coordinates))));
      expect(toPlainGeometry(only!.geometry)).toEqual({ type: "Polygon", coordinates: [AREA[0]] });
      expect(only!.notes).toMatchObject([{ code: "READ_AS_BORDER" }]);
    }
    const multi = `<MultiGeometry>${ring(RING)}${ring("9,0 10,0 10,1")}</MultiGeometry>`;
    expect(await readGeometry(multi)).toMatchObject({ type: "MultiPolygon" });
  });

  it("leaves out the point of a label inside the polygon of its placemark, and no other point", async () => {
    const point = (at: string) => `<Point><coordinates>${at}</coordinates></Point>`;
    const both = (at: string) => `<MultiGeometry>${point(at)}${POLYGON}</MultiGeometry>`;
    const [inside, outside, alone] = await read(
      kml(placemark(both("3,0.5")) + placemark(both("9,9")) + placemark(point("3,0.5"))),
    );
    expect(toPlainGeometry(inside!.geometry)).toEqual({ type: "Polygon", coordinates: AREA });
    expect(inside!.notes).toMatchObject([{ code: "LABEL_DROPPED" }]);
    expect(toPlainGeometry(outside!.geometry)).toMatchObject({ type: "GeometryCollection" });
    expect(outside!.notes).toBeUndefined();
    expect(toPlainGeometry(alone!.geometry)).toMatchObject({ type: "Point" });
  });

  it("reports an ampersand that is not written as XML writes it, and where", async () => {
    for (const name of ["Silva & Filhos", "A&B", "x &; y", "R&D &amp; more"]) {
      const broken = kml(
        `${placemark("<name>ok &amp; &#233;</name>")}\n${placemark(`<name>${name}</name>`)}`,
      );
      await expect(read(broken)).rejects.toMatchObject({
        code: "FILE_DAMAGED",
        message: expect.stringMatching(/^line 4: found "&" in .*, expected "&amp;"/),
      });
    }
    expect(await read(kml(placemark("<name><![CDATA[A & B]]></name>")))).toHaveLength(1);
  });

  it("reports that it does not follow links", async () => {
    const link =
      "<NetworkLink><name>more</name><Link><href>http://example.org/x.kml</href></Link></NetworkLink>";
    const features = await read(kml(link + placemark(POLYGON)));
    expect(features[0]!.fault).toEqual({
      code: "FORMAT_UNSUPPORTED",
      message:
        'found a link to "http://example.org/x.kml", which is not followed, expected placemarks: save that document and read it, or, if it is in the same archive, name it with --layer',
    });
    expect(features).toHaveLength(2);
  });

  it.each([
    ["ISO-8859-1", Buffer.from([0xe7])],
    ["windows-1252", Buffer.from([0xe7])],
    ["IBM850", Buffer.from([0x87])],
  ])("reads text in %s as it declares", async (encoding, bytes) => {
    const [head, tail] = kml(placemark("<name>|</name>")).replace("UTF-8", encoding).split("|");
    const document = Buffer.concat([Buffer.from(head!), bytes, Buffer.from(tail!)]);
    expect((await read(document))[0]!.properties.get("name")).toBe("ç");
  });

  it("reads UTF-16 and UTF-8 with a byte order mark", async () => {
    const document = `\ufeff${kml(placemark("<name>ç</name>")).replace("UTF-8", "UTF-16")}`;
    const big = Buffer.from(document, "utf16le").swap16();
    for (const bytes of [
      Buffer.from(document, "utf16le"),
      big,
      Buffer.from(document.replace("UTF-16", "UTF-8")),
    ]) {
      expect((await read(bytes))[0]!.properties.get("name")).toBe("ç");
    }
  });

  it("refuses bytes that are no text, and encodings that it does not know", async () => {
    const document = kml(placemark("<name>|</name>"));
    const latin = Buffer.from(document.replace("|", "ç"), "latin1");
    await expect(read(latin)).rejects.toMatchObject({ code: "TEXT_NOT_UTF8" });
    expect((await read(latin, { encoding: "1252" }))[0]!.properties.get("name")).toBe("ç");
    await expect(read(document.replace("UTF-8", "x-none"))).rejects.toMatchObject({
      code: "ENCODING_UNKNOWN",
    });
  });

  it("opens the document of a KMZ archive", async () => {
    const bytes = Buffer.from(kml(placemark(POLYGON)));
    const files = ["files/image.png", "doc.kml", "other.kml"].map((name) => ({ name, bytes }));
    expect(await read(encodeZip(files))).toHaveLength(1);
    expect(await read(encodeZip(files.slice(2)))).toHaveLength(1);
    const two = encodeZip([
      { name: "a.kml", bytes },
      { name: "b.kml", bytes },
    ]);
    await expect(read(two)).rejects.toMatchObject({
      code: "LAYER_AMBIGUOUS",
      details: { layers: ["a.kml", "b.kml"] },
    });
    expect(await read(two, { layer: "b.kml" })).toHaveLength(1);
    await expect(read(two, { layer: "c.kml" })).rejects.toMatchObject({ code: "LAYER_UNKNOWN" });
    await expect(read(encodeZip(files.slice(0, 1)))).rejects.toMatchObject({ code: "ARCHIVE_INVALID" });
    await expect(read(bytes, { layer: "x" })).rejects.toMatchObject({ code: "LAYER_UNKNOWN" });
  });

  it("refuses another language by its first element", async () => {
    await expect(read("<gml:FeatureCollection/>")).rejects.toMatchObject({ code: "FORMAT_UNKNOWN" });
    await expect(read("")).rejects.toMatchObject({ code: "FILE_DAMAGED" });
  });
});

describe("a hostile document", () => {
  const laughs = `<!DOCTYPE kml [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;"><!ENTITY c SYSTEM "file:///etc/passwd">]>`;

  it.each(["a", "b", "c", "nbsp"])("takes no entity from it: %s", async (entity) => {
    const document = kml(placemark(`<name>&${entity};</name>`)).replace("<kml", `${laughs}<kml`);
    await expect(read(document)).rejects.toMatchObject({
      code: "FILE_DAMAGED",
      details: { place: { line: 3 } },
    });
  });

  it("is refused where it nests without end", async () => {
    await expect(read(kml("<Folder>".repeat(100_000)))).rejects.toMatchObject({ code: "FILE_DAMAGED" });
    const nested = placemark("<MultiGeometry>".repeat(100_000));
    await expect(read(kml(nested))).rejects.toMatchObject({ message: expect.stringContaining("64 deep") });
  });

  it("is refused where one feature, tag, comment or text has no end, before all of it is read", async () => {
    const long = "x ".repeat(500_000);
    for (const inner of [
      `<name>${long}</name>`,
      `<!--${long}-->`,
      `<name a="${long}"/>`,
      `<?p ${long}?>`,
      POLYGON.repeat(5_000),
    ]) {
      const file = toLocalFile(Buffer.from(kml(placemark(inner))));
      const table = await kmlReader.open(file, { limits: { featureBytes: 200_000 } });
      await expect(table.features().next()).rejects.toMatchObject({ code: "TEXT_TOO_LARGE" });
    }
    const many = Array.from({ length: 2_000 }, (_, i) => `a${i}="1"`).join(" ");
    await expect(read(kml(`<Folder ${many}/>`))).rejects.toMatchObject({ code: "FILE_DAMAGED" });
  });

  it("is refused where it is cut at any byte, and read or refused with any byte changed", async () => {
    const document = kml(placemark(`<name>é</name>${POLYGON}`)).trim();
    const whole = Buffer.from(document);
    for (let length = 0; length < whole.length; length++) {
      await expect(read(whole.subarray(0, length))).rejects.toBeInstanceOf(FormatError);
    }
    const random = createSeededRandom(22);
    for (let i = 0; i < 500; i++) {
      const turned = Buffer.from(whole);
      turned[random.integer(whole.length)] = random.integer(256);
      try {
        expect((await read(turned)).length).toBeLessThanOrEqual(1);
      } catch (error) {
        expect(error).toBeInstanceOf(FormatError);
      }
    }
  });
});
