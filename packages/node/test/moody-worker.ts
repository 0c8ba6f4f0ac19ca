import { threadId } from "node:worker_threads";
import { serveTasks } from "../src/serve-tasks.ts";

export type MoodyTask =
  | { readonly do: "echo"; readonly value: unknown }
  | { readonly do: "spin"; readonly ms: number }
  | { readonly do: "exit" }
  | { readonly do: "throw" };

export interface MoodyResult {
  readonly value: unknown;
  readonly settings: string;
  readonly threadId: number;
}

// A worker that does what it is told, well or badly.
serveTasks((settings: string) => {
  if (settings === "refuse to start") throw new Error("no engine here");
  return (task: MoodyTask): MoodyResult => {
    if (task.do === "exit") process.exit(7);
    if (task.do === "throw") throw new Error("a bug");
    if (task.do === "spin") for (const end = performance.now() + task.ms; performance.now() < end; );
    return { value: task.do === "echo" ? task.value : null, settings, threadId };
  };
});
