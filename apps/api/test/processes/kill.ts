import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { createCharging } from "../../src/charging/charging.ts";
import type { Scope } from "../../src/charging/scope.ts";
import { openStore } from "../../src/store/open-store.ts";
import { newScope } from "../settlement.ts";
import type { Outcome } from "../simulation/world.ts";
import { forkTarget } from "./fork-target.ts";
import type { Order } from "./target.ts";

export interface KillReport {
  /** Answers that said `charged` or replayed before the process died. */
  readonly acknowledged: number;
  /** Charges that stand though their answer was lost, and were replayed to whoever asked again. */
  readonly recovered: number;
  /** Whether it died before all were answered. */
  readonly diedAtWork: boolean;
}

/**
 * T-07 and T-08. Asks 80 times under 60 keys, one in seven degraded, while the process is killed;
 * then everybody asks again.
 *
 * @param killAt a named point and a count; default at random, within 40 ms or after so many answers
 *
 * @throws where an acknowledged charge is lost, anything is charged twice, a key is stuck, or an
 *   invariant is broken
 */
export async function killAndRecover(
  path: string,
  random: () => number,
  killAt?: string,
): Promise<KillReport> {
  const url = `sqlite:${path}`;
  const before = await openStore(url);
  const scope = await newScope(before, 1_000);
  await before.close();

  const target = await forkTarget(url, killAt === undefined ? {} : { killAt });
  const orders = Array.from({ length: 80 }, () => orderOf(scope, random));
  const answers = orders.map((order) => target.ask(order).catch(() => undefined));
  if (killAt === undefined) {
    // By time alone a slow machine would die before its work, a fast one after it.
    await Promise.race([sleep(random() * 40), heardFrom(answers, Math.floor(random() * answers.length))]);
  } else {
    // A point that is not reached often enough lets everybody be answered; the process dies then.
    await Promise.race([target.gone, Promise.all(answers)]);
  }
  await target.kill();
  const heard = await Promise.all(answers);
  const report = await check(url, scope, orders, heard);
  return { ...report, diedAtWork: heard.includes(undefined) };
}

/** Resolves when so many have been answered. */
function heardFrom(answers: readonly Promise<unknown>[], count: number): Promise<void> {
  return new Promise((resolve) => {
    let heard = 0;
    for (const answer of answers) {
      void answer.then(() => {
        if (++heard >= count) resolve();
      });
    }
  });
}

function orderOf(scope: Scope, random: () => number): Order {
  const key = `job-${1_000 + Math.floor(random() * 60)}`;
  return {
    // One body a key, so that whoever asks again must be given the answer.
    request: { scope, key, fingerprint: key, route: "/v1/evaluate", requestId: "req" },
    degrades: random() < 1 / 7,
  };
}

async function check(
  url: string,
  scope: Scope,
  orders: readonly Order[],
  answers: readonly (Outcome | undefined)[],
): Promise<Omit<KillReport, "diedAtWork">> {
  const store = await openStore(url, { sqlite: { role: "serve" } });
  try {
    const [violation] = await store.findViolations({ extent: "all" });
    if (violation !== undefined)
      throw new Error(`after the kill: ${violation.invariant} ${violation.message}`);
    const stood = (await store.usage({ scope }))?.period.used ?? 0;
    const texts = new Map<string, string>();
    for (const [i, answer] of answers.entries()) {
      if (answer === undefined || !("response" in answer)) continue;
      const key = orders[i]!.request.key!;
      if ((texts.get(key) ?? answer.response) !== answer.response)
        throw new Error(`two answers under ${key}`);
      texts.set(key, answer.response);
    }
    const charging = createCharging({ store, mintDecisionId: () => `dec_${randomUUID()}`, sleep });
    let executions = 0;
    for (const key of new Set(orders.map(({ request }) => request.key!))) {
      const { request } = orders.find((order) => order.request.key === key)!;
      const again = await charging.charge(request, async () => {
        const response = `again ${++executions}`;
        return {
          kind: "complete",
          request: "{}",
          response,
          mediaType: "application/json",
          digests: "{}",
          referenceId: null,
        };
      });
      if (!("response" in again)) throw new Error(`${key} is stuck: ${JSON.stringify(again)}`);
      const text = texts.get(key);
      if (text !== undefined && (again.kind !== "replayed" || again.response !== text)) {
        throw new Error(`the acknowledged answer under ${key} is lost`);
      }
    }
    const keys = new Set(orders.map(({ request }) => request.key)).size;
    const used = (await store.usage({ scope }))?.period.used;
    if (used !== keys) throw new Error(`${keys} keys were charged ${used} units`);
    const [after] = await store.findViolations({ extent: "all" });
    if (after !== undefined) throw new Error(`after asking again: ${after.invariant} ${after.message}`);
    return { acknowledged: texts.size, recovered: stood - texts.size };
  } finally {
    await store.close();
  }
}

/**
 * Where T-08 ends the process, in the protocol and around each step of a group's transaction, and
 * how often each is passed at least.
 */
export const KILL_POINTS = {
  received: 80,
  execute: 40,
  executed: 40,
  begin: 4,
  begun: 4,
  "run settleBatch": 40,
  ran: 40,
  commit: 4,
  committed: 4,
  settled: 60,
  answered: 60,
} as const;
