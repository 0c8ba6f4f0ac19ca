import type { Page } from "playwright-core";

/** A task of a page's main thread, with the microtasks after it: what ran in one piece. */
export interface MainThreadTask {
  /** CPU time of the thread in milliseconds, which other work of the machine does not change. */
  readonly cpuMs: number;
  readonly wallMs: number;
}

interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  /** Start, microseconds. */
  readonly ts: number;
  /** CPU time of the thread, microseconds; absent if the clock does not measure it. */
  readonly tdur?: number;
  readonly dur?: number;
  readonly args?: { readonly name?: string };
}

/** Runs an action on a page, and lists the tasks of its main thread meanwhile, from Chromium's trace. */
export async function recordMainThreadTasks(
  page: Page,
  action: () => Promise<void>,
): Promise<readonly MainThreadTask[]> {
  const browser = page.context().browser()!;
  await browser.startTracing(page, { categories: ["toplevel", "devtools.timeline", "__metadata"] });
  await action();
  const { traceEvents } = JSON.parse(String(await browser.stopTracing())) as {
    readonly traceEvents: readonly TraceEvent[];
  };
  return listMainThreadTasks(traceEvents);
}

function listMainThreadTasks(events: readonly TraceEvent[]): readonly MainThreadTask[] {
  const main = new Set(
    events
      .filter(({ name, args }) => name === "thread_name" && args?.name === "CrRendererMain")
      .map(({ pid, tid }) => `${pid} ${tid}`),
  );
  const tasks: MainThreadTask[] = [];
  const ends = new Map<string, number>();
  // Microtasks are events of their own, after the task that queued them.
  for (const { ph, pid, tid, ts, tdur, dur = 0 } of events.toSorted((a, b) => a.ts - b.ts)) {
    const thread = `${pid} ${tid}`;
    if (ph !== "X" || !main.has(thread) || ts < (ends.get(thread) ?? 0)) continue;
    ends.set(thread, ts + dur);
    tasks.push({ cpuMs: (tdur ?? dur) / 1000, wallMs: dur / 1000 });
  }
  return tasks;
}
