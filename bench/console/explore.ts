import type { CDPSession, Page } from "playwright-core";

export interface Task {
  readonly cpuMs: number;
  readonly wallMs: number;
}

/** How smoothly a page ran while somebody explored its map. */
export interface Smoothness {
  /** Each task of the main thread, milliseconds: of its CPU, and by the clock. */
  readonly tasks: readonly Task[];
  /** From one frame to the next, milliseconds. */
  readonly framesMs: readonly number[];
  readonly wallMs: number;
}

/** Waits until the map has drawn all that it wants to. */
export async function settled(page: Page): Promise<void> {
  await page.locator('.map-canvas[aria-busy="false"]').waitFor({ timeout: 120_000 });
  await page.waitForTimeout(1000);
  await page.locator('.map-canvas[aria-busy="false"]').waitFor({ timeout: 120_000 });
}

/** Drags the map about and zooms in and out of it, as somebody does who looks for a place. */
export async function explore(page: Page): Promise<Smoothness> {
  const trace = await startTrace(page);
  await page.evaluate(COUNT_FRAMES);
  const started = performance.now();
  const box = (await page.locator(".map-canvas").boundingBox())!;
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  const wheel = async (steps: number, delta: number) => {
    await page.mouse.move(x, y);
    for (let step = 0; step < steps; step++) {
      await page.mouse.wheel(0, delta);
      await page.waitForTimeout(350);
    }
  };
  await wheel(4, -300);
  for (const [right, down] of [
    [-200, 60],
    [180, 120],
    [-150, -150],
    [200, 40],
    [-60, 100],
  ] as const) {
    await page.mouse.move(x, y);
    await page.mouse.down();
    for (let step = 1; step <= 15; step++) {
      await page.mouse.move(x + (right * step) / 15, y + (down * step) / 15);
      await page.waitForTimeout(16);
    }
    await page.mouse.up();
    await page.waitForTimeout(400);
  }
  await wheel(4, 300);
  const wallMs = performance.now() - started;
  const at = (await page.evaluate("countedFrames")) as number[];
  const framesMs = at.slice(1).map((time, index) => time - at[index]!);
  return { tasks: await trace(), framesMs, wallMs };
}

/** Keeps the time of every frame of the page from now on. */
const COUNT_FRAMES = `(() => {
  const counted = [];
  globalThis.countedFrames = counted;
  requestAnimationFrame(function next(at) {
    if (counted !== globalThis.countedFrames) return;
    counted.push(at);
    requestAnimationFrame(next);
  });
})()`;

interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  /** CPU time of the thread, microseconds; absent where the clock does not tell it. */
  readonly tdur?: number;
  readonly dur?: number;
  readonly args?: { readonly name?: string };
}

/** Records the page's tasks; what it returns ends the recording and tells them. */
async function startTrace(page: Page): Promise<() => Promise<Task[]>> {
  const session: CDPSession = await page.context().newCDPSession(page);
  const events: TraceEvent[] = [];
  session.on("Tracing.dataCollected", ({ value }) => {
    events.push(...(value as unknown as TraceEvent[]));
  });
  const categories = ["toplevel", "disabled-by-default-devtools.timeline", "devtools.timeline", "__metadata"];
  await session.send("Tracing.start", {
    transferMode: "ReportEvents",
    traceConfig: { includedCategories: categories },
  });
  return async () => {
    const complete = new Promise<void>((resolve) => session.once("Tracing.tracingComplete", () => resolve()));
    await session.send("Tracing.end");
    await complete;
    await session.detach();
    return mainThreadTasks(events);
  };
}

/** The tasks of the page's main thread. */
function mainThreadTasks(events: readonly TraceEvent[]): Task[] {
  const main = new Set(
    events
      .filter(({ name, args }) => name === "thread_name" && args?.name === "CrRendererMain")
      .map(({ pid, tid }) => `${pid} ${tid}`),
  );
  const tasks = events.filter(
    ({ name, ph, pid, tid }) => ph === "X" && name.endsWith("RunTask") && main.has(`${pid} ${tid}`),
  );
  return tasks.map(({ tdur, dur = 0 }) => ({ cpuMs: (tdur ?? dur) / 1000, wallMs: dur / 1000 }));
}
