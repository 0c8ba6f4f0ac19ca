import { computeQuantile, roundToTenth } from "../attacks/figures.ts";
import {
  expectReplays,
  isAnswered,
  isOverloaded,
  isUnknown,
  Load,
  readSoundUse,
  startSteadyLoad,
  warmUpTarget,
} from "./load.ts";
import { buildStraceCommand, type ServedByCommand } from "./serve-target.ts";
import { makeOrder } from "./target.ts";

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
export async function failDiskOnce(
  served: ServedByCommand,
  url: string,
  call: keyof typeof START_CALLS,
  turn: number,
): Promise<FailingDiskReport> {
  const { scope } = served;
  const fault = `error=EIO:when=${START_CALLS[call] + 1 + turn}`;
  await using target = await served.start(
    undefined,
    buildStraceCommand(call, fault, { file: `${url.replace(/^sqlite:/, "")}-wal` }),
  );
  // One after the other, so that each is a commit of its own.
  const first = new Load();
  for (let i = 0; i < 10; i++) await first.send(target, makeOrder(scope, `turn-${1_000 + i}`));
  const load = startSteadyLoad(target, scope, 200, { prefix: "disk", mostRunning: 64 });
  const how = await target.ended;
  const sent = [...(await first.end()), ...(await load.end())];
  if (how !== 70) throw new Error(`the service ended with ${how}, expected 70:\n${target.log(20)}`);
  const doubtful = sent.filter((one) => !isAnswered(one) && !isOverloaded(one));
  const wrong = doubtful.find((one) => !isUnknown(one));
  if (wrong !== undefined) throw new Error(`a request was answered ${JSON.stringify(wrong)}`);
  await using next = await served.start();
  const acknowledged = sent.filter(isAnswered).length;
  const stood = (await readSoundUse(url, scope, "after the fault")) - acknowledged;
  await expectReplays([next], scope, sent);
  const used = await readSoundUse(url, scope, "after the replays");
  if (used !== sent.length) throw new Error(`${sent.length} keys were charged ${used} units`);
  return { acknowledged, unknown: doubtful.length, stood };
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
export async function runWithSlowDisk(
  served: ServedByCommand,
  flushMs: number,
  answers: number,
): Promise<SlowDiskReport> {
  const fault = `delay_exit=${flushMs * 1_000}`;
  await using target = await served.start(undefined, buildStraceCommand("fsync,fdatasync", fault));
  await warmUpTarget(target, served.scope);
  const load = startSteadyLoad(target, served.scope, 200, { prefix: `slow-${flushMs}` });
  await load.answered(answers, () => true);
  const sent = await load.end();
  const broken = sent.find((one) => !isAnswered(one) && !isOverloaded(one));
  if (broken !== undefined) throw new Error(`a request was answered ${JSON.stringify(broken.answer)}`);
  const charged = sent.filter(isAnswered);
  const took = charged.map(({ tookMs }) => tookMs);
  return {
    flushMs,
    charged: charged.length,
    overloaded: sent.length - charged.length,
    p50Ms: roundToTenth(computeQuantile(took, 0.5)),
    p99Ms: roundToTenth(computeQuantile(took, 0.99)),
  };
}
