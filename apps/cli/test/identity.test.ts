import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { createApp, createCharging, StoreKeyRing } from "@groundrule/api";
import { createKey, createOrganization, openStore } from "@groundrule/api/state";
import { parseRecord, replayRecord, type VerdictRecord, verdictOf } from "@groundrule/engine/records";
import { EnginePool, openData } from "@groundrule/node";
import { EditionArchive } from "@groundrule/node/internal";
import { AnswerPool, hostInProcess, hostInWorkers } from "@groundrule/service";
import { layOutDemo } from "@groundrule/testing/demo-folder";
import { createSharedFolder } from "@groundrule/testing/folder";
import { beforeAll, describe, expect, it } from "vitest";
import { formatNdjson } from "./plot-texts.ts";

// `npm run tool -- identity` asks the same of Node 22 and 24, of the packed packages, and of many more plots.

const MAIN = new URL("../src/main.ts", import.meta.url).pathname;
const { at, write } = createSharedFolder();
const data = at("data");
const records = new Map<string, VerdictRecord[]>();

/** Places far apart, one with a dotless i and decimal commas, one half an hour off every hour. */
const PLACES = [
  { TZ: "UTC", LC_ALL: "C" },
  { TZ: "America/St_Johns", LC_ALL: "tr_TR.UTF-8" },
  { TZ: "Pacific/Kiritimati", LC_ALL: "de_DE.UTF-8" },
];

beforeAll(async () => {
  const { plots, ruleset } = await layOutDemo(data);
  write("rules.json", ruleset);
  write("plots.ndjson", formatNdjson(...plots));
  for (const [i, place] of PLACES.entries()) {
    const file = at(`records-${i}.ndjson`);
    const args = ["evaluate", "--ruleset", at("rules.json"), "--record", file, "--data", data];
    execFileSync(process.execPath, [MAIN, ...args, at("plots.ndjson")], {
      env: { ...process.env, ...place },
      stdio: "ignore",
    });
    const lines = readFileSync(file, "utf8").trimEnd().split("\n");
    records.set(
      place.TZ,
      lines.map((line) => parseRecord(JSON.parse(line))),
    );
  }
});

const recorded = () => records.get("UTC")!;
/** A verdict's text, without the instant it was given at. */
const timeless = (verdict: object) =>
  JSON.stringify(verdict, (name, value) =>
    name === "evaluated_at" || name === "age_days" ? undefined : value,
  );

describe("one verdict", () => {
  it("has the same bytes in every time zone and locale", () => {
    expect(new Set(recorded().map(({ response }) => response.data.verdict)).size).toBeGreaterThan(2);
    const texts = [...records.values()].map((each) => each.map(({ response }) => timeless(response.data)));
    for (const text of texts.slice(1)) expect(text).toEqual(texts[0]);
  });

  it("is reached again here, as a library call, from what the command recorded", () => {
    const archive = new EditionArchive(data);
    for (const each of records.values()) {
      for (const record of each) {
        const { sources } = record.response.data;
        const engine = archive.open({ sources, groups: record.groups });
        expect(replayRecord(engine, record)).toMatchObject({ result: "identical", changes: [] });
      }
    }
  });

  it("has the same bytes from a worker as from this thread", async () => {
    const pool = new EnginePool(openData(data).current, { size: 2 });
    try {
      const answers = await Promise.all(
        recorded().map(async ({ request, response }) => {
          const options = { now: response.data.evaluated_at };
          const [answer] = await pool.evaluateAll(request.ruleset, [request.input], options);
          if (answer instanceof Error) throw answer;
          return answer!;
        }),
      );
      expect(answers.map((answer) => JSON.stringify(verdictOf(answer)))).toEqual(
        recorded().map(({ response }) => JSON.stringify(response.data)),
      );
    } finally {
      await pool.close();
    }
  });

  it("has the same bytes however the members of ruleset and input are ordered", () => {
    const { engine } = openData(data);
    for (const { request, response } of recorded()) {
      const { ruleset, input } = reverseMembers(request) as VerdictRecord["request"];
      const now = response.data.evaluated_at;
      const verdict = verdictOf(engine.compile(ruleset).evaluate(input, { now }));
      expect(JSON.stringify(verdict)).toBe(JSON.stringify(response.data));
    }
  });

  it.each(["in process", "in workers"])("has the same bytes over HTTP, %s", async (where) => {
    const view = openData(data).current;
    const pool = where === "in workers" ? new AnswerPool(view, { size: 1 }) : undefined;
    const pepper = { version: 1, secret: randomBytes(32) };
    const store = await openStore("sqlite::memory:");
    await createOrganization({ store, pepper }, { name: "identity", liveQuota: 0, testQuota: 1_000_000 });
    const { key } = await createKey(
      { store, pepper },
      { organization: "identity", mode: "test", name: "test" },
    );
    let minted = 0;
    let now = "";
    const app = createApp({
      engine: pool === undefined ? hostInProcess(() => view.engine) : hostInWorkers(() => view.engine, pool),
      engineVersion: "0",
      store,
      charging: createCharging({
        store,
        mintDecisionId: () => `dec_${++minted}`,
        sleep: () => new Promise(() => {}),
      }),
      keys: new StoreKeyRing(store, [pepper]),
      burst: { perSecond: 1_000_000, burst: 1_000_000 },
      now: () => new Date(now),
      steadyMs: () => performance.now(),
      mintId: () => "id",
      draining: () => false,
      report: (error) => {
        throw error;
      },
    });
    try {
      for (const { request, response } of recorded()) {
        now = response.data.evaluated_at;
        const answer = await app.request("/v1/evaluate", {
          method: "POST",
          headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
          body: JSON.stringify(request),
        });
        const { data: answered } = JSON.parse(await answer.text());
        expect(JSON.stringify(answered)).toBe(JSON.stringify({ ...response.data, reference_id: null }));
      }
    } finally {
      await pool?.close();
      await store.close();
    }
  });
});

function reverseMembers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reverseMembers);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, member]) => [name, reverseMembers(member)]),
  );
}
