import { mulberry32 } from "@groundrule/testing/random";
import {
  Table as ArrowTable,
  Field,
  Message,
  RecordBatchReader,
  RecordBatchStreamWriter,
  Schema,
  type Table,
  tableFromIPC,
  Utf8,
  vectorFromArray,
} from "apache-arrow";
import { describe, expect, it } from "vitest";
import { matchFailedExit, runInProcess } from "../../../test/in-process.ts";
import { makeFeature } from "../../../test/plot-texts.ts";
import { createParkFolder, INSIDE, NOW, OUTSIDE, runOnStreams } from "../../../test/small-park.ts";
import { OutputStream, TextColumn } from "../../screening/stdio/output-stream.ts";

const { at, write } = createParkFolder();

/** A call as a stream: its words in the metadata, and a batch for each list of geometries. */
function makeCall(words: unknown, ...batches: readonly (object | string | null)[][]): Uint8Array {
  const tables = batches.map((geometries) => {
    const texts = geometries.map((each) => (typeof each === "object" && each ? JSON.stringify(each) : each));
    return new ArrowTable({
      id: vectorFromArray(
        geometries.map((_, i) => `plot ${i}`),
        new Utf8(),
      ),
      geometry: vectorFromArray(texts, new Utf8()),
    });
  });
  const metadata = new Map([["call", typeof words === "string" ? words : JSON.stringify(words)]]);
  const schema = new Schema(tables[0]?.schema.fields ?? [], metadata);
  const writer = new RecordBatchStreamWriter();
  writer.reset(undefined, schema);
  for (const table of tables) for (const batch of table.batches) writer.write(batch);
  writer.finish();
  return writer.toUint8Array(true);
}

/** Answers of the command to calls, one after another. */
async function answer(...calls: readonly Uint8Array[]) {
  const { out, ...ended } = await runOnStreams(["stdio", "--data", at("data")], Buffer.concat(calls));
  return { ...ended, tables: out.length === 0 ? [] : listTables(out) };
}

/** The streams in the output, each up to its end mark. */
function listTables(bytes: Buffer): readonly Table[] {
  const tables: Table[] = [];
  let start = 0;
  for (let i = 0; i < bytes.length; ) {
    const metadataBytes = bytes.readInt32LE(i + 4);
    const message = bytes.subarray(i + 8, i + 8 + metadataBytes);
    i += 8 + metadataBytes + (metadataBytes === 0 ? 0 : Message.decode(message).bodyLength);
    if (metadataBytes > 0) continue;
    const reader = RecordBatchReader.from(bytes.subarray(start, i)).open();
    tables.push(new ArrowTable(reader.schema, [...reader]));
    start = i;
  }
  return tables;
}

const listLines = (table: Table | undefined): unknown[] =>
  (table?.toArray() ?? []).map((row) => JSON.parse((row.toJSON() as { line: string }).line));

const rowsOf = (table: Table | undefined): Record<string, unknown>[] =>
  (table?.toArray() ?? []).map((row) => row.toJSON());

const errorOf = (table: Table | undefined): Record<string, unknown> =>
  JSON.parse(table?.schema.metadata.get("error") ?? "{}");

const RULES = (): string => `--ruleset=${at("rules.json")}`;

describe("groundrule stdio", () => {
  it("answers several kinds of calls one after another, each as its command does", async () => {
    write("plots.ndjson", `${JSON.stringify(makeFeature("plot 0", INSIDE))}\n`);
    const named = ["--data", at("data"), at("plots.ndjson")];
    const [evaluated, near, sources] = await Promise.all([
      runInProcess(["evaluate", RULES(), "--now", NOW, ...named]),
      runInProcess(["distance", "--max-distance-m=1000", ...named]),
      runInProcess(["sources", "list", "--data", at("data")]),
    ]);
    const { code, tables } = await answer(
      makeCall(["evaluate", RULES(), "--now", NOW], [INSIDE]),
      makeCall(["distance", "--max-distance-m=1000", "--json"], [INSIDE]),
      makeCall(["sources", "list"]),
      makeCall(["intersections", "--source", "demo:parks"], [INSIDE, OUTSIDE, "POLYGON(("], [INSIDE]),
      makeCall(["screen", RULES(), "--now", NOW], [INSIDE, OUTSIDE]),
    );
    expect([code, tables.length]).toEqual([0, 5]);
    expect(listLines(tables[0])).toEqual(evaluated.lines);
    expect(listLines(tables[1])).toEqual(near.lines);
    expect(listLines(tables[2])).toEqual(sources.lines);
    expect(rowsOf(tables[3])).toEqual([
      expect.objectContaining({ row: 0, source_id: "P1", overlap_ratio: 1, cells: null, error_code: null }),
      expect.objectContaining({ row: 2, source_id: null, error_code: "GEOMETRY_INVALID" }),
      expect.objectContaining({ row: 0, source_id: "P1", error_message: null }),
    ]);
    expect(tables[3]!.batches.map(({ numRows }) => numRows)).toEqual([2, 1]);
    expect(rowsOf(tables[4]).map(({ verdict }) => verdict)).toEqual(["WARNING", "COMPLIANT"]);
    expect(JSON.parse(tables[4]!.schema.metadata.get("editions")!)).toHaveProperty("demo:parks");
  });

  it("refuses a call as a whole, drops its plots, and answers the next", async () => {
    write("broken.json", { sets: {}, checks: 7 });
    const refused = [
      [["serve"], "CALL_INVALID"],
      ["no words", "CALL_INVALID"],
      [{ call: 1 }, "CALL_INVALID"],
      [["intersections", "--data", "elsewhere"], "CALL_INVALID"],
      [["intersections", "--layer", "plots"], "CALL_INVALID"],
      [["intersections", "plots.gpkg"], "CALL_INVALID"],
      [["distance"], "CALL_INVALID"],
      [["screen"], "CALL_INVALID"],
      [["screen", RULES(), "--record", "records"], "CALL_INVALID"],
      [["screen", "--ruleset=nowhere.json"], "INPUT_UNREADABLE"],
      [["screen", `--ruleset=${at("broken.json")}`], "RULESET_INVALID"],
      [["screen", RULES(), `--expect-edition=demo:parks=${"0".repeat(64)}`], "EDITION_UNEXPECTED"],
      [["explain", "--ruleset=preset.eudr"], "SOURCE_UNKNOWN"],
    ] as const;
    const calls = refused.flatMap(([words]) => [
      makeCall(words, [INSIDE]),
      makeCall(["intersections"], [INSIDE]),
    ]);
    const { code, tables } = await answer(...calls);
    expect(code).toBe(0);
    const codes = tables.filter((_, i) => i % 2 === 0).map((table) => errorOf(table).code);
    expect(codes).toEqual(refused.map(([, expected]) => expected));
    for (const table of tables.filter((_, i) => i % 2 === 1)) expect(rowsOf(table)).toHaveLength(1);
  });

  it("returns records that a replay confirms, beside the results", async () => {
    const { tables } = await answer(
      makeCall(["evaluate", RULES(), "--record=-"], [INSIDE]),
      makeCall(["screen", RULES(), "--record=-"], [OUTSIDE, null]),
    );
    const records = tables.flatMap((table) => rowsOf(table).map(({ record }) => record));
    write("records.ndjson", records.join("\n"));
    const replayed = await runInProcess(["replay", "--data", at("data"), at("records.ndjson")]);
    expect(replayed.lines.map(({ result }) => result)).toEqual(["identical", "identical", "no_verdict"]);
  });

  it("ends at bytes that are no call, and where a call is cut short", async () => {
    const call = makeCall(["intersections"], [INSIDE]);
    expect(await answer(Buffer.from("hello, hello"))).toMatchObject(matchFailedExit(3, "FORMAT_UNKNOWN"));
    expect(await answer(call, call.subarray(0, call.length - 20))).toMatchObject(
      matchFailedExit(3, "FILE_DAMAGED"),
    );
    expect(await answer()).toMatchObject({ code: 0, tables: [] });
  });
});

describe("TextColumn", () => {
  it("builds what the library's own builder does, of any texts (seed 48)", () => {
    const random = mulberry32(48);
    const pieces = ["", "a", "ção", "🌳", "\ud83c", "\udf33", "x".repeat(70)];
    for (let run = 0; run < 50; run++) {
      const texts = Array.from({ length: Math.floor(random() * 40) }, () =>
        random() < 0.2 ? null : pieces[Math.floor(random() * pieces.length)]!,
      );
      const column = new TextColumn();
      for (const text of texts) column.add(text);
      const data = column.build();
      const expected = vectorFromArray(texts, new Utf8());
      expect([data.length, data.nullCount]).toEqual([
        expected.length,
        texts.filter((text) => text === null).length,
      ]);
      const output = new OutputStream([new Field("text", new Utf8(), true)], new Map());
      const stream = Buffer.concat([output.head, output.encode(data.length, [data]), output.end]);
      expect(tableFromIPC(stream).getChildAt(0)?.toJSON() ?? []).toEqual(expected.toJSON());
    }
  });
});
