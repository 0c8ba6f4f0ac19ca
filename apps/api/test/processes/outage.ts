import { setTimeout as sleep } from "node:timers/promises";
import type { Scope } from "../../src/ledger/scope.ts";
import { computeQuantile, roundToTenth } from "../attacks/figures.ts";
import type { PostgresCluster } from "../postgres-cluster.ts";
import {
  expectReplays,
  isAnswered,
  isOverloaded,
  isUnknown,
  Load,
  readSoundUse,
  type SentRequest,
  startSteadyLoad,
} from "./load.ts";
import type { ServedByCommand, ServeTarget } from "./serve-target.ts";
import { makeOrder } from "./target.ts";

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
export async function runDatabaseOutage(
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
    const load = startSteadyLoad(target, scope, 50, { prefix: "outage", mostRunning: 32 });
    await load.answered(30);
    const crashMs = performance.now();
    await cluster.crash();
    isDown = true;
    const downMs = performance.now();
    for (let round = 0; round < rounds; round++) {
      const [health, ready] = await Promise.all([target.get("/healthz"), target.get("/readyz")]);
      if (health.status !== 200 || ready.status !== 503) {
        throw new Error(`/healthz was ${health.status} and /readyz ${ready.status}: ${ready.text}`);
      }
      await load.answered(10, ({ answer }) => answer?.kind === "refused");
    }
    const startMs = performance.now();
    await cluster.start();
    isDown = false;
    const upMs = performance.now();
    const probes = await probeUntilCharged(target, scope);
    const chargedMs = performance.now();
    if (chargedMs - upMs > recoveryMs) throw new Error(`charges again after ${chargedMs - upMs} ms`);
    await load.answered(30);
    const sent = [...(await load.end()), ...probes];

    const during = sent.filter(({ atMs, tookMs }) => atMs > downMs && atMs + tookMs < startMs);
    for (const one of during) expectQuickRefusal(one, refusalMs);
    const caught = sent.filter(({ atMs, tookMs }) => atMs <= downMs && atMs + tookMs > crashMs);
    const late = sent.find((one) => one.atMs > chargedMs && !isAnswered(one) && !isOverloaded(one));
    if (late !== undefined) throw new Error(`after the outage: ${JSON.stringify(late.answer)}`);
    if ((await target.get("/readyz")).status !== 200) throw new Error("/readyz does not turn back");

    const used = await readSoundUse(url, scope, "after the outage");
    const acknowledged = sent.filter(isAnswered).length;
    const unknown = sent.filter(isUnknown).length;
    if (used < acknowledged || used > acknowledged + unknown)
      throw new Error(`${acknowledged} were acknowledged, ${unknown} unknown, ${used} charged`);
    await expectReplays([target], scope, sent);
    const took = during.map(({ tookMs }) => tookMs);
    return {
      acknowledged,
      refused: {
        count: during.length,
        p50Ms: roundToTenth(computeQuantile(took, 0.5)),
        slowestMs: roundToTenth(computeQuantile(took, 1)),
      },
      caught: {
        count: caught.length,
        slowestMs: roundToTenth(
          computeQuantile(
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

/** Sends one after the other until one is charged. */
async function probeUntilCharged(target: ServeTarget, scope: Scope): Promise<readonly SentRequest[]> {
  const probes = new Load();
  const probe = () => probes.send(target, makeOrder(scope, `probe-${1_000 + probes.count}`));
  while ((await probe()).answer?.kind !== "charged") await sleep(10);
  return probes.end();
}

function expectQuickRefusal(one: SentRequest, allowedMs: number): void {
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
