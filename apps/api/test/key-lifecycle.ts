import { setTimeout as sleep } from "node:timers/promises";
import { createKey, revokeKey, rotateKey } from "../src/admin/api-keys.ts";
import { openStore } from "../src/store/open-store.ts";
import { computeQuantile, requireNothingOver, roundToTenth } from "./attacks/figures.ts";
import { makeHostileEditions } from "./attacks/hostile-world.ts";
import { exchangeRequest } from "./exchange.ts";
import { type ServedProcess, withServedProcess } from "./served-process.ts";
import { createTestOrganization, PEPPER } from "./service.ts";

const PER_SECOND = 200;
const ROTATIONS = 10;
const REVOCATIONS = 20;
/** Past this nobody may be let in with a key that has ended, on any replica. */
const GRACE_MS = 1_000;
/** More are not on their way at once: a machine that is too slow for the rate is asked less often. */
const MOST_RUNNING = 100;
const MOST_BUSY = 1_000;

interface Issued {
  readonly key: string;
  readonly id: string;
  /** By this process's steady clock: good until the first, ended after the second. */
  goodUntilMs: number;
  endedAtMs: number;
}

/**
 * T-40. Keys are rotated, expire and are revoked while two replicas over one PostgreSQL are asked 200
 * times a second: a key in force is never refused, one that has ended is refused on both within a second.
 *
 * @param seconds of rotating, each key overlapping its successor for half of them
 */
export async function rotateUnderLoad(postgresUrl: string, seconds: number): Promise<object> {
  // Each replica has its own files: the chunks of a snapshot file can be read once.
  const replica = () => ({ editions: makeHostileEditions(), store: postgresUrl, workers: 1 });
  return withServedProcess(replica(), (first) =>
    withServedProcess(replica(), (second) => runKeyLifecycle(postgresUrl, [first, second], seconds)),
  );
}

async function runKeyLifecycle(
  url: string,
  replicas: readonly [ServedProcess, ServedProcess],
  seconds: number,
): Promise<object> {
  const store = await openStore(url);
  const ports = { store, pepper: PEPPER };
  const over: string[] = [];
  const waits: number[] = [];
  let calls = 0;
  let refusedInTime = 0;
  let busy = 0;
  const ask = async (at: ServedProcess, key: string): Promise<string> => {
    const headers = { Authorization: `Bearer ${key}` };
    const { status, text, milliseconds } = await exchangeRequest(`${at.url}/v1/usage`, "GET", headers);
    calls++;
    waits.push(milliseconds);
    // A machine with other work may let the database time out: that says nothing of the key.
    if (status === 503 && busy < MOST_BUSY) {
      busy++;
      return ask(at, key);
    }
    return status === 200 ? "200" : `${status} ${/"code":"([A-Z_]+)"/.exec(text)?.[1]}`;
  };
  try {
    const { organization, key, keyId } = await createTestOrganization(store);
    const forever = { goodUntilMs: Number.POSITIVE_INFINITY, endedAtMs: Number.POSITIVE_INFINITY };
    const issued: Issued[] = [{ key, id: keyId, ...forever }];

    const checkOne = async (turn: number): Promise<void> => {
      const at = replicas[turn % 2]!;
      const now = performance.now();
      const good = issued.filter(({ goodUntilMs }) => now < goodUntilMs);
      const ended = issued.filter(({ endedAtMs }) => now > endedAtMs + GRACE_MS);
      // One in eight is a key that has ended, where there is one.
      const isEnded = turn % 8 === 0 && ended.length > 0;
      const among = isEnded ? ended : good;
      const chosen = among[Math.floor(turn / 2) % among.length]!;
      const got = await ask(at, chosen.key);
      // It may have ended while the request was on its way.
      if (!isEnded && performance.now() > chosen.goodUntilMs) return;
      if (isEnded) refusedInTime++;
      const expected = isEnded ? "401 API_KEY_EXPIRED" : "200";
      if (got !== expected) over.push(`request ${turn}: ${got}, expected ${expected}`);
    };
    const load = repeatPerSecond(PER_SECOND, checkOne);

    const overlapMs = (seconds * 1_000) / 2;
    for (let i = 0; i < ROTATIONS; i++) {
      await sleep((seconds * 1_000) / ROTATIONS);
      const retiring = issued.at(-1)!;
      const before = performance.now();
      const next = await rotateKey(ports, { id: retiring.id, overlapMs });
      retiring.goodUntilMs = before + overlapMs;
      retiring.endedAtMs = performance.now() + overlapMs;
      issued.push({ key: next.key, id: next.stored.id, ...forever });
    }

    const delays: number[] = [];
    let letInForMs = 0;
    for (let i = 0; i < REVOCATIONS; i++) {
      const doomed = await createKey(ports, { organization, mode: "test", name: "doomed" });
      for (const replica of replicas) {
        const got = await ask(replica, doomed.key);
        if (got !== "200") over.push(`a new key: ${got}`);
      }
      await revokeKey(ports, doomed.stored.id);
      const revoked = performance.now();
      await Promise.all(
        replicas.map(async (replica) => {
          // Counted from where a request that was let in was sent: it may be answered much later.
          for (let sentMs = revoked; (await ask(replica, doomed.key)) === "200"; sentMs = performance.now()) {
            letInForMs = Math.max(letInForMs, sentMs - revoked);
            if (letInForMs > 10 * GRACE_MS) throw new Error("a revoked key is let in for ten seconds");
          }
          delays.push(performance.now() - revoked);
          for (let j = 0; j < 5; j++) {
            const got = await ask(replica, doomed.key);
            if (got !== "401 API_KEY_REVOKED") over.push(`a revoked key, refused before: ${got}`);
          }
        }),
      );
    }
    const sent = await load.stop();
    if (letInForMs > GRACE_MS) over.push(`a revoked key was let in for ${letInForMs} ms`);
    return requireNothingOver(
      {
        seconds,
        "requests at 200/s": sent,
        "requests in all": calls,
        "asked again, 503 before": busy,
        rotations: ROTATIONS,
        overlapSeconds: overlapMs / 1_000,
        "requests with expired keys, all refused": refusedInTime,
        revocations: delays.length,
        "let in after revocation, at most": `${roundToTenth(letInForMs)} ms`,
        "refusal received": `median ${roundToTenth(computeQuantile(delays, 0.5))} ms, at most ${roundToTenth(computeQuantile(delays, 1))} ms`,
        "answer times": `median ${roundToTenth(computeQuantile(waits, 0.5))} ms, p99 ${roundToTenth(computeQuantile(waits, 0.99))} ms`,
      },
      over,
    );
  } finally {
    await store.close();
  }
}

/** Does something so many times a second, whether the last is done or not, until it is stopped. */
function repeatPerSecond(
  perSecond: number,
  action: (turn: number) => Promise<void>,
): { stop(): Promise<number> } {
  const began = performance.now();
  const running = new Set<Promise<void>>();
  let turns = 0;
  let failure: unknown;
  const timer = setInterval(() => {
    while (turns < ((performance.now() - began) / 1_000) * perSecond && running.size < MOST_RUNNING) {
      const one: Promise<void> = action(turns++)
        .catch((error: unknown) => {
          failure ??= error;
        })
        .finally(() => running.delete(one));
      running.add(one);
    }
  }, 5);
  return {
    stop: async () => {
      clearInterval(timer);
      await Promise.all(running);
      if (failure !== undefined) throw failure;
      return turns;
    },
  };
}
