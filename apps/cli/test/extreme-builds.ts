import { writeFileSync } from "node:fs";
import { openData } from "@groundrule/node";
import { readCatalog } from "@groundrule/node/internal";
import { createSeededRandom, type Random } from "@groundrule/testing/random";
import { createSquarePolygon } from "@groundrule/testing/shapes";
import { expect } from "vitest";
import { encodeTiff } from "../../../packages/formats/test/write-tiff.ts";
import { startService } from "../../api/test/service.ts";
import { runInProcess } from "./in-process.ts";

/** Numbers at the limits of doubles, of strict JSON and of readers. */
const NUMBERS = [
  ...["0", "-0", "1", "0.1", "5e-324", "-5e-324", "2.2250738585072014e-308", "1e-7"],
  ...["9007199254740991", "-9007199254740991", "9007199254740992", "9007199254740993", "-9007199254740992"],
  ...[
    "1e15",
    "1e16",
    "1e20",
    "100000000000000000000",
    "1e21",
    "-3.4028234663852886e+38",
    "1.7e308",
    "-1.7e308",
  ],
];
/** Texts at the limits of names, and of Unicode; as they stand within quotes of JSON. */
const TEXTS = [
  ...[
    "a",
    "",
    "__proto__",
    "constructor",
    "toString",
    "length",
    "name",
    "id",
    "value",
    "é",
    "\\u0000",
    "\\ufffd",
  ],
  ...[
    "\\ud800",
    "x\\udfff",
    "\\ud83d\\ude00",
    "\u2028",
    "\\u202e",
    "a b",
    "nan",
    "null",
    "1e20",
    "=1",
    "\\n",
  ],
  ...[
    "x".repeat(256),
    "x".repeat(257),
    "x".repeat(1024),
    "x".repeat(1025),
    "😀".repeat(128),
    "😀".repeat(256),
  ],
  ...["😀".repeat(257), "😀".repeat(1024)],
];
const NAMES = ["demo:a", "demo:b", "x".repeat(64), "x".repeat(65), "__proto__", "constructor", "a_b", "a:b"];

type Members = Record<string, string>;

/** Files and arguments of one `snapshot build`, at random. Members are JSON text, so that numbers stay as written. */
export function randomBuild(random: Random, folder: string): string[] {
  const pick = <T>(of: readonly T[]): T => of[Math.floor(random.next() * of.length)]!;
  const chance = (share: number) => random.next() < share;
  const number = () => (chance(0.5) ? String(Math.floor(random.next() * 9)) : pick(NUMBERS));
  const text = () => (chance(0.4) ? `t${Math.floor(random.next() * 9)}` : pick(TEXTS));
  const quoted = () => `"${text()}"`;
  const file = (name: string, content: string | Buffer) => {
    writeFileSync(`${folder}/${name}`, content);
    return `${folder}/${name}`;
  };
  const cell = (content: string) => `"${content.replaceAll('"', '""')}"`;
  const plain = () => {
    try {
      return String(JSON.parse(quoted()));
    } catch {
      return "a";
    }
  };
  const name = chance(0.8) ? pick(NAMES.slice(0, 2)) : pick(NAMES);
  const manifest: Members = { source_name: `"${name}"`, kind: '"leaf"' };
  const lines = ["source_dataset", "category", "license_spdx", "scope"];
  for (const member of lines) if (chance(0.25)) manifest[member] = quoted();
  if (chance(0.2)) manifest.refresh_interval_days = number();
  if (chance(0.2))
    manifest.groups = `[${[pick(NAMES), pick(["all", "g", "x".repeat(64)])].map((each) => `"${each}"`)}]`;
  if (chance(0.2))
    manifest.collected_at = `"${pick(["2026-01-02T00:00:00Z", "9999-12-31T23:59:59Z", "0001-01-01T00:00:00Z", "2026-01-02T00:00:00.123456789Z"])}"`;
  if (chance(0.2))
    manifest.observed_until = `"${pick(["2026-01-02", "9999-12-31", "0001-01-01", "2024-02-29"])}"`;
  const written = (members: Members) =>
    file("manifest.json", `{${Object.entries(members).map(([member, value]) => `"${member}":${value}`)}}`);
  const shape = random.next();
  if (shape < 0.35) {
    const properties = () =>
      Array.from(
        { length: 1 + Math.floor(random.next() * 4) },
        () => `${quoted()}:${chance(0.6) ? number() : quoted()}`,
      );
    const features = Array.from({ length: 1 + Math.floor(random.next() * 4) }, (_, i) => {
      const id = chance(0.3) ? `"id":${chance(0.5) ? number() : quoted()},` : "";
      return `{"type":"Feature",${id}"properties":{${properties()}},"geometry":${JSON.stringify(createSquarePolygon(i, 0))}}`;
    });
    const path = file("areas.geojson", `{"type":"FeatureCollection","features":[${features}]}`);
    if (chance(0.3)) manifest.columns = `{${quoted()}:"${pick(["number", "string", "boolean"])}"}`;
    return ["snapshot", "build", "--manifest", written(manifest), path];
  }
  if (shape < 0.6) {
    const columns = [...new Set(["code", plain(), plain()])];
    const rows = Array.from({ length: 1 + Math.floor(random.next() * 4) }, (_, i) => {
      const ring = `POLYGON((${i} 0,${i + 1} 0,${i + 1} 1,${i} 1,${i} 0))`;
      const cells = columns.map((column) => (column === "code" ? `c${i}` : chance(0.6) ? number() : plain()));
      return [...cells, ring].map(cell).join(",");
    });
    const path = file("areas.csv", [[...columns, "wkt"].map(cell).join(","), ...rows].join("\n"));
    const typed = chance(0.5) ? ["--column", `${columns.at(-1)}=number`] : [];
    const dataset = chance(0.3) ? ["--dataset", plain().replaceAll("\u0000", "")] : [];
    return ["snapshot", "build", "--source", name, "--id", "code", ...typed, ...dataset, path];
  }
  if (shape < 0.75) {
    const rows = Array.from({ length: 1 + Math.floor(random.next() * 4) }, () =>
      [plain(), chance(0.5) ? number() : plain(), plain()].map(cell).join(","),
    );
    const path = file("register.csv", ["number,amount,text", ...rows].join("\n"));
    const register = [
      "--value",
      "number",
      "--scheme",
      pick(["us:ein", "x:y", `x:${"y".repeat(63)}`, `x:${"y".repeat(64)}`]),
    ];
    return [
      "snapshot",
      "build",
      "--source",
      `r:${name}`.slice(0, 64),
      "--kind",
      "subject_register",
      ...register,
      path,
    ];
  }
  const kind = pick(["uint", "int", "float"] as const);
  const bits = kind === "float" ? pick([32, 64] as const) : 8;
  const cells = kind === "float" ? [number(), number(), "7"] : ["1", "0", "7"];
  const values = Array.from({ length: 64 }, (_, i) => Number(cells[i % 3]));
  const tag = chance(0.4) ? { nodata: chance(0.5) ? cells[0]! : number() } : {};
  const tiff = file(
    "cells.tif",
    encodeTiff({ columns: 8, rows: 8, values, kind, bits, corner: [10, 1], ...tag }),
  );
  if (chance(0.5)) {
    const property = chance(0.6)
      ? [`,${cell(plain())}`, `,${cell(chance(0.7) ? number() : plain())}`]
      : ["", ""];
    const range = kind === "float" && chance(0.8);
    const rows = cells.map((value, i) => {
      const is = ["area", pick(["area", "background", "nodata"]), "nodata"][i];
      const below = range && is === "area" ? number() : "";
      return `${value},${below},${is},${chance(0.3) ? cell(plain()) : `c${i}`}${property[1]}`;
    });
    const table = file("values.csv", [`value,below,is,id${property[0]}`, ...rows].join("\n"));
    return ["snapshot", "build", "--source", name, "--values", table, tiff];
  }
  const area = (value: string, i: number) => {
    const below = kind === "float" ? `,"below":${number()}` : "";
    const properties = chance(0.5) ? `,"properties":{${quoted()}:${chance(0.6) ? number() : quoted()}}` : "";
    return `{"value":${value}${below},"id":${chance(0.3) ? quoted() : `"c${i}"`}${properties}}`;
  };
  const nodata = [cells[2]!, ...(chance(0.5) ? [number()] : [])];
  manifest.cells = `{"values":[${area(cells[0]!, 0)},${area(cells[1]!, 1)}],"nodata":[${nodata}]}`;
  return ["snapshot", "build", "--manifest", written(manifest), tiff];
}

const PLOT = createSquarePolygon(0.1, 0.1, 0.1);

/**
 * Runs random builds on one data folder. After each that is accepted, the commands and a service that is started anew
 * must read the folder; where one is refused, the folder stays as readable as it was.
 *
 * @param count builds
 * @returns how many were accepted and refused
 */
export async function buildAtRandom(seed: number, count: number, folder: string) {
  const random = createSeededRandom(seed);
  const data = `${folder}/data`;
  const seen = { accepted: 0, refused: 0 };
  for (let i = 0; i < count; i++) {
    const args = randomBuild(random, folder);
    const built = await runInProcess([...args, "--data", data, "--json"]);
    const where = `seed ${seed}, build ${i}: ${args.join(" ")}\n${built.err.slice(0, 400)}`;
    expect(built.err, where).not.toMatch(/internal error|WRITE_UNREADABLE|CATALOG_CORRUPT/i);
    if (built.code !== 0 && built.code !== 1) {
      expect([2, 3], where).toContain(built.code);
      seen.refused++;
      continue;
    }
    seen.accepted++;
    const listed = await runInProcess(["sources", "list", "--data", data]);
    expect(listed.code, `${where}\n${listed.err}`).toBe(0);
    const { sources } = readCatalog(data);
    expect(openData(data).failures(), where).toEqual([]);
    if (sources.length === 0) continue;
    const leaves = sources.flatMap(({ manifest }) => (manifest.kind === "leaf" ? manifest.source_name : []));
    const registers = sources.flatMap(({ manifest }) =>
      manifest.kind === "leaf" ? [] : manifest.source_name,
    );
    const types = new Set(sources.flatMap(({ manifest }) => manifest.scheme ?? []));
    const scheme = [...types].map((type) => ({ type, value: "12-3456789" }));
    const plot = { type: "Feature", properties: scheme.length === 0 ? {} : { scheme }, geometry: PLOT };
    writeFileSync(`${folder}/plot.geojson`, JSON.stringify(plot));
    const ruleset = {
      sets: {
        ...(leaves.length > 0 && { areas: { sources: leaves } }),
        ...(registers.length > 0 && { listed: { registers } }),
      },
      checks: [
        ...(leaves.length > 0 ? [{ id: "areas", set: "areas", outcome: "WARNING" }] : []),
        ...(registers.length > 0 ? [{ id: "listed", set: "listed", outcome: "WARNING" }] : []),
      ],
    };
    writeFileSync(`${folder}/ruleset.json`, JSON.stringify(ruleset));
    const question = ["--ruleset", `${folder}/ruleset.json`, "--data", data, `${folder}/plot.geojson`];
    const evaluated = await runInProcess(["evaluate", ...question, "--record", `${folder}/records.ndjson`]);
    expect(evaluated.code, `${where}\n${evaluated.err}${evaluated.out.slice(0, 400)}`).toBe(0);
    const replayed = await runInProcess(["replay", `${folder}/records.ndjson`, "--data", data]);
    expect(replayed.code, `${where}\n${replayed.err}${replayed.out.slice(0, 400)}`).toBe(0);
    if (i % 10 !== 0) continue;
    const opened = openData(data);
    const service = await startService(opened);
    try {
      const body = JSON.stringify({
        input: { geometry: PLOT, ...(scheme.length > 0 && { scheme }) },
        ruleset,
      });
      const headers = {
        authorization: `Bearer ${service.key}`,
        "content-type": "application/json",
        "idempotency-key": `question-${i}`,
      };
      const response = await fetch(`${service.url}/v1/evaluate`, { method: "POST", headers, body });
      const answer = await response.text();
      expect(response.status, `${where}\n${answer.slice(0, 400)}`).toBe(200);
      JSON.parse(answer);
    } finally {
      await service.stop();
    }
  }
  return seen;
}
