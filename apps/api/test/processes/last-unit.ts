import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { readSoundUse } from "./load.ts";
import { type Answer, makeOrder, type Targets } from "./target.ts";

const QUOTA = 100;

/**
 * T-06. The process is killed once the charge of a quota's last unit is committed, before or just
 * after its answer leaves; who asks again is given that answer, and nobody else is charged.
 *
 * @param killAt a point of the commit; default as soon as the state file shows the charge
 *
 * @returns whether the answer was lost at first
 */
export async function loseLastUnit(targets: Targets, url: string, killAt?: string): Promise<boolean> {
  const served = await targets(url, QUOTA);
  const { scope } = served;
  await using target = await served.start(killAt === undefined ? undefined : `${killAt}:${QUOTA}`);
  // One after the other, so that each is a commit of its own.
  for (let i = 1; i < QUOTA; i++) await target.ask(makeOrder(scope, `unit-${1_000 + i}`));
  const last = makeOrder(scope, `unit-${1_000 + QUOTA}`);
  const answer: Promise<Answer | undefined> = target.ask(last).catch(() => undefined);
  if (killAt === undefined) {
    // The request leaves first: nothing here runs while the file is looked at.
    await sleep(1);
    waitForLastUnit(url);
    await target.kill();
  } else {
    await target.gone;
  }
  const heard = await answer;
  await using next = await served.start();
  const again = await next.ask(last);
  if (again.kind !== "replayed") throw new Error(`the last unit was answered ${JSON.stringify(again)}`);
  if (heard !== undefined && (!("response" in heard) || heard.response !== again.response)) {
    throw new Error(`the last unit was answered ${JSON.stringify(heard)} at first`);
  }
  const over = await next.ask(makeOrder(scope, "one-too-many"));
  if (over.kind !== "refused" || over.code !== "QUOTA_EXCEEDED") {
    throw new Error(`one too many was answered ${JSON.stringify(over)}`);
  }
  await readSoundUse(url, scope, "after asking again");
  return heard === undefined;
}

/** Looks and looks, for the answer leaves within a millisecond. */
function waitForLastUnit(url: string): void {
  const database = new DatabaseSync(url.slice("sqlite:".length), { readOnly: true });
  const used = database.prepare("SELECT max(used) AS used FROM period");
  const deadline = performance.now() + 300_000;
  while (used.get()!.used !== QUOTA) {
    if (performance.now() > deadline) throw new Error("the last unit was not charged within five minutes");
  }
  database.close();
}
