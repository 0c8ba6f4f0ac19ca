import { join } from "node:path";
import { openStore } from "../../apps/api/src/store/open-store.ts";
import { Connection } from "../../apps/api/src/store/sqlite/connection.ts";
import { writeGroup } from "../../apps/api/src/store/sqlite/writer.ts";
import { newScope, settlementOf } from "../../apps/api/test/settlement.ts";
import { openData } from "../../packages/node/src/open-data.ts";
import { Answerer } from "../../packages/service/src/answerer.ts";
import { NODE_HOST } from "../../packages/service/src/node-host.ts";
import type { BodyTask } from "../../packages/service/src/task/body-task.ts";

// What the other threads of the service do for a request, by themselves and without pause: what each can
// do where it has a core.

const GROUP = 64;

/** A request from its bytes to its answer. */
export function answering(dir: string, body: string): () => void {
  const answerer = new Answerer(openData(dir).engine, NODE_HOST);
  const task: BodyTask = {
    step: "answer",
    route: "/v1/evaluate",
    body,
    query: { evidence_limit: 20, lint: false, explain: false },
    mediaType: "application/json",
    requestId: "req_bench",
    engineVersion: "bench",
    now: "2026-11-20T10:00:00.000Z",
    organization: "bench",
    mode: "live",
  };
  return () => {
    const answered = answerer.answer(task);
    if (answered.kind !== "answered" || !answered.complete)
      throw new Error(`the request was ${answered.kind}`);
  };
}

/** Microseconds in which a worker reads a request, checks, evaluates and writes it down. */
export function answersAlone(dir: string, body: string): number {
  return bestOf(5, 6_000, answering(dir, body));
}

/**
 * Microseconds in which the writer charges a request, in full groups, each flushed to disk.
 *
 * @param bytes of the request and of the answer, each
 */
export async function writerAlone(dir: string, bytes: number): Promise<number> {
  const path = join(dir, "alone.db");
  const store = await openStore(`sqlite:${path}`, { absent: "make" });
  const scope = await newScope(store, Number.MAX_SAFE_INTEGER);
  await store.close();
  const connection = new Connection(path);
  let charged = 0;
  const text = "x".repeat(bytes);
  const perGroup = bestOf(5, 80, () => {
    const calls = Array.from({ length: GROUP }, () => {
      const id = String(++charged).padStart(12, "0");
      const more = { key: `key-${id}`, decisionId: `dec_${id}`, request: text + id, response: text + id };
      return { name: "settleBatch" as const, input: [settlementOf(scope, more)] };
    });
    const [first] = writeGroup(connection, calls, Date.now());
    if (first === undefined || "failed" in first) throw new Error("a charge failed");
  });
  connection.close();
  return perGroup / GROUP;
}

/** Microseconds a turn, in the best of some rounds; the first ones warm up. */
function bestOf(rounds: number, turns: number, action: () => void): number {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds; round++) {
    const started = performance.now();
    for (let turn = 0; turn < turns; turn++) action();
    best = Math.min(best, ((performance.now() - started) * 1_000) / turns);
  }
  return best;
}
