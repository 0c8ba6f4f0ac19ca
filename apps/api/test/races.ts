import assert from "node:assert/strict";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { HARMLESS, makeHostileEditions } from "./attacks/hostile-world.ts";
import { type Exchanged, exchangeRequest } from "./exchange.ts";
import { type ServedProcess, withServedProcess } from "./served-process.ts";
import { createTestOrganization } from "./service.ts";
import { withStore } from "./store-places.ts";
import { withTemporaryFolder } from "./temporary-folder.ts";

const QUOTA = 100;
const BODY = JSON.stringify({ input: { geometry: HARMLESS } });
/** The same plot with a reference: another request. */
const OTHER_BODY = JSON.stringify({ input: { geometry: HARMLESS }, reference_id: "other" });

interface Racer {
  readonly organization: string;
  ask(key: string, body?: string): Promise<Exchanged & { readonly code: string | undefined }>;
  used(): Promise<number>;
}

/**
 * T-01, T-03, T-04 over HTTP against a serving process on SQLite, on a new organization each round:
 * 200 keys at once for a quota of 100; 50 times the same request under one key; 25 of one body and
 * 25 of another under one key.
 */
export function raceOverHttp(rounds: number): Promise<object> {
  return withTemporaryFolder(async (dir) => {
    const store = `sqlite:${join(dir, "state.db")}`;
    return withServedProcess({ editions: makeHostileEditions(), store }, async (served) => {
      for (let round = 0; round < rounds; round++) {
        await raceForQuota(await createRacer(served, store));
        await raceForKey(await createRacer(served, store));
        await raceDifferentBodies(await createRacer(served, store));
      }
      return { rounds, requests: rounds * (2 * QUOTA + 50 + 50) };
    });
  });
}

async function raceForQuota(racer: Racer): Promise<void> {
  const answers = await Promise.all(
    Array.from({ length: 2 * QUOTA }, (_, i) => racer.ask(`race-${1_000 + i}`)),
  );
  assert.equal(answers.filter(({ status }) => status === 200).length, QUOTA);
  assert.equal(answers.filter(({ code }) => code === "QUOTA_EXCEEDED").length, QUOTA);
  assert.equal(await racer.used(), QUOTA);
}

async function raceForKey(racer: Racer): Promise<void> {
  const answers = await Promise.all(Array.from({ length: 50 }, () => racer.ask("the-same-key")));
  assert.deepEqual(
    answers.filter(({ status }) => status !== 200),
    [],
  );
  assert.equal(new Set(answers.map(({ text }) => text)).size, 1);
  assert.equal(answers.filter(({ headers }) => headers["idempotent-replayed"] === undefined).length, 1);
  assert.equal(await racer.used(), 1);
}

async function raceDifferentBodies(racer: Racer): Promise<void> {
  const answers = await Promise.all(
    Array.from({ length: 50 }, async (_, i) => {
      const body = i % 2 === 0 ? BODY : OTHER_BODY;
      return { body, answer: await racer.ask("one-key-two-bodies", body) };
    }),
  );
  const winner = answers.find(({ answer }) => answer.status === 200)?.body;
  for (const { body, answer } of answers) {
    if (body === winner) assert.equal(answer.status, 200);
    else assert.deepEqual([answer.status, answer.code], [422, "IDEMPOTENCY_KEY_CONFLICT"]);
  }
  const won = answers.filter(({ body }) => body === winner).map(({ answer }) => answer.text);
  assert.deepEqual([won.length, new Set(won).size, await racer.used()], [25, 1, 1]);
}

/** Asks as a client should: again, where a twin still runs or the service has no room. */
async function createRacer(served: ServedProcess, url: string): Promise<Racer> {
  const { organization, key } = await withStore(url, (store) =>
    createTestOrganization(store, { quota: QUOTA }),
  );
  const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
  return {
    organization,
    ask: async (idempotencyKey, body = BODY) => {
      for (;;) {
        const answer = await exchangeRequest(
          `${served.url}/v1/intersections`,
          "POST",
          { ...headers, "Idempotency-Key": idempotencyKey },
          body,
        );
        const code = /"code":"([A-Z_]+)"/.exec(answer.text)?.[1];
        if (code !== "IDEMPOTENCY_IN_PROGRESS" && code !== "OVERLOADED") return { ...answer, code };
        await sleep(50);
      }
    },
    used: async () => {
      const { text } = await exchangeRequest(`${served.url}/v1/usage`, "GET", headers);
      return (JSON.parse(text) as { data: { used: number } }).data.used;
    },
  };
}
