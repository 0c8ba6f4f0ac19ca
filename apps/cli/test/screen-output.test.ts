import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { Readable, Writable } from "node:stream";
import { openPath, openTable } from "@groundrule/formats";
import { readPlotFile } from "@groundrule/plot-files";
import { createSharedFolder } from "@groundrule/testing/folder";
import { createSquarePolygon } from "@groundrule/testing/shapes";
import { beforeAll, describe, expect, it } from "vitest";
import { parseArguments } from "../src/command-line/arguments.ts";
import { completeCommand } from "../src/command-line/command.ts";
import { screenCommand } from "../src/commands/screening/screen.ts";
import { runCommand } from "../src/run-command.ts";
import { FORMATS_BY_ENDING, RESULT_FORMATS } from "../src/screening/format-names.ts";
import { readScreenOptions } from "../src/screening/screen-options.ts";
import { Terminal } from "../src/terminal/terminal.ts";
import { matchFailedExit, parseJsonLines, runInProcess } from "./in-process.ts";
import { makeFeature } from "./plot-texts.ts";

// The output of a run: its formats, its errors, its shards.

const NOW = "2026-06-30T12:00:00Z";
const RULESET = {
  sets: { parks: { sources: ["demo:parks"] } },
  checks: [
    { id: "parks", set: "parks", measure: "overlap_ratio", outcome: "NON_COMPLIANT" },
    { id: "many", set: "parks", value: 5, outcome: "WARNING" },
  ],
};
const COLUMNS = [
  ...["id", "verdict", "at_least", "check:parks", "check:many"],
  ...["digest", "evidence", "error_code", "error_message"],
];
const PARK_EVIDENCE = { check: "parks", total: 1 };
const DIGEST = "0".repeat(64);

const feature = (id: string | number, x: number) => makeFeature(id, createSquarePolygon(x, 0, 0.1), {});
/** Inside the park, outside of it, none. */
const PLOTS: readonly string[] = Array.from({ length: 40 }, (_, i) =>
  i % 7 === 3 ? "{oops}" : JSON.stringify(feature(i % 5 === 4 ? `=${i},"q"` : i, i % 2 === 0 ? 10 : 40)),
);

const { at, write } = createSharedFolder();
let input: string;
let files = 0;
beforeAll(async () => {
  write("rules.json", RULESET);
  write("parks.geojson", makeFeature("P1", createSquarePolygon(10, 0, 1)));
  const options = ["--source", "demo:parks", "--id", "code", "--coverage", "global", "--data", at()];
  expect((await runInProcess(["snapshot", "build", ...options, at("parks.geojson")])).code).toBe(0);
  input = write("plots.ndjson", PLOTS.join("\n"));
});

/** By one worker where nothing else is said: to start another costs more than all that a run does here. */
const args = (...more: readonly string[]): string[] => {
  const workers = more.includes("--workers") ? [] : ["--workers", "1"];
  return ["screen", "--ruleset", at("rules.json"), "--data", at(), "--now", NOW, ...workers, ...more];
};
const fresh = (name: string): string => at(`${++files}-${name}`);

/** Screens to a file; a run that was made before is the same again. */
async function toFile(format: string, ...more: readonly string[]): Promise<Buffer> {
  const made = runs.get(`${[format, ...more]}`);
  if (made !== undefined) return made;
  const output = fresh(`results.${format}`);
  const { code, err } = await runInProcess(args(input, "--format", format, "--output", output, ...more));
  expect([code, err]).toEqual([3, expect.any(String)]);
  const results = readFileSync(output);
  runs.set(`${[format, ...more]}`, results);
  return results;
}

const runs = new Map<string, Buffer>();

async function readRows(parquet: Buffer): Promise<Record<string, unknown>[]> {
  const path = fresh("rows.parquet");
  writeFileSync(path, parquet);
  const file = await openPath(path);
  const table = await openTable(file);
  const rows: Record<string, unknown>[] = [];
  for await (const { cells } of table.rows()) rows.push(Object.fromEntries(cells));
  await table.close();
  await file.close();
  return rows;
}

describe("the formats of screen", () => {
  it("have the same verdicts, in input order", async () => {
    const ndjson = parseJsonLines(String(await toFile("ndjson")));
    const compact = parseJsonLines(String(await toFile("compact")));
    const parquet = await readRows(await toFile("parquet"));
    expect(ndjson).toHaveLength(PLOTS.length);
    for (const [i, full] of ndjson.entries()) {
      const error = full.error as { code: string } | undefined;
      expect(compact[i]!.id).toBe(full.id);
      expect(parquet[i]!.id).toBe(String(full.id));
      expect([compact[i]!.error, parquet[i]!.error_code ?? undefined]).toEqual([error, error?.code]);
      if (error !== undefined) continue;
      const { verdict, at_least, digest } = full.verdict as Record<string, string>;
      const isIn = verdict === "NON_COMPLIANT";
      const parks = isIn ? "NON_COMPLIANT" : "not_triggered";
      const checks = { "check:parks": parks, "check:many": "not_triggered" };
      expect(compact[i]).toMatchObject({ verdict, at_least, digest, ...checks });
      expect(parquet[i]).toMatchObject({ verdict, at_least, digest, ...checks });
      expect(compact[i]!.evidence !== undefined).toBe(isIn);
      expect(parquet[i]!.evidence ?? undefined).toEqual(
        isIn
          ? [{ ...PARK_EVIDENCE, items: [expect.objectContaining({ source_id: "P1", name: null })] }]
          : undefined,
      );
    }
    const csv = String(await toFile("csv")).split("\r\n");
    expect(csv[0]).toBe(COLUMNS.join(","));
    expect(csv).toHaveLength(PLOTS.length + 2);
    expect(csv[5]).toMatch(/^"'=4,""q""",NON_COMPLIANT,NON_COMPLIANT,NON_COMPLIANT,not_triggered,/);
  });

  it("are on standard output what they are in a file", async () => {
    for (const format of ["csv", "geojson", "compact"]) {
      const [file, printed] = [await toFile(format), await runInProcess(args(input, "--format", format))];
      expect(printed.out).toBe(file.toString());
    }
  });

  it("hold attributes whatever they are called, each under a name of its own that the format can hold", async () => {
    const properties = `{"İLÇE":1,"fid":2,"FID":3,"a\\u0000b":4,"\\ud800":5,"\\ud801":6,"__proto__":7,"toString":8}`;
    const plot = `{"type":"Feature","id":"p","properties":${properties},"geometry":${JSON.stringify(createSquarePolygon(40, 0, 0.1))}}`;
    const path = fresh("named.geojson");
    writeFileSync(path, plot);
    const clean = { İLÇE: 1, "a\ufffdb": 4, "\ufffd": 5, "plot:\ufffd": 6, ["__proto__"]: 7, toString: 8 };
    for (const [format, names] of Object.entries({
      geojson: { ...(JSON.parse(properties) as object) },
      gpkg: { ...clean, fid: 1, "plot:fid": 2, "plot:plot:FID": 3 },
      geoparquet: { ...clean, fid: 2, FID: 3 },
    })) {
      const output = fresh(`named.${format}`);
      const { code, err } = await runInProcess(args(path, "--format", format, "--output", output));
      expect([format, code, err]).toEqual([format, 0, expect.any(String)]);
      const file = await openPath(output);
      const table = await openTable(file);
      const read = [];
      for await (const each of table.features()) read.push(each);
      const own = [...read[0]!.properties].filter(([name]) => !COLUMNS.includes(name));
      expect(new Map(own)).toEqual(new Map(Object.entries(names)));
      await table.close();
      await file.close();
    }
  });

  it("hold every digit of an attribute that no double holds", async () => {
    const path = fresh("digits.geojson");
    const plot = JSON.stringify(feature("a", 10));
    writeFileSync(path, plot.replace('"properties":{}', '"properties":{"car":12345678901234567891}'));
    const output = fresh("digits-out.geojson");
    expect((await runInProcess(args(path, "--output", output, "--format", "geojson"))).code).toBe(0);
    expect(readFileSync(output, "utf8")).toContain('"car":"12345678901234567891"');
  });

  it("hold plots as they came, in tables, and read back as the plots that they were", async () => {
    const kept = { name: "São José", Area: 2.5, none: null };
    const own = { ...kept, verdict: "mine", nested: { a: [1] }, id: "ignored" };
    const [ring] = createSquarePolygon(10, 0, 0.1).coordinates;
    const shapes = [
      { type: "Polygon", coordinates: [ring!.map(([x, y]) => [x!, y!, 300])] },
      { type: "MultiPolygon", coordinates: [[ring], createSquarePolygon(40, 0, 0.1).coordinates] },
      { type: "Point", coordinates: [10.5, 0.5] },
      null,
      { type: "Polygon", coordinates: [createSquarePolygon(0, 0).coordinates[0]!.slice(0, 2)] },
    ];
    const plots = shapes.map((geometry, i) =>
      makeFeature(`p${i}`, geometry, { ...own, ...(i > 0 && { [`only ${i}`]: i === 2 }) }),
    );
    const path = fresh("plots.geojson");
    writeFileSync(path, JSON.stringify({ type: "FeatureCollection", features: plots }));
    const written = new Map<string, { properties: Record<string, unknown>; geometry: unknown }[]>();
    for (const format of ["geojson", "gpkg", "geoparquet"]) {
      const output = fresh(`plots.${format}`);
      await runInProcess(args(path, "--format", format, "--output", output));
      const read = [];
      const file = await openPath(output);
      for await (const plot of readPlotFile(file)) read.push(plot);
      await file.close();
      expect(read.map(({ id }) => id)).toEqual(plots.map(({ id }) => id));
      written.set(format, read as never);
    }
    const [geojson, gpkg, geoparquet] = [...written.values()];
    for (const [i, { geometry, properties }] of geojson!.entries()) {
      const flat = i === 0 ? { type: "Polygon", coordinates: [ring] } : shapes[i];
      expect([geometry, gpkg![i]!.geometry, geoparquet![i]!.geometry]).toEqual([flat, flat, flat]);
      expect(properties).toMatchObject({ ...own, verdict: properties.verdict, "plot:verdict": "mine" });
      for (const table of [gpkg!, geoparquet!]) {
        expect(table[i]!.properties).toMatchObject({
          ...Object.fromEntries(
            COLUMNS.slice(1)
              .filter((each) => each !== "evidence")
              .map((each) => [each, properties[each]]),
          ),
          ...{ ...kept, "plot:verdict": "mine", "plot:id": "ignored", nested: '{"a":[1]}' },
          "only 2": i === 2 ? true : null,
          "only 1": i === 1 ? false : null,
        });
      }
    }
    const inPark = ["NON_COMPLIANT", "NON_COMPLIANT", "NON_COMPLIANT"];
    const outcomes = geojson!.map(({ properties }) => properties.verdict ?? properties.error_code);
    expect(outcomes).toEqual([...inPark, "INPUT_INCOMPLETE", "GEOMETRY_INVALID"]);
    expect(geojson![0]!.properties.evidence).toEqual(JSON.parse(gpkg![0]!.properties.evidence as string));
  });

  it("take at most 200 bytes a plot beyond its id and its columns of checks, without evidence", async () => {
    const lines = String(await toFile("compact", "--evidence", "none"))
      .trimEnd()
      .split("\n");
    for (const line of lines.filter((each) => !each.includes('"error"'))) {
      const { id, evidence, digest } = JSON.parse(line);
      expect([evidence, digest.length]).toEqual([undefined, DIGEST.length]);
      const columns = '"check:parks":"NON_COMPLIANT","check:many":"not_triggered"'.length;
      expect(Buffer.byteLength(line) + 1).toBeLessThanOrEqual(200 + JSON.stringify(id).length + columns);
    }
  });

  it.each(["compact", "csv", "geojson"])(
    "have the same bytes by any number of workers: %s",
    async (format) => {
      const one = await toFile(format);
      expect((await toFile(format, "--workers", "3")).equals(one)).toBe(true);
    },
  );

  it.each(["compact"])("are put together of shards by merge, errors too: %s", async (format) => {
    const errors = fresh("errors.ndjson");
    const whole = await toFile(format, "--errors", errors);
    expect(parseJsonLines(readFileSync(errors, "utf8")).map(({ number }) => number)).toEqual([
      3, 10, 17, 24, 31, 38,
    ]);
    const shards: string[] = [];
    for (let i = 0; i < 3; i++) {
      const shard = fresh(`shard.${format}`);
      shards.push(shard);
      const apart = ["--errors", fresh("errors.ndjson"), "--output", shard, "--format", format];
      await runInProcess(args(input, ...apart, "--shard", `${i}/3`));
    }
    const [merged, mergedErrors] = [fresh(`merged.${format}`), fresh("errors.ndjson")];
    const ended = await runInProcess(["merge", ...shards, "--output", merged, "--errors", mergedErrors]);
    expect([ended.code, ended.err]).toEqual([0, expect.any(String)]);
    expect(readFileSync(merged).equals(whole)).toBe(true);
    expect(readFileSync(mergedErrors, "utf8")).toBe(readFileSync(errors, "utf8"));
  });

  it("are those of lines where the input is a document of another form", async () => {
    const lines = PLOTS.filter((line) => line !== "{oops}");
    write("good.ndjson", lines.join("\n"));
    const document = { type: "FeatureCollection", features: lines.map((line) => JSON.parse(line)) };
    write("good.geojson", document);
    const [a, b] = await Promise.all([
      runInProcess(args(at("good.ndjson"), "--shard", "1/2")),
      runInProcess(args(at("good.geojson"), "--shard", "1/2")),
    ]);
    expect([a.code, b.out]).toEqual([0, a.out]);
  });
});

describe("a run that cannot go on", () => {
  const broken = (): string => {
    const features = PLOTS.filter((line) => line !== "{oops}").slice(0, 5);
    return `{"type":"FeatureCollection","features":[${features.join(",")},{"oops"]}`;
  };

  it("has answered everything before the place where its document breaks, and reports the place once", async () => {
    const { code, lines, err } = await runInProcess(args(), { input: broken() });
    expect([code, lines.length]).toEqual([3, 5]);
    expect(err.match(/feature 6/g)).toHaveLength(1);
  });

  it("writes nothing over its input, under whatever name", async () => {
    const link = fresh("link.ndjson");
    symlinkSync(input, link);
    for (const option of ["--errors", "--output"]) {
      const { code, err } = await runInProcess(args(input, option, link));
      expect({ code, err }).toEqual(matchFailedExit(3, "the input of this run"));
    }
    expect(readFileSync(input, "utf8")).toBe(PLOTS.join("\n"));
  });

  it("leaves the errors of an earlier run where its input is not there", async () => {
    const errors = fresh("errors.ndjson");
    writeFileSync(errors, "earlier");
    expect((await runInProcess(args(at("nowhere"), "--errors", errors))).code).toBe(3);
    expect(readFileSync(errors, "utf8")).toBe("earlier");
  });

  it("reports that the file of errors cannot be written", async () => {
    const { code, err } = await runInProcess(args(input, "--errors", at()));
    expect({ code, err }).toEqual(matchFailedExit(4, "cannot be written"));
  });

  it.each([
    [["--format", "parquet"], "without --output"],
    [["--format", "gpkg"], "without --output"],
    [["--format", "json"], "expected one of ndjson, compact, csv, geojson, gpkg, parquet, geoparquet, xlsx"],
    [["--resume"], "without --output"],
    [["--format", "ndjson", "--output", "v.csv"], "found --format ndjson with --output v.csv, expected csv"],
    [["--format", "csv", "--output", "v.GPKG"], "expected gpkg as its ending says"],
    [["--format", "ndjson", "--output", "v.xlsx"], "expected xlsx as its ending says"],
    [["--format", "xlsx"], "without --output"],
    [["--output", "v.xls"], "expected .csv, .geojson, .geoparquet, .gpkg, .jsonl, .ndjson, .parquet, .xlsx"],
    [["--output", "v.ndjson.gz"], "whose ending .gz is of no format"],
    [["--output", "v.xlsx", "--shard", "0/2"], "workbooks cannot be merged"],
    [["--output", "v.xlsx", "--language", "fr"], "expected one of en, pt, es"],
    [["--output", "v.csv", "--language", "pt"], "whose words are the same in every language"],
    [["--errors", "errors.csv"], "expected a name that ends in .ndjson"],
    [["--shard", "2/2"], "expected I/N"],
    [["--shard", "0/2", "--as-submitted", "eudr"], "run plots fix first"],
    [["--evidence", "some"], "expected none, triggered, all"],
  ])("reports what is wrong with %j", async (options, message) => {
    const { code, err } = await runInProcess(args(input, ...options));
    expect({ code, err }).toEqual(matchFailedExit(2, message));
  });
});

describe("the name of an output", () => {
  const terminal = new Terminal(
    Readable.from([]),
    new Writable(),
    new Writable(),
    new AbortController().signal,
  );
  const formatOf = (...words: readonly string[]) =>
    readScreenOptions(
      parseArguments(completeCommand("screen", screenCommand), args(...words).slice(1)),
      terminal,
    ).format;

  it("declares the format, and is refused with every format that it contradicts, and with no other", () => {
    for (const [ending, formats] of Object.entries(FORMATS_BY_ENDING)) {
      for (const name of [`v.${ending}`, `v.${ending.toUpperCase()}`])
        expect(formatOf("--output", name)).toBe(formats[0]);
      for (const format of RESULT_FORMATS) {
        const chosenFormat = () => formatOf("--format", format, "--output", `v.${ending}`);
        if (formats.includes(format)) expect(chosenFormat()).toBe(format);
        else expect(chosenFormat).toThrow(/expected .* as its ending says/);
      }
    }
  });

  it("may have no ending, or one of no format beside --format", () => {
    expect(formatOf("--output", "verdicts")).toBe("ndjson");
    expect(formatOf("--format", "csv", "--output", "v.log")).toBe("csv");
  });

  it("is that of a file in its format", async () => {
    const output = fresh("v.CSV");
    await runInProcess(args(input, "--output", output));
    expect(readFileSync(output).equals(await toFile("csv"))).toBe(true);
  });
});

describe("a workbook of screen", () => {
  const sheet = async (bytes: Buffer, layer: string) => {
    const path = fresh("book.xlsx");
    writeFileSync(path, bytes);
    const file = await openPath(path);
    const table = await openTable(file, { layer });
    const rows: unknown[][] = [];
    for await (const { cells } of table.rows()) rows.push([...cells.values()]);
    await table.close();
    await file.close();
    return rows;
  };

  it("has a row for each plot, and counts, in the words of the language", async () => {
    const words = {
      en: { sheets: ["Plots", "Counts"], of: ["Verdict", "Not compliant"], passed: "Compliant" },
      pt: { sheets: ["Parcelas", "Contagens"], of: ["Veredito", "Não conforme"], passed: "Conforme" },
      es: { sheets: ["Parcelas", "Recuentos"], of: ["Veredicto", "No conforme"], passed: "Conforme" },
    };
    for (const [language, { sheets, of, passed }] of Object.entries(words)) {
      const bytes = await toFile("xlsx", "--language", language);
      const rows = await sheet(bytes, sheets[0]!);
      expect(rows).toHaveLength(40);
      const found = rows.map((row) => row.find((cell) => [of[1], passed].includes(String(cell))));
      expect(found.filter((word) => word === of[1])).toHaveLength(17);
      expect(found.filter((word) => word === passed)).toHaveLength(17);
      expect(rows.flat()).not.toContain("NON_COMPLIANT");
      const errors = rows.filter((row) => row.some((cell) => /^[A-Z]+_[A-Z_]+$/.test(String(cell))));
      expect(errors).toHaveLength(6);
      expect(await sheet(bytes, sheets[1]!)).toContainEqual([...of, 17]);
    }
  });

  it("has the same bytes for any number of workers", async () => {
    expect((await toFile("xlsx", "--workers", "3")).equals(await toFile("xlsx"))).toBe(true);
  });
});

describe("a run that a person watches", () => {
  it("names the first area of each NON_COMPLIANT plot with its source, and ends with what to do next", async () => {
    const { out, err } = await runInProcess(args(input), { columns: 80 });
    const blocks = out.split(/^(?=plot )/m).filter((block) => block.includes("NON_COMPLIANT"));
    expect(blocks).toHaveLength(17);
    for (const block of blocks) expect(block).toContain("area: P1 (demo:parks), 100 % of the plot\n");
    expect(err).toMatch(
      /^40 plots in [\d.,]+ s, [\d,]+ per second: 17 COMPLIANT, 17 NON_COMPLIANT, 6 errors$/m,
    );
    expect(err).toContain("Next: groundrule screen --ruleset");
  });

  it("gives a command that runs, whatever the format of its results", async () => {
    for (const format of ["ndjson", "csv"]) {
      const output = fresh(`it's ${format}`);
      const { err } = await runInProcess(args(input, "--format", format, "--output", output));
      expect(err).toContain(`Results: ${output}`);
      const [, purpose, words] = /^Next(.*?): groundrule (.*)$/m.exec(err)!;
      expect(purpose).toBe(format === "csv" ? ", for a report" : "");
      expect((await runInProcess(splitShellWords(words!))).code).toBe(format === "csv" ? 3 : 0);
    }
  });

  it("gives a command that runs, however its plots are read", async () => {
    const table = at("read otherwise.csv");
    writeFileSync(table, "code,lon,lat,area_ha,CNPJ,gps_accuracy_m\nA,0.1,0.1,1,11222333000181,3\n");
    const output = fresh("read otherwise.ndjson");
    const reading = ["--identifier", "br:cnpj:owner=CNPJ", "--id", "code", "--max-accuracy-m", "9"];
    const { err } = await runInProcess(
      args(table, ...reading, "--mapping", fresh("mapping.json"), "--output", output),
    );
    const next = /^Next: groundrule (.*)$/m.exec(err)![1]!;
    expect(next).toContain("--identifier br:cnpj:owner=CNPJ");
    expect(await runInProcess(splitShellWords(next))).toMatchObject({ code: 0 });
  });

  it("prints after Ctrl-C a command that continues it", async () => {
    const stop = new AbortController();
    stop.abort(130);
    const output = fresh("stopped plots.csv");
    const screenArgs = args(input, "--format", "csv", "--output", output);
    const ended = await runInProcess(screenArgs, { signal: stop.signal });
    expect(ended).toMatchObject(matchFailedExit(130, "; continue with\n"));
    const again = await runInProcess(splitShellWords(/^ {2}groundrule (.*)$/m.exec(ended.err)![1]!));
    expect(again).toMatchObject(matchFailedExit(3, "Results: "));
    expect(readFileSync(output).equals(await toFile("csv"))).toBe(true);
    const plain = await runInProcess(args(input), { signal: stop.signal });
    expect(plain).toMatchObject(matchFailedExit(130, "a run with --output FILE can continue with --resume"));
  });
});

/** The words of a command as a shell takes it apart. */
function splitShellWords(command: string): string[] {
  return [...command.matchAll(/(?:'[^']*'|\\'|[^\s'\\])+/g)].map(([word]) =>
    word.replaceAll(/'([^']*)'|\\'/g, (quoted, inner?: string) => inner ?? quoted.slice(1)),
  );
}

describe("a run that is done", () => {
  it("is not done again, and fails on what its results hold", async () => {
    const output = ["--output", fresh("done.ndjson"), "--resume"];
    expect((await runInProcess(args(input, ...output))).code).toBe(3);
    const { code, err } = await runInProcess(args(input, ...output));
    expect({ code, err }).toEqual(matchFailedExit(0, "is already complete"));
    expect((await runInProcess(args(input, ...output, "--fail-on", "NON_COMPLIANT"))).code).toBe(1);
  });
});

describe("plots that a column names", () => {
  it.each(["csv", "ndjson", "geojson"])(
    "have the same ids in every shard of %s, and the journal has the column",
    async (form) => {
      const places = Array.from({ length: 12 }, (_, i) => ({ ...POINT, coordinates: [10 + 2 * i, 0.5] }));
      const properties = (i: number) => ({ note: "x", id: 0, talhao: i === 5 ? null : `T${i}`, area_ha: 1 });
      const features = places.map((geometry, i) => ({
        type: "Feature",
        properties: properties(i),
        geometry,
      }));
      const rows = features.map(({ properties: { talhao, ...rest }, geometry: { coordinates } }) =>
        [...coordinates, rest.id, talhao, rest.area_ha].join(),
      );
      const collection = JSON.stringify({ type: "FeatureCollection", features }, undefined, 1);
      const texts = {
        csv: `lon,lat,id,talhao,area_ha\n${rows.join("\n")}\n`,
        ndjson: features.map((one) => JSON.stringify(one)).join("\n"),
        geojson: collection,
      };
      const path = fresh(`named.${form}`);
      writeFileSync(path, texts[form as keyof typeof texts]);
      const screened = async (...more: readonly string[]) => {
        const output = fresh("named.ndjson");
        // In a stream of lines the first alone tells, and it has an id too.
        const id = form === "ndjson" ? ["--id", "TALHAO"] : [];
        const { code, err } = await runInProcess(args(path, "--output", output, ...id, ...more));
        expect({ code, err }).toEqual(matchFailedExit(0, "read from the column talhao"));
        expect(JSON.parse(readFileSync(`${output}.run.json`, "utf8")).options).toEqual({ id: "talhao" });
        return parseJsonLines(readFileSync(output, "utf8")).map(({ id: name, verdict }) => [
          name,
          typeof verdict,
        ]);
      };
      const gap = { csv: "#7", ndjson: "#6", geojson: "#6" }[form];
      const whole = await screened();
      expect(whole).toEqual(places.map((_, i) => [i === 5 ? gap : `T${i}`, "object"]));
      const shards = [await screened("--shard", "0/2"), await screened("--shard", "1/2", "--workers", "2")];
      expect(whole).toEqual(whole.map((_, i) => shards[i % 2]![Math.floor(i / 2)]));
    },
  );
});

const POINT = { type: "Point" } as const;

describe("a document that is slow in coming", () => {
  it("is answered as far as it has come, where it names its CRS first", async () => {
    const { promise: released, resolve: end } = Promise.withResolvers<void>();
    const slow = Readable.from(
      (async function* () {
        const features = PLOTS.filter((line) => line !== "{oops}").slice(0, 4);
        const crs = { type: "name", properties: { name: "urn:ogc:def:crs:OGC:1.3:CRS84" } };
        const opening = `{"type":"FeatureCollection","crs":${JSON.stringify(crs)},"features":[\n`;
        yield Buffer.from(`${opening}${features.join(",")},`);
        await released;
        yield Buffer.from(`${PLOTS[0]}]}`);
      })(),
    );
    let printed = "";
    const output = new Writable({
      write(chunk: Buffer, _encoding, done) {
        printed += chunk;
        done();
      },
    });
    const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
    const ended = runCommand(args(), new Terminal(slow, output, nowhere, new AbortController().signal));
    await expect.poll(() => parseJsonLines(printed).length).toBe(4);
    end();
    expect([await ended, parseJsonLines(printed).length]).toEqual([0, 5]);
  });
});
