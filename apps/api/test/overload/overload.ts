import { createSmallWorldFiles } from "@groundrule/testing/small-world";
import { computeQuantile, requireNothingOver, roundToTenth } from "../attacks/figures.ts";
import { type ServedProcess, withServedProcess } from "../served-process.ts";
import { type Called, type CallersOptions, startCallers } from "./raw-callers.ts";

export interface OverloadOptions {
  /** Connections of the greedy organization; the first is what the peak is taken at. */
  readonly connections: readonly number[];
  readonly seconds: number;
  readonly manners?: readonly CallersOptions["manner"][];
}

/** Least share of the peak that is still charged, and how long the polite organization waits at most. */
const REQUIRED = { goodput: 0.8, politeP99Ms: 300 };

const WARM_UP_SECONDS = 4;

/**
 * One organization asks over many connections without a pause; another asks politely, forty times a
 * second. More than can be done is asked for in the later steps: what is done must not become less for
 * it, and the polite one must not notice. Who asks shares the machine's cores with the service.
 */
export async function runOverload({
  connections,
  seconds,
  manners = ["at once", "as allowed"],
}: OverloadOptions): Promise<object> {
  const figures: Record<string, object> = {};
  const over: string[] = [];
  for (const manner of manners) {
    await withServedProcess({ editions: createSmallWorldFiles(), organizations: 2 }, async (served) => {
      let peak = 0;
      for (const count of connections) {
        const { goodput, ...step } = await measureOverload(served, count, manner, seconds);
        peak = Math.max(peak, goodput);
        const share = goodput / peak;
        const name = `${count} connections, again ${manner}`;
        figures[name] = { goodput: Math.round(goodput), share: roundToTenth(100 * share), ...step };
        if (share < REQUIRED.goodput) over.push(`${name}: ${roundToTenth(100 * share)} % of the peak`);
        if (step.politeP99Ms > REQUIRED.politeP99Ms) over.push(`${name}: ${step.politeP99Ms} ms`);
        if (step.politeRefused > 0) over.push(`${name}: ${step.politeRefused} of the polite refused`);
      }
    });
  }
  return requireNothingOver(figures, over);
}

async function measureOverload(
  { port, keys, watched }: ServedProcess,
  connections: number,
  manner: CallersOptions["manner"],
  seconds: number,
) {
  const common = { port, path: "/v1/evaluate", body: BODY };
  const greedy = await startCallers({ ...common, key: keys[0]!, connections, manner });
  const polite = await startCallers({
    ...common,
    key: keys[1]!,
    connections: 2,
    manner: "as allowed",
    pauseMs: 50,
  });
  try {
    await sleepSeconds(WARM_UP_SECONDS);
    await Promise.all([greedy.called(), polite.called(), watched()]);
    await sleepSeconds(seconds);
    const [much, little, seen] = await Promise.all([greedy.called(), polite.called(), watched()]);
    const perSecond = (count: number) => count / much.seconds;
    const charged = much.answers[200] ?? 0;
    return {
      goodput: perSecond(charged + (little.answers[200] ?? 0)),
      cpuMicrosecondsACharge: Math.round(seen.cpuMicroseconds / (charged + (little.answers[200] ?? 0))),
      loopP99Ms: roundToTenth(seen.p99DelayMs),
      peakMB: Math.round(seen.peakBytes / 1e6),
      refusedPerSecond: Math.round(perSecond(sumAnswers(much) - charged)),
      broken: much.broken,
      greedyP50Ms: roundToTenth(computeQuantile(much.waits, 0.5)),
      politeP50Ms: roundToTenth(computeQuantile(little.waits, 0.5)),
      politeP99Ms: roundToTenth(computeQuantile(little.waits, 0.99)),
      politeAnswered: little.answers[200] ?? 0,
      politeRefused: sumAnswers(little) - (little.answers[200] ?? 0) + little.broken,
    };
  } finally {
    await Promise.all([greedy.stop(), polite.stop()]);
  }
}

function sumAnswers({ answers }: Called): number {
  return Object.values(answers).reduce((sum, count) => sum + count, 0);
}

function sleepSeconds(seconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 1_000 * seconds));
}

/** A plot of 51 positions, asked about by four checks. */
const BODY = JSON.stringify({
  input: { geometry: makeRoundPlot(0.03, 0.05) },
  ruleset: {
    sets: {
      parks: { sources: ["demo:parks"] },
      near: { sources: ["demo:parks"], within_m: 10_000 },
      lands: { sources: ["demo:lands"] },
      both: { intersection: ["parks", "lands"] },
    },
    checks: [
      { id: "park", set: "parks", measure: "overlap_ratio", value: 0.001, outcome: "NON_COMPLIANT" },
      { id: "near", set: "near", outcome: "WARNING" },
      { id: "land", set: "lands", measure: "overlap_area_m2", value: 5_000, outcome: "NON_COMPLIANT" },
      { id: "both", set: "both", measure: "overlap_area_m2", outcome: "NOTICE" },
    ],
  },
});

/** 50 vertices, the first repeated at the end: about 300 m around a centre. */
function makeRoundPlot(longitude: number, latitude: number): object {
  const ring = Array.from({ length: 50 }, (_, i) => {
    const angle = (i / 50) * 2 * Math.PI;
    return [longitude + 0.003 * Math.cos(angle), latitude + 0.003 * Math.sin(angle)];
  });
  return { type: "Polygon", coordinates: [[...ring, ring[0]]] };
}
