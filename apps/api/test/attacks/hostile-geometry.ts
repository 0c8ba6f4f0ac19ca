import { Agent, request } from "node:http";
import { type ServedProcess, withServedProcess } from "../served-process.ts";
import { heldFigures, quantile, rounded } from "./figures.ts";
import { hostilePlots } from "./hostile-plots.ts";
import { HARMLESS, hostileEditions, RULESET } from "./hostile-world.ts";

const SMALL = JSON.stringify({ input: { geometry: HARMLESS } });

/** Every way a plot can be asked about, its body as text around it. */
const QUESTIONS: Readonly<Record<string, (plot: string) => string>> = {
  "/v1/intersections": (plot) => `{"input":{"geometry":${plot}}}`,
  "/v1/distance": (plot) => `{"input":{"geometry":${plot},"max_distance_m":10000}}`,
  "/v1/evaluate": (plot) => `{"input":{"geometry":${plot}},"ruleset":${JSON.stringify(RULESET)}}`,
  "/v1/validate": (plot) => `{"geometry":${plot}}`,
};

export interface GeometryAllowance {
  /** From the first byte sent to the last received. */
  readonly answerMs: number;
  /** The 99th percentile of somebody else's small requests meanwhile. */
  readonly otherP99Ms: number;
}

/** Beyond a second a worker is ended; what is left is the way there and back. */
export const ASKED_OF_GEOMETRY: GeometryAllowance = { answerMs: 1_500, otherP99Ms: 100 };

/**
 * T-27. The worst plots, one after the other, while a second client asks about a small one: each is
 * answered, or refused as the caller's fault, or given up as documented.
 *
 * @param percent of the sizes asked: 100 sends plots of 99,990 positions
 */
export function sendHostileGeometry(
  percent: number,
  seed: number,
  allowed: GeometryAllowance = ASKED_OF_GEOMETRY,
): Promise<object> {
  return withServedProcess({ editions: hostileEditions() }, async (served) => {
    const figures: Record<string, object> = {};
    const over: string[] = [];
    const others = askSteadily(served);
    await others.settle();
    const quiet = others.take();
    const worst = { name: "", p99Ms: 0 };
    for (const [name, write] of Object.entries(hostilePlots(percent / 100, seed))) {
      const answers: Record<string, string> = {};
      const plot = write();
      await others.settle();
      others.take();
      for (const [path, bodyOf] of Object.entries(QUESTIONS)) {
        const { status, code, milliseconds } = await ask(served, path, bodyOf(plot));
        answers[path.slice("/v1/".length)] = `${status} ${code} ${rounded(milliseconds)} ms`;
        if (!isDocumented(status, code)) over.push(`${name}, ${path}: ${status} ${code}`);
        if (milliseconds > allowed.answerMs) over.push(`${name}, ${path}: ${rounded(milliseconds)} ms`);
      }
      const waits = others.take();
      const p99Ms = quantile(waits, 0.99);
      if (p99Ms > worst.p99Ms) Object.assign(worst, { name, p99Ms });
      if (p99Ms > allowed.otherP99Ms) over.push(`${name}: others waited ${rounded(p99Ms)} ms`);
      figures[name] = { ...answers, othersP99Ms: rounded(p99Ms), othersMaxMs: rounded(quantile(waits, 1)) };
    }
    await others.stop();
    const failed = others.failures();
    if (failed.length > 0) over.push(`others were answered ${failed.join(", ")}`);
    if (/INTERNAL_ERROR|"level":"error"/.test(served.log())) over.push("an error of ours was logged");
    const summary = {
      othersAloneP99Ms: rounded(quantile(quiet, 0.99)),
      othersWorst: `${rounded(worst.p99Ms)} ms, ${worst.name}`,
    };
    return heldFigures({ ...figures, summary }, over);
  });
}

/** T-36. How long the thread that speaks HTTP was held by the worst plots, and by bodies as large as allowed. */
export function measureEventLoop(percent: number, seed: number, allowedMs = 30): Promise<object> {
  return withServedProcess({ editions: hostileEditions() }, async (served) => {
    const figures: Record<string, string> = {};
    const over: string[] = [];
    const others = askSteadily(served);
    await others.settle();
    await served.watched();
    const measure = async (name: string, path: string, body: string): Promise<void> => {
      await others.settle();
      await served.watched();
      const { status, code } = await ask(served, path, body);
      const { maxDelayMs, p99DelayMs } = await served.watched();
      figures[name] =
        `max ${rounded(maxDelayMs)} ms, p99 ${rounded(p99DelayMs)} ms; ${body.length} bytes: ${status} ${code}`;
      if (!isDocumented(status, code)) over.push(`${name}: ${status} ${code}`);
      if (maxDelayMs > allowedMs) over.push(`${name}: ${rounded(maxDelayMs)} ms`);
    };
    await others.settle();
    const { maxDelayMs, p99DelayMs } = await served.watched();
    figures["small requests alone"] = `max ${rounded(maxDelayMs)} ms, p99 ${rounded(p99DelayMs)} ms`;
    for (const [name, write] of Object.entries(hostilePlots(percent / 100, seed))) {
      const plot = write();
      for (const [path, bodyOf] of Object.entries(QUESTIONS)) {
        await measure(`${name}, ${path}`, path, bodyOf(plot));
      }
    }
    for (const [name, path, body] of largeBodies((10 * 1024 * 1024 * percent) / 100)) {
      await measure(`${name}, ${path}`, path, body);
    }
    await others.stop();
    return heldFigures(figures, over);
  });
}

/** Bodies of that many bytes at most, each large in another way. */
function largeBodies(bytes: number): [name: string, path: string, body: string][] {
  const filled = (before: string, part: (i: number) => string, after: string): string => {
    const parts = [before];
    let length = before.length + after.length;
    for (let i = 0; ; i++) {
      const next = (i === 0 ? "" : ",") + part(i);
      length += next.length;
      if (length > bytes) return [...parts, after].join("");
      parts.push(next);
    }
  };
  const small = JSON.stringify(HARMLESS);
  const unread = `{"input":{"geometry":${small.slice(0, -1)},"unread":`;
  const circle = (i: number) => {
    const angle = (2 * Math.PI * i) / 100_000;
    return `[${(4 * Math.cos(angle)).toFixed(15)},${(4 * Math.sin(angle)).toFixed(15)}]`;
  };
  const round = Array.from({ length: 99_999 }, (_, i) => circle(i).padEnd(Math.floor(bytes / 100_200))).join(
    ",",
  );
  return [
    [
      "positions up to the limit, spaces between",
      "/v1/intersections",
      `{"input":{"geometry":{"type":"Polygon","coordinates":[[${round},${circle(0)}]]}}}`,
    ],
    ["one long text", "/v1/intersections", `${unread}"${"x".repeat(bytes - unread.length - 5)}"}}}`],
    [
      "one long text, escaped",
      "/v1/intersections",
      `${unread}"${"\\u0061".repeat((bytes - unread.length - 5) / 6)}"}}}`,
    ],
    ["members", "/v1/intersections", `${filled(`${unread}{`, (i) => `"${i}":0`, "}}}}")}`],
    ["empty arrays", "/v1/intersections", filled(`${unread}[`, () => "[]", "]}}}")],
    ["numbers", "/v1/intersections", filled(`${unread}[`, (i) => `${i / 7}`, "]}}}")],
    ["white space", "/v1/intersections", `${" ".repeat(bytes - SMALL.length)}${SMALL}`],
    [
      "too many positions",
      "/v1/intersections",
      filled(`{"input":{"geometry":{"type":"Polygon","coordinates":[[`, circle, "]]}}}"),
    ],
    ["unknown members", "/v1/evaluate", filled(`{"input":{},`, (i) => `"m${i}":0`, "}")],
    [
      "checks",
      "/v1/evaluate",
      filled(
        `{"input":{},"ruleset":{"sets":{"all":{"sources":["demo:hostile"]}},"checks":[`,
        (i) => `{"id":"c${i}","set":"all","outcome":"NOTICE"}`,
        "]}}",
      ),
    ],
    [
      "sets",
      "/v1/rulesets",
      filled(`{"name":"large","sets":{`, (i) => `"s${i}":{"sources":["demo:hostile"]}`, `},"checks":[]}`),
    ],
    [
      "identifiers",
      "/v1/evaluate",
      filled(`{"ruleset":{},"input":{"scheme":[`, (i) => `{"type":"br:cnpj","value":"${i}"}`, "]}}"),
    ],
    [
      "geometries",
      "/v1/validate",
      filled(`{"geometry":{"type":"GeometryCollection","geometries":[`, () => small, "]}}"),
    ],
  ];
}

const REFUSALS = new Set(["EVALUATION_ABORTED", "OVERLOADED"]);

function isDocumented(status: number, code: string): boolean {
  return status === 200 || status === 400 || status === 422 || (status === 503 && REFUSALS.has(code));
}

interface Asked {
  readonly status: number;
  readonly code: string;
  readonly milliseconds: number;
}

const KEPT = new Agent({ keepAlive: true });

function ask(served: ServedProcess, path: string, body: string): Promise<Asked> {
  return new Promise((resolve, reject) => {
    const started = performance.now();
    const sent = request(
      served.url + path,
      {
        method: "POST",
        agent: KEPT,
        headers: {
          Authorization: `Bearer ${served.key}`,
          "Content-Type": "application/json",
          "Content-Length": Buffer.byteLength(body),
        },
      },
      (answer) => {
        const chunks: Buffer[] = [];
        answer.on("data", (chunk: Buffer) => chunks.push(chunk));
        answer.on("end", () => {
          const text = Buffer.concat(chunks).toString();
          const status = answer.statusCode ?? 0;
          const [, code = ""] = status === 200 ? [] : (/"code":"([A-Z_]+)"/.exec(text) ?? []);
          resolve({ status, code, milliseconds: performance.now() - started });
        });
      },
    );
    sent.on("error", reject);
    sent.end(body);
  });
}

const SMALL_EVERY_MS = 5;

/** A second client: one small request after the other, until it is stopped. */
function askSteadily(served: ServedProcess) {
  let waits: number[] = [];
  const failures: string[] = [];
  const over = new AbortController();
  const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
  const running = (async () => {
    while (!over.signal.aborted) {
      const { status, code, milliseconds } = await ask(served, "/v1/intersections", SMALL);
      if (status !== 200) failures.push(`${status} ${code}`);
      waits.push(milliseconds);
      await pause(SMALL_EVERY_MS);
    }
  })();
  return {
    /** What was waited since this was last asked, milliseconds. */
    take: (): number[] => {
      const taken = waits;
      waits = [];
      return taken;
    },
    settle: () => pause(150),
    failures: () => failures,
    stop: async () => {
      over.abort();
      await running;
    },
  };
}
