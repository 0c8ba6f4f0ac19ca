import { createSmallWorld, createSquarePlot } from "@groundrule/testing/small-world";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createServiceAnswerer } from "../../../console/src/answering/by-service.ts";
import { cancelQuestions, runQuestions } from "../../../console/src/plots/run-questions.ts";
import {
  addPlots,
  answerer,
  changePlots,
  plots,
  removePlots,
  ruleset,
} from "../../../console/src/state/store.ts";
import { createKey } from "../../src/admin/api-keys.ts";
import { PEPPER, startService, type TestService } from "../service.ts";
import { type Fault, type FaultyProxy, startFaultyProxy } from "./faulty-proxy.ts";

const RULES = {
  sets: { parks: { sources: ["demo:parks"] } },
  checks: [{ id: "parks", set: "parks", outcome: "NON_COMPLIANT" }],
};
const OTHER_RULES = { ...RULES, checks: [{ id: "parks", set: "parks", outcome: "WARNING" }] };

let service: TestService;
let proxy: FaultyProxy;
let fault: Fault | undefined;

beforeAll(async () => {
  service = await startService(createSmallWorld());
  proxy = await startFaultyProxy(service.url, () => fault);
});
afterAll(async () => {
  answerer.peek()?.close();
  await proxy.close();
  await service.stop();
});

const connected = () => createServiceAnswerer(proxy.url, service.key, { sleep: async () => {} });
let tests = 0;
/** A ruleset of this test: what it asks was never asked. */
const chosen = (body: object = RULES) => ({
  body: { ...body, description: `Test ${tests}.` },
  name: "parks",
});

/** Three plots, as a file gives them. */
function dropPlots(): string[] {
  const added = Array.from({ length: 3 }, (_, n) => ({
    id: `p${n}`,
    geometry: undefined,
    properties: {},
    input: { geometry: createSquarePlot(0.03 + n / 100, 0.05) },
    origin: "plots.geojson",
    state: { kind: "new" } as const,
  }));
  return addPlots(added).map(({ key }) => key);
}

/** Waits until all plots are shown so, and the service has answered all that reached it. */
async function waitUntilAll(kind: "answered" | "unanswered"): Promise<void> {
  await expect.poll(() => plots.peek().map(({ state }) => state.kind)).toEqual([kind, kind, kind]);
  await proxy.quiet();
}

async function countUsedUnits(): Promise<number> {
  const scope = { organization: service.organization, mode: "test" } as const;
  return (await service.store.usage({ scope }))!.period.used;
}

let before = 0;
beforeEach(async () => {
  fault = undefined;
  tests++;
  removePlots(new Set(plots.peek().map(({ key }) => key)));
  answerer.value = connected();
  ruleset.value = chosen();
  before = await countUsedUnits();
});

describe("a question of the page whose answer is lost, though it was charged", () => {
  const ways: readonly [string, (keys: readonly string[]) => readonly string[]][] = [
    ["at once", (keys) => keys],
    [
      "after another ruleset was chosen, and the first one again",
      (keys) => {
        ruleset.value = chosen(OTHER_RULES);
        ruleset.value = chosen();
        return keys;
      },
    ],
    [
      "after the file was dropped again",
      (keys) => {
        removePlots(new Set(keys));
        return dropPlots();
      },
    ],
    [
      "after connecting again",
      (keys) => {
        answerer.peek()?.close();
        answerer.value = connected();
        return keys;
      },
    ],
  ];

  it.each(ways)("is charged once when it is sent again %s", async (_, comeBack) => {
    const keys = dropPlots();
    fault = "drop after";
    runQuestions(keys);
    await waitUntilAll("unanswered");
    expect(await countUsedUnits()).toBe(before + 3);
    const again = comeBack(keys);
    fault = undefined;
    runQuestions(again);
    await waitUntilAll("answered");
    expect(await countUsedUnits()).toBe(before + 3);
    // A person who has the answer and asks again means to.
    runQuestions(again);
    await expect.poll(countUsedUnits).toBe(before + 6);
  });

  it("is charged once where its plot was reshaped before the answer came, and then has its first shape again", async () => {
    const [key] = dropPlots() as [string, string, string];
    const { input } = plots.peek()[0]!;
    await runWhenAnswered([key], () => {
      reshapePlot(key, { geometry: createSquarePlot(0.09, 0.09) });
      runQuestions([key]);
    });
    await waitUntilFirstIs("answered");
    expect(await countUsedUnits()).toBe(before + 2);
    reshapePlot(key, structuredClone(input!));
    runQuestions([key]);
    await waitUntilFirstIs("answered");
    expect(await countUsedUnits()).toBe(before + 2);
  });

  it("is charged once where its plot was removed before the answer came, and the file was dropped again", async () => {
    const keys = dropPlots();
    await runWhenAnswered(keys, () => {
      removePlots(new Set(keys));
      runQuestions(dropPlots());
    });
    await waitUntilAll("answered");
    expect(await countUsedUnits()).toBe(before + 3);
  });

  it("is charged once where it was cancelled under way and sent again at once", async () => {
    const keys = dropPlots();
    await runWhenAnswered(keys, () => {
      cancelQuestions();
      runQuestions(keys);
    });
    await waitUntilAll("answered");
    expect(await countUsedUnits()).toBe(before + 3);
  });

  it("is charged once where it is sent again with another API key of the organization", async () => {
    const keys = dropPlots();
    fault = "drop after";
    runQuestions(keys);
    await waitUntilAll("unanswered");
    fault = undefined;
    const ports = { store: service.store, pepper: PEPPER };
    const issued = await createKey(ports, { organization: service.organization, mode: "test", name: "next" });
    answerer.value = createServiceAnswerer(proxy.url, issued.key, { sleep: async () => {} });
    runQuestions(keys);
    await waitUntilAll("answered");
    expect(await countUsedUnits()).toBe(before + 3);
  });

  it("is charged as two where the file has it twice, and again as two when both are lost", async () => {
    const keys = [...dropPlots().slice(0, 1), ...dropPlots().slice(0, 1)];
    fault = "drop after";
    runQuestions(keys);
    await expect.poll(() => listStateKinds(keys)).toEqual(["unanswered", "unanswered"]);
    await proxy.quiet();
    expect(await countUsedUnits()).toBe(before + 2);
    fault = undefined;
    runQuestions(keys);
    await expect.poll(() => listStateKinds(keys)).toEqual(["answered", "answered"]);
    expect(await countUsedUnits()).toBe(before + 2);
  });
});

/** Asks, and does something when the service has answered all and the page has heard of none. */
async function runWhenAnswered(keys: readonly string[], leave: () => void): Promise<void> {
  const all = Promise.withResolvers<void>();
  const heard = Promise.withResolvers<void>();
  let count = 0;
  answerer.value = createServiceAnswerer(proxy.url, service.key, {
    sleep: async () => {},
    fetch: async (address, init) => {
      const response = await fetch(address, init);
      if (!String(address).endsWith("/v1/evaluate")) return response;
      if (++count === keys.length) all.resolve();
      await heard.promise;
      return response;
    },
  });
  runQuestions(keys);
  await all.promise;
  leave();
  heard.resolve();
}

function reshapePlot(key: string, input: object): void {
  changePlots(new Map([[key, { input, state: { kind: "new" } as const }]]));
}

function listStateKinds(keys: readonly string[]): readonly string[] {
  const all = plots.peek();
  return keys.map((key) => all.find((plot) => plot.key === key)!.state.kind);
}

async function waitUntilFirstIs(kind: "answered"): Promise<void> {
  await expect.poll(() => plots.peek()[0]!.state.kind).toBe(kind);
  await proxy.quiet();
}
