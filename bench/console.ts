/**
 * Measures if the map of the console stays smooth: 35,628 real areas as a reference layer, panned and zoomed in
 * Chromium.
 *
 *   GROUNDRULE_REAL_DATA=… node bench/console.ts [--rounds N]
 *
 * `groundrule serve` in a process of its own; the page as it is built. A round drags the map five times and turns the
 * wheel eight times, some ten seconds. Reported for the page's main thread: tasks     what ran in one piece, from
 * Chromium's trace: the longest, and how many took more than 50 ms, of CPU and by the clock, which counts what else the
 * machine did meanwhile frames    from one frame to the next, median and 95th percentile busy      CPU time over wall
 * time
 *
 * Where Chromium has no GPU, SwiftShader draws on the cores that everything shares: frames are rarer than on a real
 * machine, while the main thread's own tasks are as long as anywhere.
 */
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type Browser, chromium, type Page } from "playwright-core";
import { createCommandServer } from "../apps/api/test/processes/serve-target.ts";
import { withTemporaryFolder } from "../apps/api/test/temporary-folder.ts";
import { findChromium, NO_CHROMIUM, openPage, SHARP, WITH_WINDOW } from "../tools/browser/browser.ts";
import { getRealFolder, installRealSource } from "../tools/machine/real-data.ts";
import { describeMachine, formatMarkdownTable, quantile } from "./measure.ts";

const { values } = parseArgs({ options: { rounds: { type: "string", default: "3" } } });
const RULESET = {
  name: "mining",
  sets: { scars: { sources: ["amw:mining_scars"] } },
  checks: [
    { id: "scar", set: "scars", measure: "overlap_area_m2", op: ">", value: 0, outcome: "NON_COMPLIANT" },
  ],
};

/**
 * Without a GPU Chromium would compose pages on the CPU, and read every picture of the map back for it while the main
 * thread waits. These flags make it use SwiftShader like a GPU.
 */
const DRAWN_AS_USUAL = ["--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist"];

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

getRealFolder();
const executablePath = findChromium(WITH_WINDOW);
if (executablePath === undefined) {
  console.log(`${NO_CHROMIUM}: nothing was measured.`);
} else {
  execFileSync(process.execPath, [join(import.meta.dirname, "../apps/console/build.ts")]);
  const browser = await chromium.launch({ executablePath, args: [...DRAWN_AS_USUAL] });
  try {
    await withTemporaryFolder((dir) => measureConsole(dir, browser));
  } finally {
    await browser.close();
  }
}

async function measureConsole(dir: string, browser: Browser): Promise<void> {
  const dataFolder = join(dir, "data");
  installRealSource(dataFolder, "amazon_mining_scars_2019_2025");
  const serve = createCommandServer({ dataFolder, pepperFile: join(dir, "pepper") });
  const { key, start } = await serve(`sqlite:${join(dir, "state.db")}`, 1_000);
  const { url, stop } = await start();
  try {
    const stored = await fetch(`${url}/v1/rulesets`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify(RULESET),
    });
    if (!stored.ok) throw new Error(await stored.text());
    const address = `${url}/console/#key=${key}&ruleset=${RULESET.name}`;
    const { page, requested } = await openPage(browser, address, SHARP);
    await waitUntilSettled(page);
    const rows = [["round", "longest task, ms of CPU", "by the clock", "above 50 ms", "by the clock"]];
    rows[0]!.push("frames, ms", "95th percentile", "busy");
    for (let round = 1; round <= Number(values.rounds); round++) {
      rows.push([`${round}`, ...formatSmoothnessCells(await exploreMap(page))]);
    }
    const tiles = requested.filter((url) => url.includes("/tiles/")).length;
    if (tiles === 0) throw new Error("the page asked for no tile: nothing was measured");
    console.log(
      `${describeMachine()}; Chromium ${browser.version()}; ${tiles} tiles\n\n${formatMarkdownTable(rows)}`,
    );
  } finally {
    await stop();
  }
}

/** How smoothly a page ran while somebody explored its map. */
interface Smoothness {
  /** Each task of the main thread, milliseconds: CPU time, and wall time. */
  readonly tasks: readonly { readonly cpuMs: number; readonly wallMs: number }[];
  /** From one frame to the next, milliseconds. */
  readonly framesMs: readonly number[];
  readonly wallMs: number;
}

function formatSmoothnessCells({ tasks, framesMs, wallMs }: Smoothness): string[] {
  const [cpu, clock] = [tasks.map((task) => task.cpuMs), tasks.map((task) => task.wallMs)];
  const above = (times: readonly number[]) => `${times.filter((ms) => ms > 50).length}`;
  const busyMs = cpu.reduce((sum, ms) => sum + ms, 0);
  return [
    ...[cpu, clock].map((times) => Math.max(...times).toFixed(1)),
    ...[above(cpu), above(clock)],
    ...[0.5, 0.95].map((share) => quantile(framesMs, share).toFixed(0)),
    `${((100 * busyMs) / wallMs).toFixed(0)} %`,
  ];
}

/** Waits until the map has drawn all that it wants to. */
async function waitUntilSettled(page: Page): Promise<void> {
  const isIdle = () => page.locator('.map-canvas[aria-busy="false"]').waitFor({ timeout: 120_000 });
  await isIdle();
  await page.waitForTimeout(1000);
  await isIdle();
}

/** Drags the map about and zooms in and out of it, as somebody does who looks for a place. */
async function exploreMap(page: Page): Promise<Smoothness> {
  const browser = page.context().browser()!;
  await browser.startTracing(page, {
    categories: ["toplevel", "disabled-by-default-devtools.timeline", "devtools.timeline", "__metadata"],
  });
  await page.evaluate(COUNT_FRAMES);
  const started = performance.now();
  const box = (await page.locator(".map-canvas").boundingBox())!;
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  const wheel = async (delta: number) => {
    await page.mouse.move(x, y);
    for (let step = 0; step < 4; step++) {
      await page.mouse.wheel(0, delta);
      await page.waitForTimeout(350);
    }
  };
  await wheel(-300);
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
  await wheel(300);
  const wallMs = performance.now() - started;
  const at = (await page.evaluate("countedFrames")) as number[];
  const framesMs = at.slice(1).map((time, index) => time - at[index]!);
  const { traceEvents } = JSON.parse(String(await browser.stopTracing()));
  return { tasks: listMainThreadTasks(traceEvents), framesMs, wallMs };
}

interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  /** CPU time of the thread, microseconds; absent if the clock does not measure it. */
  readonly tdur?: number;
  readonly dur?: number;
  readonly args?: { readonly name?: string };
}

/** The tasks of the page's main thread. */
function listMainThreadTasks(events: readonly TraceEvent[]): Smoothness["tasks"] {
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
