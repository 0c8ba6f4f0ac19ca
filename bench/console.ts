/**
 * Whether the map of the console stays smooth: 35,628 real areas as a reference layer, panned and zoomed in Chromium.
 *
 *   GROUNDRULE_REAL_DATA=… node bench/console.ts [--rounds N]
 *
 * `groundrule serve` in a process of its own, at its usual limits; the page as it is built. A round drags the map five
 * times and turns the wheel eight times, some ten seconds. Told of the page's main thread:
 *   tasks     what ran in one piece, from Chromium's trace: the longest, and how many took more than 50 ms, of CPU and
 *             by the clock, which counts what else the machine did meanwhile
 *   frames    from one frame to the next, median and 95th percentile
 *   busy      CPU time over wall time
 *
 * Where Chromium has no GPU, SwiftShader draws on the cores that everything shares: frames are rarer than on a real
 * machine, while the main thread's own tasks are as long as anywhere.
 */

import { execFile, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { createReadStream, existsSync, readFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { parseArgs, promisify } from "node:util";
import { crc32 } from "node:zlib";
import { crsTable } from "@groundrule/crs";
import { buildSnapshot, parseSource } from "@groundrule/ingest";
import { installEdition } from "@groundrule/node";
import { chromium } from "playwright-core";
import { withTemporaryFolder } from "../apps/api/test/temporary-folder.ts";
import { findChromium, NO_CHROMIUM, openPage } from "../tools/browser/browser.ts";
import { explore, type Smoothness, settled } from "./console/explore.ts";

const { values } = parseArgs({ options: { rounds: { type: "string", default: "3" } } });
const root = join(import.meta.dirname, "..");
const COMMAND = join(root, "apps/cli/src/main.ts");
const SOURCE = "amazon_mining_scars_2019_2025";
const RULESET = {
  name: "mining",
  sets: { scars: { sources: ["amw:mining_scars"] } },
  checks: [
    { id: "scar", set: "scars", measure: "overlap_area_m2", op: ">", value: 0, outcome: "NON_COMPLIANT" },
  ],
};

/** What draws WebGL in the page. */
const RENDERER = `(() => {
  const gl = document.createElement("canvas").getContext("webgl2");
  const info = gl?.getExtension("WEBGL_debug_renderer_info");
  return info ? gl.getParameter(info.UNMASKED_RENDERER_WEBGL) : "unknown";
})()`;

/**
 * Without a GPU Chromium would put pages together on the CPU, and read every picture of the map back for it while the
 * main thread waits. These have it use SwiftShader as it uses a GPU.
 */
const DRAWN_AS_USUAL = ["--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist"];

const folder = process.env.GROUNDRULE_REAL_DATA;
if (folder === undefined || !existsSync(folder)) {
  console.log("GROUNDRULE_REAL_DATA names no folder: nothing was measured.");
} else if (findChromium() === undefined) {
  console.log(`${NO_CHROMIUM}: nothing was measured.`);
} else {
  await promisify(execFile)(process.execPath, [join(root, "apps/console/build.ts")]);
  await withTemporaryFolder(async (dir) => {
    const areas = await install(join(dir, "data"), folder);
    console.log(`node ${process.version}, ${cpus().length} cores, load ${loadavg()[0]!.toFixed(1)}`);
    await withService(dir, (page) => measure(page, areas));
  });
}

/** Builds the snapshot of the source; returns how many areas it has. */
async function install(data: string, files: string): Promise<number> {
  const sources = join(root, "data/sources");
  const { manifest } = parseSource(JSON.parse(readFileSync(join(sources, `${SOURCE}.json`), "utf8")));
  const { file, report } = await buildSnapshot(
    createReadStream(join(files, `${SOURCE}.geojson.gz`), { highWaterMark: 1 << 20 }),
    manifest,
    {
      sha256: () => createHash("sha256"),
      crc32,
      crs: crsTable,
      openPolygons: (named) => createReadStream(join(sources, named)),
    },
  );
  await installEdition(data, file, { left_out: report.left_out.length });
  return report.stored;
}

/** Serves the folder and hands in the address of the page, with a key. */
async function withService(dir: string, action: (page: string) => Promise<void>): Promise<void> {
  const data = ["--data", join(dir, "data")];
  const groundrule = async (...args: string[]): Promise<string> =>
    (await promisify(execFile)(process.execPath, [COMMAND, ...args, ...data])).stdout;
  const { org_id } = JSON.parse(await groundrule("org", "create", "Bench", "--quota", "1000"));
  const { key } = JSON.parse(await groundrule("key", "create", "--org", org_id));
  const server = spawn(process.execPath, [COMMAND, "serve", ...data, "--port", "0"], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  const ended = once(server, "exit");
  try {
    const [line] = await Promise.race([
      once(createInterface(server.stdout), "line"),
      ended.then(([code]) => Promise.reject(new Error(`the service ended with ${code}`))),
    ]);
    const url = /http:\S+/.exec(line)![0];
    const stored = await fetch(`${url}/v1/rulesets`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify(RULESET),
    });
    if (!stored.ok) throw new Error(await stored.text());
    await action(`${url}/console/#key=${key}&ruleset=${RULESET.name}`);
  } finally {
    server.kill("SIGINT");
    await ended;
  }
}

async function measure(address: string, areas: number): Promise<void> {
  const browser = await chromium.launch({ executablePath: findChromium()!, args: [...DRAWN_AS_USUAL] });
  try {
    const { page, said, requested } = await openPage(browser, address);
    await settled(page);
    const renderer = await page.evaluate(RENDERER);
    console.log(`chromium ${browser.version()}, drawn by ${renderer}`);
    console.log(`${areas} areas; ${requested.length} requests until the first view was drawn`);
    for (let round = 1; round <= Number(values.rounds); round++) {
      tell(round, await explore(page));
    }
    const tiles = requested.filter((url) => url.includes("/tiles/")).length;
    if (tiles === 0) throw new Error("the page asked for no tile: nothing was measured");
    console.log(`${tiles} tiles asked for, ${said.length} warnings of the page`);
    for (const line of said.filter((text) => !text.includes("GPU stall")).slice(0, 5))
      console.log(`  ${line}`);
  } finally {
    await browser.close();
  }
}

function tell(round: number, { tasks, framesMs, wallMs }: Smoothness): void {
  const sorted = framesMs.toSorted((a, b) => a - b);
  const at = (share: number) => (sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(0);
  const longest = (of: "cpuMs" | "wallMs") => Math.max(...tasks.map((task) => task[of])).toFixed(1);
  const above = (of: "cpuMs" | "wallMs") => tasks.filter((task) => task[of] > 50).length;
  const busyMs = tasks.reduce((sum, { cpuMs }) => sum + cpuMs, 0);
  console.log(
    [
      `round ${round}: ${(wallMs / 1000).toFixed(1)} s`,
      `longest task ${longest("cpuMs")} ms of CPU, ${longest("wallMs")} ms by the clock`,
      `above 50 ms: ${above("cpuMs")} of CPU, ${above("wallMs")} by the clock`,
      `frames ${at(0.5)} ms, p95 ${at(0.95)} ms`,
      `main thread busy ${((100 * busyMs) / wallMs).toFixed(0)} %`,
    ].join("; "),
  );
}
