import assert from "node:assert/strict";
import { type Client, type ClientOptions, createClient, type Fetch } from "@groundrule/client";
import { hostInProcess } from "@groundrule/service";
import { toRandom } from "@groundrule/testing/random";
import { createSmallWorld, createSquarePlot, LISTED_CNPJ } from "@groundrule/testing/small-world";
import { openStore } from "../../src/store/open-store.ts";
import { withSeed } from "../seed.ts";
import { startService } from "../service.ts";
import { runSqlPastStore } from "../store-places.ts";
import { withTemporaryFolder } from "../temporary-folder.ts";
import { FAULTS, type Fault, startFaultyProxy } from "./faulty-proxy.ts";

/** Share of requests that something happens to, and of those that meet a source that fails. */
const FAULTY = 0.45;
const DEGRADED = 1 / 7;
/** The late answers among those chosen to be late: each takes the whole patience of a caller. */
const LATE = 1 / 5;
/** Milliseconds that an attempt may take: long, as the machine may be busy. */
const PATIENCE_MS = 1_500;
/** Calls at once. */
const CALLERS = 24;

export interface ExactlyOnce {
  readonly calls: number;
  /** Requests that the proxy saw. */
  readonly requests: number;
  readonly replayed: number;
  readonly faults: Readonly<Record<string, number>>;
}

export interface ExactlyOnceOptions {
  /** Wraps the client's `fetch`: how a broken client is made. */
  readonly wrap?: (fetch: Fetch) => Fetch;
}

/**
 * Calls a service through a proxy that loses, delays, repeats and cuts, while a source of it fails now and then. Every
 * call is to be answered, with its own answer, and charged once, as the service counts and as the state file says.
 */
export function chargeExactlyOnce(
  calls: number,
  seed: number,
  options: ExactlyOnceOptions = {},
): Promise<ExactlyOnce> {
  return withSeed(seed, (random) =>
    withTemporaryFolder(async (dir) => {
      const path = `${dir}/state.db`;
      const report = await callThroughFaults(path, calls, random, options);
      await assertStoredDecisions(`sqlite:${path}`, calls);
      return report;
    }),
  );
}

async function callThroughFaults(
  path: string,
  calls: number,
  random: () => number,
  { wrap = (fetch) => fetch }: ExactlyOnceOptions,
): Promise<ExactlyOnce> {
  const { integer, next: draw } = toRandom(random);
  const chance = (share: number): boolean => draw() < share;
  const [whole, damaged] = [createSmallWorld(), createSmallWorld(["demo:lands", "demo:sanctions"])];
  const store = await openStore(`sqlite:${path}`, { role: "serve", absent: "make" });
  const service = await startService(
    hostInProcess(() => (chance(DEGRADED) ? damaged : whole)),
    // The limit on uncharged answers would refuse calls where chance serves more than it of them.
    { store, charging: { unchargedLimit: 1_000_000 } },
  );
  const proxy = await startFaultyProxy(service.url, (): Fault | undefined => {
    const fault = chance(FAULTY) ? FAULTS[integer(FAULTS.length)] : undefined;
    return fault === "late" && !chance(LATE) ? undefined : fault;
  });
  const options: ClientOptions = {
    baseUrl: proxy.url,
    apiKey: service.key,
    attempts: 100,
    timeoutMs: PATIENCE_MS,
    deadlineMs: 2 ** 31 - 1,
    fetch: wrap((url, init) => fetch(url, init)),
    // The waits are as planned, a hundredth as long.
    sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms / 100)),
    random,
  };
  const client = createClient(options);
  let replayed = 0;
  try {
    let next = 0;
    const caller = async (): Promise<void> => {
      while (next < calls) {
        const name = `call-${next++}`;
        const { reference, isReplayed } = await sendChargedQuestion(
          client,
          name,
          integer(4),
          integer(1_000) / 10_000,
        );
        assert.equal(reference, name, "the answer of another call");
        if (isReplayed) replayed++;
      }
    };
    await Promise.all(Array.from({ length: CALLERS }, caller));
    await proxy.quiet();
    const direct = createClient({ baseUrl: service.url, apiKey: service.key });
    assert.equal((await direct.usage()).data.used, calls, "the usage is not the number of calls");
  } finally {
    await proxy.close();
    await service.stop();
    await store.close();
  }
  const requests = [...proxy.counts.values()].reduce((sum, count) => sum + count, 0);
  return { calls, requests, replayed, faults: Object.fromEntries(proxy.counts) };
}

/** One of the four questions that are charged. */
async function sendChargedQuestion(
  client: Client,
  name: string,
  question: number,
  shift: number,
): Promise<{ readonly reference: string | null; readonly isReplayed: boolean }> {
  const geometry = createSquarePlot(0.05 + shift, 0.05);
  switch (question) {
    case 0: {
      const answer = await client.intersections({ input: { geometry }, reference_id: name });
      return { reference: answer.reference_id, isReplayed: answer.isReplayed };
    }
    case 1: {
      const input = { geometry, max_distance_m: 5_000 };
      const { data, isReplayed } = await client.distance({ input, reference_id: name });
      return { reference: data.reference_id, isReplayed };
    }
    case 2: {
      const input = { scheme: { type: "br:cnpj", value: LISTED_CNPJ } };
      const { data, isReplayed } = await client.subjects({ input, reference_id: name });
      return { reference: data.reference_id, isReplayed };
    }
    default: {
      const ruleset = {
        sets: { lands: { sources: ["demo:lands"] } },
        checks: [{ id: "lands", set: "lands", outcome: "WARNING" }],
      };
      const { data, isReplayed } = await client.evaluate({
        input: { geometry },
        ruleset,
        reference_id: name,
      });
      return { reference: data.reference_id, isReplayed };
    }
  }
}

/** One decision a call in the state file, whatever the service says. */
async function assertStoredDecisions(url: string, calls: number): Promise<void> {
  const text = "SELECT reference_id, count(*) AS n, sum(units) AS units FROM decision GROUP BY 1";
  const rows = await runSqlPastStore(url, text);
  const wrong = rows.filter(({ n, units }) => n !== 1 || units !== 1);
  assert.deepEqual(wrong, [], "charged more than once");
  assert.equal(rows.length, calls, "calls that are charged");
}
