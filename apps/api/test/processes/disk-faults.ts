import { openStore } from "../../src/store/open-store.ts";
import { quantile, rounded } from "../attacks/figures.ts";
import { expectSound } from "./kill.ts";
import { askAllAgain, askInTurn, isAnswered, isOverloaded, SteadyLoad, warmUp } from "./load.ts";
import { type ServedByCommand, underStrace } from "./serve-target.ts";

export interface FailingDiskReport {
  readonly acknowledged: number;
  /** Charges whose answer said that their outcome was not known, or that were not answered. */
  readonly unknown: number;
  /** The unknown charges that were in the file when it was opened again. */
  readonly stood: number;
}

/**
 * T-12. A write to the state file's log, or a flush of it, fails with EIO while requests come; the
 * process says so and ends with 70. The next one has every charge that was acknowledged, and charges
 * the others once. Files that SQLite keeps beside the log for a moment do not fail here: nothing has happened by then, so
 * the service refuses the group and goes on.
 *
 * @param turn which of the calls that the thread that writes makes for requests fails, from 0
 */
export async function failDisk(
  served: ServedByCommand,
  url: string,
  call: keyof typeof START_CALLS,
  turn: number,
): Promise<FailingDiskReport> {
  const { scope } = served;
  const fault = `error=EIO:when=${START_CALLS[call] + 1 + turn}`;
  const target = await served.start(
    undefined,
    underStrace(call, fault, { file: `${url.replace(/^sqlite:/, "")}-wal` }),
  );
  try {
    const first = await askInTurn(target, scope, 10);
    const load = new SteadyLoad(target, scope, 200, { prefix: "disk", mostRunning: 64 });
    const how = await target.ended;
    const sent = [...first, ...(await load.stop())];
    if (how !== 70) throw new Error(`the service ended with ${how}, expected 70:\n${target.said()}`);
    const doubtful = sent.filter((one) => !isAnswered(one) && !isOverloaded(one));
    for (const { order, answer } of doubtful) {
      if (answer === undefined || (answer.kind === "refused" && answer.code === "OUTCOME_UNKNOWN")) continue;
      throw new Error(`${order.request.key} was answered ${JSON.stringify(answer)}`);
    }
    const next = await served.start();
    const store = await openStore(url);
    try {
      await expectSound(store, "after the fault");
      const acknowledged = sent.filter(isAnswered).length;
      const stood = ((await store.usage({ scope }))?.period.used ?? 0) - acknowledged;
      const answers = await askAllAgain(next, sent);
      for (const [i, { order, answer }] of sent.entries()) {
        const again = answers[i]!;
        if (!("response" in again)) throw new Error(`a key is stuck: ${JSON.stringify(again)}`);
        if (answer === undefined || !("response" in answer)) continue;
        if (again.kind !== "replayed" || again.response !== answer.response) {
          throw new Error(`the acknowledged answer under ${order.request.key} is lost`);
        }
      }
      const used = (await store.usage({ scope }))?.period.used;
      if (used !== sent.length) throw new Error(`${sent.length} keys were charged ${used} units`);
      await expectSound(store, "after asking again");
      return { acknowledged, unknown: doubtful.length, stood };
    } finally {
      await store.close();
      await next.kill();
    }
  } finally {
    await target.kill();
  }
}

/** How many calls a thread makes at most before requests come: opening the file makes some too. */
const START_CALLS = { fsync: 3, pwrite64: 59 } as const;

export interface SlowDiskReport {
  readonly flushMs: number;
  readonly charged: number;
  /** Refused because more waited than can be answered in time. */
  readonly overloaded: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/**
 * T-12. Every flush takes that much longer at 200 requests a second: groups grow. Two groups of the 64
 * requests that are processed at a time, one of them being flushed, make 320 a second at 100 ms, and
 * at 200 ms fewer than come: the service then says that it is overloaded.
 *
 * @throws where a request is answered with anything else, or not at all
 */
export async function slowDisk(
  served: ServedByCommand,
  flushMs: number,
  answers: number,
): Promise<SlowDiskReport> {
  const fault = `delay_exit=${flushMs * 1_000}`;
  const target = await served.start(undefined, underStrace("fsync,fdatasync", fault));
  try {
    await warmUp(target, served.scope);
    const load = new SteadyLoad(target, served.scope, 200, { prefix: `slow-${flushMs}` });
    await load.heard(answers, () => true);
    const sent = await load.stop();
    const broken = sent.find((one) => !isAnswered(one) && !isOverloaded(one));
    if (broken !== undefined) throw new Error(`a request was answered ${JSON.stringify(broken.answer)}`);
    const charged = sent.filter(isAnswered);
    const took = charged.map(({ tookMs }) => tookMs);
    return {
      flushMs,
      charged: charged.length,
      overloaded: sent.length - charged.length,
      p50Ms: rounded(quantile(took, 0.5)),
      p99Ms: rounded(quantile(took, 0.99)),
    };
  } finally {
    await target.kill();
  }
}
