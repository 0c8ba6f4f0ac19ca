import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { serviceLog } from "@groundrule/api";
import { createKey, createOrganization, openStore } from "@groundrule/api/state";
import { installEdition } from "@groundrule/node";
import { createFolderForEach } from "@groundrule/testing/folder";
import { createSquarePolygon } from "@groundrule/testing/shapes";
import { createBoxSource } from "@groundrule/testing/small-sources";
import { afterEach, expect, it, vi } from "vitest";
import { parseArguments } from "../command-line/arguments.ts";
import { COMMANDS } from "../commands.ts";
import { Terminal } from "../terminal/terminal.ts";
import { serveDataFolder } from "./serve-data.ts";

const { at } = createFolderForEach();
afterEach(() => vi.useRealTimers());

const installParks = () => installEdition(at("data"), createBoxSource("demo:parks", { a: [0, 0, 2, 2] }));
const RULESET = {
  sets: { parks: { sources: ["demo:parks"] } },
  checks: [{ id: "park", set: "parks", outcome: "NON_COMPLIANT" }],
};
const QUESTIONS = ["intersections", "distance", "evaluate"] as const;

/** The service over a folder, with its log; `look` advances to its next look at the folder. */
async function serve(dir = at("data")) {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const lines: Record<string, unknown>[] = [];
  const log = serviceLog({ write: (line) => void lines.push(JSON.parse(line)) });
  const store = await openStore("sqlite::memory:");
  const ports = { store, pepper: { version: 1, secret: new Uint8Array(32) } };
  await createOrganization(ports, { name: "Bank", liveQuota: 9 });
  const { key } = await createKey(ports, { organization: "Bank", mode: "test", name: "test" });
  const terminal = new Terminal(process.stdin, process.stdout, process.stderr, new AbortController().signal);
  const command = await COMMANDS.find(({ path }) => path === "serve")!.load();
  const args = parseArguments(command, ["--port", "0", "--workers", "1", "--drain-delay-seconds", "0"]);
  const server = await serveDataFolder(dir, args, terminal, { ...ports, log }, { print: () => {} });
  const get = async (path: string) => (await fetch(`${server.url}${path}`)).text();
  return {
    server,
    lines,
    look: () => vi.advanceTimersByTime(1_000),
    warnings: () => lines.filter(({ level }) => level === "warn").map(({ msg }) => msg),
    ready: async () => JSON.parse(await get("/readyz")),
    gauge: async () => /^groundrule_data_folder_readable (.)$/m.exec(await get("/metrics"))?.[1],
    post: async (question: (typeof QUESTIONS)[number]) => {
      const input = {
        geometry: createSquarePolygon(0.5, 0.5),
        ...(question === "distance" && { max_distance_m: 9 }),
      };
      const response = await fetch(`${server.url}/v1/${question}`, {
        method: "POST",
        headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
        body: JSON.stringify({ input, ...(question === "evaluate" && { ruleset: RULESET }) }),
      });
      return { status: response.status, body: JSON.parse(await response.text()) };
    },
  };
}

it("serves an empty data folder as degraded, answers from its first edition on, and while the folder is lost or damaged", async () => {
  const { server, look, ready, gauge, post, warnings, lines } = await serve();
  expect(await ready()).toMatchObject({
    status: "degraded",
    reasons: ["DATA_FOLDER_MISSING", "SOURCES_MISSING"],
    detail: expect.stringContaining("groundrule sources sync"),
  });
  for (const question of QUESTIONS) {
    expect(await post(question)).toMatchObject({ status: 503, body: { code: "DATA_UNAVAILABLE" } });
  }
  expect(warnings()).toEqual([expect.stringContaining(`found no folder ${at("data")}`)]);
  expect(await gauge()).toBe("0");
  await installParks();
  look();
  expect(await ready()).toMatchObject({ status: "ready", reasons: [] });
  for (const question of QUESTIONS) expect(await post(question)).toMatchObject({ status: 200 });
  const catalog = readFileSync(at("data/catalog.json"));
  const FAULTS = [
    {
      reason: "DATA_FOLDER_MISSING",
      damage: () => renameSync(at("data"), at("away")),
      mend: () => renameSync(at("away"), at("data")),
    },
    {
      reason: "DATA_FOLDER_UNREADABLE",
      damage: () => writeFileSync(at("data/catalog.json"), "{"),
      mend: () => writeFileSync(at("data/catalog.json"), catalog),
    },
  ];
  for (const { reason, damage, mend } of FAULTS) {
    expect([(await ready()).status, await gauge()]).toEqual(["ready", "1"]);
    const before = warnings().length;
    damage();
    look();
    look();
    const { status, reasons, detail } = await ready();
    expect({ status, reasons }).toEqual({ status: "degraded", reasons: [reason] });
    expect(detail).toContain("editions that are open");
    expect(await gauge()).toBe("0");
    expect((await post("evaluate")).body.data.verdict).toBe("NON_COMPLIANT");
    expect(warnings().slice(before), "once").toEqual([
      expect.stringContaining("cannot read the data folder"),
    ]);
    mend();
    look();
  }
  expect(await ready()).toMatchObject({ status: "ready", reasons: [] });
  process.emit("SIGTERM", "SIGTERM");
  await server.stopped;
  const [started, stopping, stopped] = lines.filter(({ msg }) => /^(started|stop)/.test(String(msg)));
  expect(started).toMatchObject({ url: server.url, data: at("data"), store: "sqlite", sources: 0 });
  expect([stopping, stopped]).toMatchObject([{ signal: "SIGTERM", msg: "stopping" }, { msg: "stopped" }]);
});

it.each([
  ["in a folder that is not there either", "no/data", /no data folder at \/.*nor the folder \/.*\/no;/],
  ["that is a file", "file", /found a file at \/.*\/file, expected a data folder/],
  ["with a damaged catalog", "damaged", /not valid JSON.*groundrule sources recover/],
])("refuses to start on a data folder %s", async (_what, name, message) => {
  writeFileSync(at("file"), "");
  mkdirSync(at("damaged"));
  writeFileSync(at("damaged/catalog.json"), "{");
  await expect(serve(at(name))).rejects.toThrow(message);
});
