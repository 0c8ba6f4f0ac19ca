/**
 * A client that asks the same small question over and over, in a thread of its own: what the first one
 * does to its own thread is not to be taken for what it does to others.
 */
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { postText } from "./post-text.ts";

export interface SecondClient {
  /** Since this was last asked. */
  heard(): Promise<Heard>;
  stop(): Promise<unknown>;
}

/** Waits for that many more answers, and gives all that was heard since it was last asked. */
export async function hearAtLeast(client: SecondClient, count: number): Promise<Heard> {
  const waits: number[] = [];
  const failures: string[] = [];
  for (;;) {
    const heard = await client.heard();
    waits.push(...heard.waits);
    failures.push(...heard.failures);
    if (waits.length >= count) return { waits, failures };
    await sleep(PAUSE_MS);
  }
}

/** Answers other than 200 and the one that a machine with other work may give to anybody. */
export function faultsOf({ failures }: Heard): readonly string[] {
  return failures.filter((answer) => answer !== "503 OVERLOADED");
}

export interface Heard {
  /** Milliseconds to each answer. */
  readonly waits: readonly number[];
  /** Answers other than 200. */
  readonly failures: readonly string[];
}

interface Question {
  readonly url: string;
  readonly key: string;
  readonly body: string;
}

const PAUSE_MS = 5;

export function startSecondClient(question: Question): SecondClient {
  const worker = new Worker(new URL(import.meta.url), { workerData: question });
  return {
    heard: async () => {
      const answer = once(worker, "message");
      worker.postMessage("heard");
      return (await answer)[0] as Heard;
    },
    stop: () => worker.terminate(),
  };
}

if (!isMainThread && parentPort !== null) {
  const { url, key, body } = workerData as Question;
  let waits: number[] = [];
  let failures: string[] = [];
  parentPort.on("message", () => {
    parentPort?.postMessage({ waits, failures } satisfies Heard);
    waits = [];
    failures = [];
  });
  for (;;) {
    const { status, code, milliseconds } = await postText(url, key, body);
    waits.push(milliseconds);
    if (status !== 200) failures.push(`${status} ${code}`);
    await sleep(PAUSE_MS);
  }
}
