import { fork } from "node:child_process";
import { once } from "node:events";
import { openStore } from "../../src/store/open-store.ts";
import { createLiveScope } from "../settlement.ts";
import type { FromProcess, ToProcess } from "./charging-process.ts";
import type { Answer, Target, Targets } from "./target.ts";

/** Customers that are served by store and protocol alone. */
export const servedByFork: Targets = async (url, quota) => {
  const store = await openStore(url, { absent: "make" });
  const scope = await createLiveScope(store, quota);
  await store.close();
  return { scope, start: (killAt) => forkChargingProcess(url, killAt === undefined ? {} : { killAt }) };
};

/** Starts a process of store and protocol over a store's URL. */
export async function forkChargingProcess(store: string, { killAt = "" } = {}): Promise<Target> {
  const child = fork(new URL("./charging-process.ts", import.meta.url), {
    env: { ...process.env, STORE: store, ...(killAt !== "" && { KILL_AT: killAt }) },
    stdio: ["ignore", "inherit", "inherit", "ipc"],
    serialization: "advanced",
  });
  const pending = new Map<number, { resolve: (outcome: Answer) => void; reject: (error: Error) => void }>();
  const gone = once(child, "exit").then(() => {
    for (const { reject } of pending.values()) reject(new Error("the process is gone"));
    pending.clear();
  });
  const ready = Promise.withResolvers<void>();
  child.on("message", (message: FromProcess) => {
    if (message === "ready") return ready.resolve();
    const waiting = pending.get(message.id);
    pending.delete(message.id);
    if (message.error !== undefined) waiting?.reject(new Error(message.error));
    else waiting?.resolve(message.outcome as Answer);
  });
  await Promise.race([
    ready.promise,
    gone.then(() => {
      throw new Error(`the process over ${store} ended before it was ready`);
    }),
  ]);
  const kill = async (): Promise<void> => {
    child.kill("SIGKILL");
    await gone;
  };
  let ids = 0;
  const send = (message: ToProcess): void => {
    // A process that has just died says so by exiting; sending to it fails in silence.
    if (child.connected) child.send(message, () => {});
  };
  return {
    gone,
    ask: (order) =>
      new Promise((resolve, reject) => {
        const id = ++ids;
        pending.set(id, { resolve, reject });
        if (!child.connected) reject(new Error("the process is gone"));
        send({ id, order });
      }),
    kill,
    [Symbol.asyncDispose]: kill,
    stop: async () => {
      send("stop");
      await gone;
    },
  };
}
