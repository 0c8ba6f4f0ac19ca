import { threadId } from "node:worker_threads";
import { serveTasks } from "../src/threads/serve-tasks.ts";

export type MoodyTask = { /** Units of work that it counts. Default none. */ readonly units?: number } & (
  | { readonly do: "echo"; readonly value: unknown }
  | { readonly do: "spin"; readonly ms: number }
  /** Uses that much CPU time, however long it takes. */
  | { readonly do: "work"; readonly ms: number }
  /** Takes no CPU. */
  | { readonly do: "wait"; readonly ms: number }
  /** Waits until the gate's only number is not 0. */
  | { readonly do: "hold"; readonly gate: Int32Array }
  | { readonly do: "exit" }
  | { readonly do: "throw" }
);

export interface MoodyResult {
  readonly value: unknown;
  readonly settings: string;
  readonly threadId: number;
}

const NOTHING = new Int32Array(new SharedArrayBuffer(4));

// A worker that follows its orders, well or badly.
const open = (settings: string) => {
  if (settings === "refuse to start") throw new Error("no engine here");
  return (task: MoodyTask): MoodyResult => {
    if (task.do === "exit") process.exit(7);
    if (task.do === "throw") throw new Error("a bug");
    if (task.do === "spin") for (const end = performance.now() + task.ms; performance.now() < end; );
    if (task.do === "work") for (const end = getCpuMs() + task.ms; getCpuMs() < end; );
    if (task.do === "hold") Atomics.wait(task.gate, 0, 0);
    if (task.do === "wait") Atomics.wait(NOTHING, 0, 0, task.ms);
    return { value: task.do === "echo" ? task.value : null, settings, threadId };
  };
};
serveTasks(open, ({ units = 0 }: MoodyTask) => units);

function getCpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
