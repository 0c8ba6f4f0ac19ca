import { createHash } from "node:crypto";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { Readable } from "node:stream";
import { crc32 } from "node:zlib";
import type { AreaEvidence, Verdict } from "@groundrule/engine";
import { BACKGROUND } from "@groundrule/engine/internal";
import { FormatError } from "@groundrule/formats";
import { installEdition } from "@groundrule/node";
import { formatEditionPath } from "@groundrule/node/internal";
import { mulberry32, toRandom } from "@groundrule/testing/random";
import { createSquarePolygon } from "@groundrule/testing/shapes";
import {
  Binary,
  type DataType,
  Dictionary,
  Float64,
  Int32,
  LargeBinary,
  LargeUtf8,
  RecordBatchReader,
  RecordBatchStreamWriter,
  Table,
  tableFromIPC,
  tableToIPC,
  Utf8,
  vectorFromArray,
} from "apache-arrow";
import { describe, expect, it } from "vitest";
import { writeRaster } from "../../../../../packages/engine/test/rasters.ts";
import { matchFailedExit, runInProcess } from "../../../test/in-process.ts";
import { formatNdjson } from "../../../test/plot-texts.ts";
import {
  createParkFolder,
  INSIDE,
  NOW,
  OUTSIDE,
  PROTECTED,
  runOnStreams,
  startOnStreams,
} from "../../../test/small-park.ts";
import { readRecordBatches } from "./batch-stream.ts";
import { PlotRows } from "./plot-columns.ts";

/** One plot, as pyarrow writes it with `IpcWriteOptions(compression="lz4")`. */
const COMPRESSED =
  "/////6AAAAAQAAAAAAAKAAwABgAFAAgACgAAAAABBAAMAAAACAAIAAAABAAIAAAABAAAAAIAAABEAAAABAAAANT///8AAAEFEAAA" +
  "ABwAAAAEAAAAAAAAAAgAAABnZW9tZXRyeQAAAADM////EAAUAAgABgAHAAwAAAAQABAAAAAAAAEFEAAAABgAAAAEAAAAAAAAAAIA" +
  "AABpZAAABAAEAAQAAAAAAAAA/////+gAAAAUAAAAAAAAAAwAGAAGAAUACAAMAAwAAAAAAwQAHAAAAHgAAAAAAAAAAAAAAAwAHAAQ" +
  "AAQACAAMAAwAAACIAAAAHAAAABQAAAABAAAAAAAAAAAAAAAEAAQABAAAAAYAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAfAAAA" +
  "AAAAACAAAAAAAAAAGAAAAAAAAAA4AAAAAAAAAAAAAAAAAAAAOAAAAAAAAAAfAAAAAAAAAFgAAAAAAAAAGQAAAAAAAAAAAAAAAgAA" +
  "AAEAAAAAAAAAAAAAAAAAAAABAAAAAAAAAAAAAAAAAAAACAAAAAAAAAAEIk0YYECCCAAAgAAAAAABAAAAAAAAAAABAAAAAAAAAAQi" +
  "TRhgQIIBAACAYQAAAAAIAAAAAAAAAAQiTRhgQIIIAACAAAAAAAIAAAAAAAAAAAIAAAAAAAAABCJNGGBAggIAAIB7fQAAAAAAAAAA" +
  "AAAA/////wAAAAA=";
/** A property around {@link INSIDE}, less than half in the park. */
const LARGE = "POLYGON((0.05 0.05, 0.9 0.05, 0.9 0.9, 0.05 0.9, 0.05 0.05))";
const { at, write } = createParkFolder();

/** The words of the command. */
function words(...options: string[]): string[] {
  const ruleset = options.includes("--ruleset") ? [] : ["--ruleset", at("rules.json")];
  return ["screen", "--stdio", "--data", at("data"), "--now", NOW, ...ruleset, ...options];
}

/** The command's output for a whole stream. */
const answer = (stream: Uint8Array, ...options: string[]) => runOnStreams(words(...options), stream);

type Columns = Record<string, readonly [readonly unknown[], DataType]>;

function makeTable(columns: Columns): Table {
  const vectors = Object.entries(columns).map(([name, [values, type]]) => [
    name,
    vectorFromArray(values, type),
  ]);
  return new Table(Object.fromEntries(vectors));
}

function makePlotTable(
  ids: readonly (string | null)[],
  geometries: readonly (object | string | null)[],
): Table {
  const texts = geometries.map((each) => (typeof each === "object" && each ? JSON.stringify(each) : each));
  return makeTable({ id: [ids, new Utf8()], geometry: [texts, new Utf8()] });
}

const rowsOf = (bytes: Uint8Array) =>
  tableFromIPC(bytes)
    .toArray()
    .map((row) => row.toJSON());

describe("groundrule screen --stdio", () => {
  it("answers each batch before it reads the next, and first declares what the answers rest on", async () => {
    const { input, output, ended } = startOnStreams(words());
    const stream = tableToIPC(
      new Table([
        ...makePlotTable(["a", "b"], [INSIDE, OUTSIDE]).batches,
        ...makePlotTable(["c"], [INSIDE]).batches,
      ]),
    );
    const batches = [...RecordBatchReader.from(stream)];
    const ends = [1, 2].map((count) => {
      const writer = new RecordBatchStreamWriter();
      for (const batch of batches.slice(0, count)) writer.write(batch);
      return writer.toUint8Array(true).length;
    });
    const chunks: Buffer[] = [];
    output.on("data", (chunk) => chunks.push(chunk));
    const received = () => tableFromIPC(Buffer.concat(chunks));
    await once(output, "data");
    expect(received().schema.metadata.get("now")).toBe(NOW);
    expect(JSON.parse(received().schema.metadata.get("editions")!)).toHaveProperty("demo:parks");
    let from = 0;
    for (const [i, to] of ends.entries()) {
      input.write(stream.subarray(from, to));
      from = to;
      await once(output, "data");
      expect(received().numRows).toBe([2, 3][i]);
    }
    input.end(stream.subarray(from));
    expect(await ended).toBe(0);
  });

  it("gives the verdicts of screen, whatever form the geometry has", async () => {
    const [[[x, y], , [east, north]]] = INSIDE.coordinates as [[[number, number], unknown, [number, number]]];
    const wkt = `POLYGON ((${x} ${y}, ${east} ${y}, ${east} ${north}, ${x} ${north}, ${x} ${y}))`;
    const wkb = Buffer.alloc(13 + 80);
    wkb.writeUInt8(1, 0);
    for (const [i, value] of [3, 1, 5].entries()) wkb.writeUInt32LE(value, 1 + 4 * i);
    const positions = [x, y, east, y, east, north, x, north, x, y];
    for (const [i, value] of positions.entries()) wkb.writeDoubleLE(value, 13 + 8 * i);
    const plain = JSON.stringify(INSIDE);
    const feature = JSON.stringify({ type: "Feature", properties: {}, geometry: INSIDE });
    const { lines } = await runInProcess(
      ["screen", "--ruleset", at("rules.json"), "--data", at("data"), "--now", NOW],
      { input: `${plain}\n` },
    );
    const { verdict, digest } = lines[0]!.verdict as { verdict: string; digest: string };
    expect(verdict).toBe("WARNING");
    for (const [value, type] of [
      [plain, new Utf8()],
      [plain, new LargeUtf8()],
      [feature, new Utf8()],
      [wkt, new Utf8()],
      [wkb, new Binary()],
      [wkb, new LargeBinary()],
    ] as const) {
      const batch = makeTable({ id: [["a"], new LargeUtf8()], geometry: [[value], type] });
      const { code, out, err } = await answer(tableToIPC(batch));
      expect([code, err]).toEqual([0, ""]);
      expect(rowsOf(out)).toEqual([
        expect.objectContaining({ id: "a", verdict, digest, "check:overlap": "WARNING" }),
      ]);
    }
  });

  it("gives the verdicts of screen on the cells of a raster, with how many they are, and degraded where one is damaged", async () => {
    const cells = Uint16Array.from({ length: 600 * 600 }, (_, i) =>
      i % 600 < 480 && i % 7 < 3 ? i % 3 : BACKGROUND,
    );
    const grid = { a: 0, b: 4000, s: 1, t: 1, n: 4000, columns: 600, rows: 600 };
    const file = writeRaster({ grid, areaCount: 3, cells }, { crc32, sha256: () => createHash("sha256") });
    const { meta } = await installEdition(at("data"), file);
    writeFileSync(
      at("cells.json"),
      JSON.stringify({
        sets: { loss: { sources: ["test:raster"], where: "value >= 2" } },
        checks: [{ id: "loss", set: "loss", measure: "overlap_area_m2", value: 5000, outcome: "WARNING" }],
      }),
    );
    const shapes = [0.002, 0.06, 0.13, 0.2].map((x) => createSquarePolygon(x, 0.9, 0.01));
    const rules = ["--ruleset", at("cells.json")];
    const both = async () => {
      const input = formatNdjson(...shapes);
      const screened = await runInProcess(["screen", ...rules, "--data", at("data"), "--now", NOW], {
        input,
      });
      const { out, err, code } = await answer(
        tableToIPC(makePlotTable(["1", "2", "3", "4"], shapes)),
        ...rules,
      );
      expect([code, err]).toEqual([0, ""]);
      const verdicts = screened.lines.map(({ verdict }) => verdict as Verdict);
      const rows = rowsOf(out);
      expect(rows.map(({ verdict, digest }) => [verdict, digest])).toEqual(
        verdicts.map(({ verdict, digest }) => [verdict, digest]),
      );
      return { verdicts, rows };
    };
    const whole = await both();
    const verdicts = whole.verdicts.map(({ verdict }) => verdict);
    expect(verdicts).toEqual(["WARNING", "WARNING", "COMPLIANT", "WARNING"]);
    expect(whole.rows.map((row) => row["check:loss"]).slice(2)).toEqual(["not_triggered", "not_covered"]);
    const received = [...whole.rows[0]!.evidence][0]!.toJSON();
    const found = [...received.items].map((item) => [item.source_id, item.cells, item.overlap_area_m2]);
    const evidence = whole.verdicts[0]!.checks[0]!.evidence as AreaEvidence[];
    expect(found).toEqual(evidence.map((item) => [item.source_id, item.cells, item.overlap_area_m2]));
    expect(found.map(([, count]) => Number(count) > 100)).toEqual([true, true]);
    const path = formatEditionPath(at("data"), "test:raster", meta.edition);
    const bytes = readFileSync(path);
    bytes[bytes.length - 40]! ^= 1;
    writeFileSync(path, bytes);
    const damaged = await both();
    expect(damaged.verdicts.map(({ verdict }) => verdict)).toContain("DEGRADED");
  });

  it("has a row for every plot in its place, whatever is wrong with it", async () => {
    const ids = ["é", null, "twice", "twice", "none", "json", "deep", "wkt", "wkb?"];
    const unread = ['{"type":', `{"a":${"[".repeat(99)}`, "POINT(", "x"];
    const shapes = [INSIDE, INSIDE, OUTSIDE, OUTSIDE, null, ...unread];
    const { code, out } = await answer(tableToIPC(makePlotTable(ids, shapes)));
    expect(code).toBe(0);
    const rows = rowsOf(out);
    expect(rows.map(({ id }) => id)).toEqual(ids);
    expect(rows.map(({ error_code }) => error_code)).toEqual([
      ...[null, "VALIDATION_FAILED", null, null, "INPUT_INCOMPLETE"],
      ...["MALFORMED_JSON", "MALFORMED_JSON", "GEOMETRY_INVALID", "GEOMETRY_INVALID"],
    ]);
  });

  it("reads areas, countries, CRS and identifiers from columns", async () => {
    const point = JSON.stringify({ type: "Point", coordinates: [0.1, 0.1] });
    const batch = makeTable({
      id: [["point", "no area", "scheme"], new Utf8()],
      geometry: [[point, point, JSON.stringify(INSIDE)], new Utf8()],
      area_ha: [[4, null, null], new Float64()],
      country: [["BRA", null, null], new Utf8()],
      crs: [[null, null, "EPSG:4326"], new Utf8()],
      scheme: [[null, null, "text"], new Utf8()],
    });
    const { out } = await answer(tableToIPC(batch));
    const codes = rowsOf(out).map(({ error_code }) => error_code);
    expect(codes).toEqual([null, "INPUT_INCOMPLETE", "VALIDATION_FAILED"]);
  });

  it("reads identifiers from columns that the command line names, beside those of scheme", async () => {
    const own = { type: "us:ein", value: "12-3456789", role: "buyer" };
    const [cnpj, other] = ["11222333000181", "11444777000161"];
    const ofOwner = [cnpj, other].map((value) => ({ type: "br:cnpj", value, role: "owner" }));
    const scheme = [[own, ...ofOwner], [ofOwner[0]], [{ type: "br:car", value: "b" }], null];
    const digestsOf = async (columns: Columns, ...options: string[]) => {
      const ids = ["a", "b", "b", "c"];
      const of = {
        id: [ids, new Utf8()],
        geometry: [ids.map(() => JSON.stringify(INSIDE)), new Utf8()],
      } as const;
      const { out } = await answer(
        tableToIPC(makeTable({ ...of, ...columns })),
        ...options,
        "--evidence",
        "none",
      );
      return rowsOf(out).map(({ digest }) => digest);
    };
    const texts = scheme.map((each) => each && JSON.stringify(each));
    const expected = await digestsOf({ scheme: [texts, new Utf8()] });
    const named = ["--identifier", "br:cnpj:owner=tax", "--identifier", "br:cnpj:owner=tax number"];
    const found = await digestsOf(
      {
        scheme: [[JSON.stringify(own), null, texts[2], null], new Utf8()],
        tax: [[`${cnpj}; ${other}`, "", null, "-"], new LargeUtf8()],
        "tax number": [[Number(cnpj), Number(cnpj), null, Number.NaN], new Float64()],
      },
      ...named,
    );
    expect(found).toEqual(expected);
    expect(new Set(expected).size).toBe(4);
    const missing = await answer(tableToIPC(makePlotTable(["a"], [INSIDE])), ...named);
    expect(missing).toEqual(expect.objectContaining(matchFailedExit(3, "found no column tax, expected")));
  });

  it("reads facts and the property from columns, whose maps may hold texts alone", async () => {
    const question = { en: "?" };
    const asking = {
      facts: { modules: { type: "number", question }, permit: { type: "document", question } },
      sets: PROTECTED,
      checks: [
        { id: "large", fact: "modules", op: ">", value: 4, outcome: "WARNING" },
        { id: "unlawful", fact: "permit", op: "not_valid", outcome: "WARNING" },
        {
          id: "half",
          set: "protected",
          measure: "overlap_ratio",
          on: "property",
          op: ">",
          value: 0.5,
          outcome: "WARNING",
        },
      ],
    };
    write("asking.json", asking);
    const permit = { id: "P", issuer: "State", issued_on: "2024-01-01" };
    const facts = [
      { modules: 5, permit },
      { modules: "4", permit: JSON.stringify(permit) },
      { modules: "many" },
      { modulos: 4 },
      "none",
    ];
    const inside = JSON.stringify(createSquarePolygon(0.05, 0.05, 0.1));
    const batch = makeTable({
      id: [facts.map((_, i) => `${i}`), new Utf8()],
      geometry: [facts.map(() => JSON.stringify(INSIDE)), new Utf8()],
      facts: [facts.map((each) => JSON.stringify(each)), new Utf8()],
      property: [facts.map((_, i) => (i === 1 ? `SRID=4326;${LARGE}` : inside)), new Utf8()],
    });
    const { out } = await answer(tableToIPC(batch), "--ruleset", at("asking.json"));
    const rows = rowsOf(out);
    expect(rows.map((row) => ["large", "unlawful", "half"].map((id) => row[`check:${id}`]))).toEqual([
      ["WARNING", "not_triggered", "WARNING"],
      ["not_triggered", "not_triggered", "not_triggered"],
      ...Array(3).fill([null, null, null]),
    ]);
    expect(rows.slice(2).map(({ error_message }) => error_message)).toEqual([
      expect.stringContaining('fact:modules: found "many", expected a number'),
      expect.stringContaining('did you mean "modules"'),
      expect.stringContaining("properties.facts"),
    ]);
  });

  it("answers batches without rows, and streams without batches", async () => {
    const none = await answer(tableToIPC(makePlotTable([], [])));
    expect([none.code, rowsOf(none.out)]).toEqual([0, []]);
  });

  it("refuses other columns and types, naming the column", async () => {
    const ids = { id: [["a"], new Utf8()] } as const;
    const geometry = { geometry: [["{}"], new Utf8()] } as const;
    for (const [columns, received] of [
      [ids, "found no column geometry"],
      [{ ...ids, ...geometry, aera_ha: [[1], new Float64()] }, 'found the column "aera_ha"'],
      [{ id: [[1], new Int32()], ...geometry }, "found Int as the type of the column id"],
      [{ id: [["a"], new Dictionary(new Utf8(), new Int32())], ...geometry }, "the type of the column id"],
    ] as [Columns, string][]) {
      const { code, err } = await answer(tableToIPC(makeTable(columns)));
      expect({ code, err }).toEqual(matchFailedExit(3, received));
    }
  });

  it("refuses what is no stream, and compressed batches", async () => {
    for (const [stream, received] of [
      [new Uint8Array(0), "found nothing"],
      [Buffer.from('{"type":"Feature"}'), "expected an Arrow IPC stream"],
      [tableToIPC(makePlotTable(["a"], [INSIDE]), "file"), "found an Arrow file"],
      [Buffer.from(COMPRESSED, "base64"), "found a compressed batch"],
    ] as const) {
      const { code, err } = await answer(stream);
      expect({ code, err }).toEqual(matchFailedExit(3, received));
    }
  });

  it("refuses a stream that is cut short anywhere but between two messages", async () => {
    const stream = tableToIPC(makePlotTable(["a", "b"], [INSIDE, OUTSIDE]));
    let whole = 0;
    for (let end = 1; end < stream.length; end += end < 40 ? 3 : 97) {
      const { code, out, err } = await answer(stream.subarray(0, end));
      if (code === 0) whole++;
      else expect([end, code, err]).toEqual([end, 3, expect.stringContaining("the end of the stream after")]);
      expect(RecordBatchReader.from(out).open().schema.fields).toHaveLength(8);
    }
    expect(whole).toBeLessThanOrEqual(2);
  });

  it("reads plots or reports a reason whatever byte differs (seed 91)", async () => {
    const random = toRandom(mulberry32(91));
    const stream = tableToIPC(makePlotTable(["a", "bb", null], [INSIDE, OUTSIDE, "x"]));
    let refused = 0;
    for (let i = 0; i < 400; i++) {
      const flipped = stream.slice();
      const place = Math.floor(random.between(0, flipped.length));
      flipped[place]! ^= 1 << Math.floor(random.between(0, 8));
      try {
        for await (const found of readRecordBatches(Readable.from([flipped]))) {
          const rows = new PlotRows(found);
          expect(rows.count).toBeLessThan(100);
          for (let row = 0; row < rows.count; row++) rows.plot(row, row + 1);
        }
      } catch (error) {
        if (!(error instanceof FormatError)) throw new Error(`byte ${place}`, { cause: error });
        refused++;
      }
    }
    expect(refused).toBeGreaterThan(100);
  });

  it("refuses options that it would have to ignore", async () => {
    for (const options of [
      ["--workers", "2"],
      ["--record", "x"],
      ["--mapping", "x"],
      ["--max-accuracy-m", "9"],
      ["plots.ndjson"],
      ["--evidence", "some"],
    ]) {
      const { code, err } = await answer(new Uint8Array(0), ...options);
      expect({ code, err }).toEqual(matchFailedExit(2, options.at(-2) ?? "plots.ndjson"));
    }
  });
});
