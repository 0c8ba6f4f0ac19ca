import {
  type Callers,
  collectAnswers,
  listAnswerFaults,
  startSingleCaller,
} from "../overload/raw-callers.ts";
import { type ServedProcess, withServedProcess } from "../served-process.ts";
import { computeQuantile, requireNothingOver, roundToTenth } from "./figures.ts";
import { makeHostilePlots } from "./hostile-plots.ts";
import { HARMLESS, makeHostileEditions, RULESET } from "./hostile-world.ts";
import { postJsonText } from "./post-text.ts";

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
const GEOMETRY_ALLOWANCE: GeometryAllowance = { answerMs: 1_500, otherP99Ms: 100 };

/**
 * T-27. The worst plots, one after the other, while a second client asks about a small one: each is
 * answered, or refused as the caller's fault, or given up as documented.
 *
 * @param percent of the sizes asked: 100 sends plots of 99,990 positions
 */
export function sendHostileGeometry(
  percent: number,
  seed: number,
  allowed: GeometryAllowance = GEOMETRY_ALLOWANCE,
): Promise<object> {
  return withServedProcess({ editions: makeHostileEditions() }, async (served) => {
    const figures: Record<string, string> = {};
    const over: string[] = [];
    const others = await createSecondClient(served);
    const quiet = (await collectAnswers(others, 100)).waits;
    const busy: number[] = [];
    for (const [name, write] of Object.entries(makeHostilePlots(percent / 100, seed))) {
      const plot = write();
      await others.called();
      const answers: string[] = [];
      for (const [path, bodyOf] of Object.entries(QUESTIONS)) {
        const { status, code, milliseconds } = await postJsonText(
          served.url + path,
          served.key,
          bodyOf(plot),
        );
        answers.push(
          `${path.slice("/v1/".length)} ${code === "" ? status : code} ${Math.round(milliseconds)} ms`,
        );
        if (!isDocumented(status, code)) over.push(`${name}, ${path}: ${status} ${code}`);
        if (milliseconds > allowed.answerMs) over.push(`${name}, ${path}: ${roundToTenth(milliseconds)} ms`);
      }
      const heard = await collectAnswers(others, 1);
      const { waits } = heard;
      busy.push(...waits);
      figures[name] = `${answers.join(", ")}; others at most ${roundToTenth(computeQuantile(waits, 1))} ms`;
      over.push(...listAnswerFaults(heard).map((answer) => `${name}: others were answered ${answer}`));
    }
    await others.stop();
    const inQuiet = `p99 ${roundToTenth(computeQuantile(quiet, 0.99))}, at most ${roundToTenth(computeQuantile(quiet, 1))} ms`;
    const p99Ms = computeQuantile(busy, 0.99);
    figures.others = `${inQuiet} alone; p99 ${roundToTenth(p99Ms)}, at most ${roundToTenth(computeQuantile(busy, 1))} ms beside all this`;
    if (p99Ms > allowed.otherP99Ms) over.push(`others waited ${roundToTenth(p99Ms)} ms`);
    if (/INTERNAL_ERROR|"level":"error"/.test(served.log())) over.push("an internal error was logged");
    return requireNothingOver(figures, over);
  });
}

/**
 * T-36. How long the thread that speaks HTTP was held by the worst plots, and by bodies as large as allowed.
 *
 * @param allowedMs of CPU in one turn of its event loop
 */
export function measureEventLoop(percent: number, seed: number, allowedMs = 30): Promise<object> {
  return withServedProcess({ editions: makeHostileEditions() }, async (served) => {
    const figures: Record<string, string> = {};
    const over: string[] = [];
    const others = await createSecondClient(served);
    const { maxDelayMs, p99DelayMs } = await served.watched();
    figures["small requests alone"] =
      `max ${roundToTenth(maxDelayMs)} ms, p99 ${roundToTenth(p99DelayMs)} ms`;
    const measure = async (name: string, path: string, body: string): Promise<string> => {
      await served.watched();
      const { status, code } = await postJsonText(served.url + path, served.key, body);
      const { maxDelayMs, p99DelayMs, maxTurnCpuMs } = await served.watched();
      if (!isDocumented(status, code)) over.push(`${name}, ${path}: ${status} ${code}`);
      if (maxTurnCpuMs > allowedMs) over.push(`${name}, ${path}: ${roundToTenth(maxTurnCpuMs)} ms of CPU`);
      const answer = code === "" ? status : code;
      return `${path.slice("/v1/".length)} ${roundToTenth(maxDelayMs)} (p99 ${roundToTenth(p99DelayMs)}, CPU ${roundToTenth(maxTurnCpuMs)}) ms ${answer}`;
    };
    for (const [name, write] of Object.entries(makeHostilePlots(percent / 100, seed))) {
      const plot = write();
      const answers: string[] = [];
      // The operation that does most with a plot, and the one that does least.
      for (const path of ["/v1/evaluate", "/v1/validate"]) {
        answers.push(await measure(name, path, QUESTIONS[path]!(plot)));
      }
      figures[name] = answers.join(", ");
    }
    const bytes = Math.floor((10 * 1024 * 1024 * percent) / 100);
    for (const [name, path, body] of makeLargeBodies(bytes)) {
      figures[`${name}, ${body.length} bytes`] = await measure(name, path, body);
    }
    await others.stop();
    return requireNothingOver(figures, over);
  });
}

/** Already asking; its first questions, which start the workers, are behind it. */
async function createSecondClient(served: ServedProcess): Promise<Callers> {
  const { port, key } = served;
  const client = await startSingleCaller({ port, key, path: "/v1/intersections", body: SMALL });
  await collectAnswers(client, 100);
  await served.watched();
  return client;
}

/** Bodies of that many bytes at most, each large in another way. */
function makeLargeBodies(bytes: number): [name: string, path: string, body: string][] {
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
  const round = Array.from({ length: 99_999 }, (_, i) =>
    circle(i).padEnd(Math.floor(bytes / 100_000) - 1),
  ).join(",");
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
