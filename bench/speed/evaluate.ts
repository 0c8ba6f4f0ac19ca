/**
 * Measures the cost of an evaluation in process, from the JSON of a request to the JSON of its answer. A plot of 51
 * positions and a ruleset of 5 checks on the demo's sources, as a worker of the service does it: read strictly,
 * recognised by its fingerprint, checked, evaluated and written down, with all digests. CPU time of the thread, median
 * over rounds; then what takes it, by samples of the stack.
 *
 *     node bench/speed/evaluate.ts
 */
import { mkdtempSync, rmSync } from "node:fs";
import { Session } from "node:inspector/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildDemo } from "../../data/demo/index.ts";
import { openData } from "../../packages/node/src/open-data.ts";
import { Answerer } from "../../packages/service/src/answerer.ts";
import { NODE_HOST } from "../../packages/service/src/node-host.ts";
import type { BodyTask } from "../../packages/service/src/task/body-task.ts";
import { buildEvaluateBody } from "../http/body.ts";
import { computeMedian } from "../measure.ts";
import {
  buildMaximumRow,
  buildRowWithoutGoal,
  runMeasurementAlone,
  type SpeedResult,
  type SpeedRow,
} from "./row.ts";

const TURNS = 2_000;
const ROUNDS = 15;
const WARM_UP = 3;
const PROFILED_TURNS = 20_000;
const SAMPLE_MICROSECONDS = 200;
const GOAL_MICROSECONDS = 70;

/** Parts of the time by the place of a function in the code; the first match counts. */
const PARTS: readonly (readonly [part: string, where: RegExp])[] = [
  ["garbage", /^\(garbage collector\)/],
  ["digests (SHA-256)", / node:internal\/crypto\/hash/],
  [
    "reading and checking the body",
    /engine\/src\/base\/(?:clean|strict)-json|service\/src\/body\/(?:read|parse)|contract\/src|\/zod\//,
  ],
  [
    "canonical JSON and the answer's text",
    /engine\/src\/verdict\/(?:canonical|decisive)-json|bounded-json|service\/src\/body/,
  ],
  ["reading the plot", /engine\/src\/geometry\/plot\//],
  ["kernel", /engine\/src\/geometry\//],
  ["coverage", /engine\/src\/sources\/plot-coverage/],
  ["selecting, judging and evidence", /engine\/src\/(?:ruleset|sources|subjects|snapshot|verdict)\//],
];

async function measureEvaluate(): Promise<SpeedResult> {
  const dir = mkdtempSync(join(tmpdir(), "groundrule-bench-"));
  try {
    const { plots } = await buildDemo(dir);
    const turn = createAnswerTurn(dir, buildEvaluateBody(plots[0]!.geometry));
    const rounds = Array.from({ length: WARM_UP + ROUNDS }, () => measureTurnMicros(turn, TURNS));
    const median = computeMedian(rounds.slice(WARM_UP));
    const figure = "evaluate, 5 checks, 51 positions, in process, JSON in and out, CPU time";
    return [buildMaximumRow(figure, median, GOAL_MICROSECONDS, "µs"), ...(await measureTimeShares(turn))];
  } finally {
    rmSync(dir, { recursive: true });
  }
}

/** A request from its bytes to its answer. */
function createAnswerTurn(dir: string, body: string): () => void {
  const answerer = new Answerer(openData(dir).engine, NODE_HOST);
  const task: BodyTask = {
    step: "answer",
    route: "/v1/evaluate",
    body,
    query: { evidence_limit: 20, lint: false, explain: false },
    mediaType: "application/json",
    requestId: "req_bench",
    engineVersion: "bench",
    now: "2026-11-20T10:00:00.000Z",
    organization: "bench",
    mode: "live",
  };
  return () => {
    const answered = answerer.answer(task);
    if (answered.kind !== "answered" || !answered.complete)
      throw new Error(`the request was ${answered.kind}`);
  };
}

function measureTurnMicros(turn: () => void, turns: number): number {
  const before = process.threadCpuUsage();
  for (let i = 0; i < turns; i++) turn();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / turns;
}

/** The share of time per part: each sample counts for the innermost function that belongs to a part. */
async function measureTimeShares(turn: () => void): Promise<SpeedRow[]> {
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.setSamplingInterval", { interval: SAMPLE_MICROSECONDS });
  await session.post("Profiler.start");
  for (let i = 0; i < PROFILED_TURNS; i++) turn();
  const { profile } = await session.post("Profiler.stop");
  session.disconnect();
  const partOf = new Map<number, string | undefined>();
  const visit = (id: number, around: string | undefined): void => {
    const { callFrame, children = [] } = nodes.get(id)!;
    const where = `${callFrame.functionName} ${callFrame.url}`;
    const part = PARTS.find(([, place]) => place.test(where))?.[0] ?? around;
    partOf.set(id, part);
    for (const child of children) visit(child, part);
  };
  const nodes = new Map(profile.nodes.map((node) => [node.id, node]));
  visit(profile.nodes[0]!.id, undefined);
  const counts = new Map<string, number>();
  let counted = 0;
  for (const sample of profile.samples ?? []) {
    const part = partOf.get(sample);
    if (part === undefined && !/evaluate|answer/.test(nodes.get(sample)!.callFrame.url)) continue;
    counted++;
    counts.set(part ?? "the rest", (counts.get(part ?? "the rest") ?? 0) + 1);
  }
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .map(([part, count]) => buildRowWithoutGoal(`… of it ${part}`, Math.round((100 * count) / counted), "%"));
}

await runMeasurementAlone(import.meta, measureEvaluate);
