import { setTimeout as sleep } from "node:timers/promises";
import { computeQuantile, roundToTenth } from "../attacks/figures.ts";
import { isAnswered, isOverloaded, readSoundUse, startSteadyLoad, warmUpTarget } from "./load.ts";
import type { ServedByCommand } from "./serve-target.ts";
import { makeOrder } from "./target.ts";

export interface StopReport {
  readonly acknowledged: number;
  /** Refused, with an answer, on a machine that has other work to do. */
  readonly overloaded: number;
  readonly exitMs: number;
  readonly p99Ms: number;
}

/** After SIGTERM connections are taken for three seconds; less, for what a request takes to leave. */
const TAKEN_FOR_MS = 3_000;
const HEARD_FOR_MS = 2_500;
/** Where a request takes longer than that to leave, as beside busy processes, it may come to a closed door. */
const SURELY_HEARD_FOR_MS = 2_000;
const SLOW_KEYS = Array.from({ length: 16 }, (_, i) => `slow-${i}`);

/**
 * T-33. SIGTERM at so many requests a second. Whoever asks goes on for two seconds after `/readyz`
 * has turned, as a slow load balancer would; some requests then are still being sent when connections
 * begin to be refused, a second later.
 *
 * @throws where a request is broken off, or refused for another reason than load; where the answers are
 *   not what was charged; or where the process takes longer than asked, or exits with anything but 0
 */
export async function stopUnderLoad(
  served: ServedByCommand,
  url: string,
  perSecond: number,
  random: () => number,
  exitWithinMs = Number.POSITIVE_INFINITY,
): Promise<StopReport> {
  const { scope } = served;
  await using target = await served.start();
  await warmUpTarget(target, scope);
  const before = await readSoundUse(url, scope, "before the stop");
  const prefix = `stop-${Math.floor(random() * 1e9)}`;
  const load = startSteadyLoad(target, scope, perSecond, { prefix });
  await load.answered(60 + Math.floor(random() * 80));
  target.child.kill("SIGTERM");
  const began = performance.now();
  while ((await target.get("/readyz")).status === 200) await sleep(20);
  await load.answered(2 * perSecond, () => true);
  const asking = load.end();
  // A machine too slow for this has begun to refuse connections, as it should.
  const inTime = performance.now() < began + HEARD_FOR_MS ? SLOW_KEYS : [];
  const slow = inTime.map((key) => {
    return target.askSlowly(makeOrder(scope, `${prefix}-${key}`), 2_000).catch(String);
  });
  const sent = await asking;
  for (const answer of await Promise.all(slow)) {
    if (typeof answer === "string" || answer.kind !== "charged") {
      throw new Error(`a request on its way at the stop was answered ${JSON.stringify(answer)}`);
    }
  }
  const broken = sent.find((one) => {
    if (isAnswered(one) || isOverloaded(one)) return false;
    const cameLate = one.atMs + one.tookMs > began + TAKEN_FOR_MS;
    return one.atMs < began + (cameLate ? SURELY_HEARD_FOR_MS : HEARD_FOR_MS);
  });
  if (broken !== undefined) {
    const answer = JSON.stringify(broken.answer);
    const [at, took] = [broken.atMs - began, broken.tookMs].map(Math.round);
    throw new Error(`${broken.order.request.key} of ${at} ms was answered ${answer} after ${took} ms`);
  }
  const how = await target.ended;
  const exitMs = performance.now() - began;
  if (how !== 0) throw new Error(`the service ended with ${how}:\n${target.log(20)}`);
  if (exitMs > exitWithinMs) throw new Error(`the service took ${Math.round(exitMs)} ms to exit`);
  const charged = (await readSoundUse(url, scope, "after the stop")) - before;
  const acknowledged = sent.filter(isAnswered).length + slow.length;
  if (charged !== acknowledged) throw new Error(`${acknowledged} were acknowledged, ${charged} stand`);
  return {
    acknowledged,
    overloaded: sent.filter(isOverloaded).length,
    exitMs: Math.round(exitMs),
    p99Ms: roundToTenth(
      computeQuantile(
        sent.map(({ tookMs }) => tookMs),
        0.99,
      ),
    ),
  };
}
