import { setTimeout as sleep } from "node:timers/promises";
import type { Scope } from "../../src/ledger/scope.ts";
import { quantile, rounded } from "../attacks/figures.ts";
import type { PostgresCluster } from "../postgres-cluster.ts";
import { withStore } from "../store-places.ts";
import { expectSound } from "./kill.ts";
import { askAllAgain, isAnswered, isOverloaded, type SentRequest, SteadyLoad } from "./load.ts";
import type { ServedByCommand, ServeTarget } from "./serve-target.ts";
import { orderOf } from "./target.ts";

export interface OutageReport {
  readonly acknowledged: number;
  /** Requests that came while the database was down; each answer had a `Retry-After`. */
  readonly refused: { readonly count: number; readonly p50Ms: number; readonly slowestMs: number };
  /** Requests that ran as it went down. */
  readonly caught: { readonly count: number; readonly slowestMs: number };
  /** From when the database answers again to the first charge. */
  readonly recoveryMs: number;
}

/**
 * T-15. The database goes down without a word, stays down, and comes back, at so many requests a
 * second.
 *
 * @param rounds of looking at the service while the database is down; in each it refuses ten requests
 * @param refusalMs a refusal may take; by default any time, which on a busy machine tells nothing
 * @param recoveryMs charging may take to go on; by default any time
 *
 * @throws where a request in the outage is charged, or is refused with anything but 503 and
 *   `Retry-After`; where `/healthz` or `/readyz` say otherwise than they should; or where what is
 *   charged is not what was said
 */
export async function outage(
  cluster: PostgresCluster,
  served: ServedByCommand,
  url: string,
  {
    rounds = 5,
    refusalMs = Number.POSITIVE_INFINITY,
    recoveryMs = Number.POSITIVE_INFINITY,
  }: { readonly rounds?: number; readonly refusalMs?: number; readonly recoveryMs?: number } = {},
): Promise<OutageReport> {
  const { scope } = served;
  const target = await served.start();
  let isDown = false;
  try {
    const load = new SteadyLoad(target, scope, 50, { prefix: "outage", mostRunning: 32 });
    await load.heard(30);
    const crashMs = performance.now();
    await cluster.crash();
    isDown = true;
    const downMs = performance.now();
    for (let round = 0; round < rounds; round++) {
      const [health, ready] = await Promise.all([target.get("/healthz"), target.get("/readyz")]);
      if (health.status !== 200 || ready.status !== 503) {
        throw new Error(`/healthz was ${health.status} and /readyz ${ready.status}: ${ready.body}`);
      }
      await load.heard(10, ({ answer }) => answer?.kind === "refused");
    }
    const startMs = performance.now();
    await cluster.start();
    isDown = false;
    const upMs = performance.now();
    const probes = await probeUntilCharged(target, scope);
    const chargedMs = performance.now();
    if (chargedMs - upMs > recoveryMs) throw new Error(`charges again after ${chargedMs - upMs} ms`);
    await load.heard(30);
    const sent = [...(await load.stop()), ...probes];

    const during = sent.filter(({ atMs, tookMs }) => atMs > downMs && atMs + tookMs < startMs);
    for (const one of during) expectRefusal(one, refusalMs);
    const caught = sent.filter(({ atMs, tookMs }) => atMs <= downMs && atMs + tookMs > crashMs);
    const late = sent.find((one) => one.atMs > chargedMs && !isAnswered(one) && !isOverloaded(one));
    if (late !== undefined) throw new Error(`after the outage: ${JSON.stringify(late.answer)}`);
    if ((await target.get("/readyz")).status !== 200) throw new Error("/readyz does not turn back");

    const acknowledged = await expectCharged(url, served, sent);
    const again = await askAllAgain(target, sent);
    const stuck = again.find((answer) => !("response" in answer));
    if (stuck !== undefined) throw new Error(`a key is stuck: ${JSON.stringify(stuck)}`);
    const took = during.map(({ tookMs }) => tookMs);
    return {
      acknowledged,
      refused: {
        count: during.length,
        p50Ms: rounded(quantile(took, 0.5)),
        slowestMs: rounded(quantile(took, 1)),
      },
      caught: {
        count: caught.length,
        slowestMs: rounded(
          quantile(
            caught.map(({ tookMs }) => tookMs),
            1,
          ),
        ),
      },
      recoveryMs: Math.round(chargedMs - upMs),
    };
  } finally {
    await target.kill();
    if (isDown) await cluster.start();
  }
}

/** Asks one after the other until one is charged. */
async function probeUntilCharged(target: ServeTarget, scope: Scope): Promise<SentRequest[]> {
  const probes: SentRequest[] = [];
  while (probes.at(-1)?.answer?.kind !== "charged") {
    const order = orderOf(scope, `probe-${1_000 + probes.length}`);
    const atMs = performance.now();
    const answer = await target.ask(order);
    probes.push({ order, atMs, tookMs: performance.now() - atMs, answer });
    await sleep(10);
  }
  return probes;
}

function expectRefusal(one: SentRequest, allowedMs: number): void {
  const { answer, tookMs, order } = one;
  const isRefused =
    answer?.kind === "refused" &&
    answer.code === "STORAGE_UNAVAILABLE" &&
    answer.details.status === 503 &&
    answer.retryAfterSeconds !== undefined;
  if ((isRefused || isOverloaded(one)) && tookMs < allowedMs) return;
  const said = JSON.stringify(answer);
  throw new Error(`in the outage ${order.request.key} was answered ${said} after ${Math.round(tookMs)} ms`);
}

/** Asserts that acknowledged requests are charged; those whose outcome was unknown may be. */
async function expectCharged(
  url: string,
  { scope }: ServedByCommand,
  sent: readonly SentRequest[],
): Promise<number> {
  return withStore(url, async (store) => {
    await expectSound(store, "after the outage");
    const used = (await store.usage({ scope }))?.period.used ?? 0;
    const acknowledged = sent.filter(isAnswered).length;
    const unknown = sent.filter(({ answer }) => {
      return answer === undefined || (answer.kind === "refused" && answer.code === "OUTCOME_UNKNOWN");
    }).length;
    if (used < acknowledged || used > acknowledged + unknown) {
      throw new Error(`${acknowledged} were acknowledged, ${unknown} unknown, ${used} stand`);
    }
    return acknowledged;
  });
}
