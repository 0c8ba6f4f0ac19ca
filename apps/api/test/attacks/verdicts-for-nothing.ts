import { openEngine, type ProvidedAreas } from "@groundrule/engine";
import { ENGINE_OPTIONS, LiveSources } from "@groundrule/node";
import { hostInProcess } from "@groundrule/service";
import { AreaProvider } from "@groundrule/testing/area-provider";
import { createSmallWorldSources, createSquarePlot } from "@groundrule/testing/small-world";
import { DEFAULT_CHARGING } from "../../src/charging/charging.ts";
import { HttpCaller } from "../http.ts";
import { startService } from "../service.ts";
import { requireNothingOver } from "./figures.ts";

const MANIFEST = { source_name: "live:areas", kind: "leaf", coverage: "global", columns: {} } as const;
const TABLE = { kind: "postgis", connection: "postgresql://u@host/db", table: "t", geometry: "g" } as const;

/** Ways in which a question can have a source give nothing. */
const WAYS: Readonly<Record<string, () => Promise<ProvidedAreas>>> = {
  "asks for more than it gives": async () => ({
    excess: { unit: "areas", found: 10_001, allowed: 10_000 },
  }),
  "asks for more than is read": async () => ({
    candidates: Array.from({ length: 10_001 }, (_, i) => ({ id: `${i}`, geometry: createSquarePlot(0, 0) })),
  }),
  "takes it too long": () => new Promise(() => {}),
  "names one that is known to fail": async () => ({ failed: "it is down" }),
};

/**
 * Asks for verdicts on a stored source and has a live one give nothing, in every way and on every path, with keys and
 * without: what the stored one decides must not be had for nothing more often than is stated.
 *
 * @param perWay questions of each way
 */
export async function requestVerdictsForNothing(perWay: number): Promise<object> {
  const provider = new AreaProvider([]);
  const live = new LiveSources(() => provider);
  live.use([{ manifest: MANIFEST, provider: { ...TABLE, deadline_ms: 1 } }]);
  const engine = openEngine(
    [...createSmallWorldSources(), { manifest: MANIFEST, live: true }],
    ENGINE_OPTIONS,
  );
  const service = await startService(hostInProcess(() => engine, live));
  try {
    const caller = new HttpCaller(service);
    const input = { geometry: createSquarePlot(0.1, 0.05) };
    const sources = { sources: ["demo:parks", "live:areas"] };
    const ruleset = {
      sets: { parks: sources, near: { ...sources, within_m: 1_000_000 } },
      checks: [
        { id: "parks", set: "parks", outcome: "NON_COMPLIANT" },
        { id: "near", set: "near", outcome: "WARNING" },
      ],
    };
    const questions: readonly (readonly [path: string, body: object])[] = [
      ["/v1/evaluate", { input, ruleset }],
      ["/v1/intersections", { input }],
      ["/v1/distance", { input: { ...input, max_distance_m: 1_000_000 } }],
    ];
    const answered: Record<string, number> = {};
    const codes: Record<string, number> = {};
    let free = 0;
    for (const [way, fault] of Object.entries(WAYS)) {
      provider.fault = fault;
      answered[way] = 0;
      const ask = async (i: number): Promise<void> => {
        const [path, body] = questions[i % questions.length]!;
        const headers = i % 2 === 0 ? {} : { "Idempotency-Key": `${way.replaceAll(" ", "-")}-${i}` };
        const response = await caller.post(path, body, headers);
        if (response.ok) answered[way]!++;
        else incrementCount(codes, ((await response.json()) as { readonly code: string }).code);
      };
      await Promise.all(Array.from({ length: perWay }, (_, i) => ask(i)));
      free += answered[way]!;
    }
    provider.fault = undefined;
    const paid = await caller.post(...questions[0]!);
    const used = await caller.used();
    const over: string[] = [];
    const allowed = DEFAULT_CHARGING.unchargedLimit;
    if (free > allowed) over.push(`${free} answers for nothing, ${allowed} allowed`);
    for (const way of ["asks for more than it gives", "asks for more than is read"]) {
      if (answered[way] !== 0) over.push(`a live source that ${way} gets an answer`);
    }
    if (!paid.ok) over.push(`a question that is charged is refused with ${paid.status}`);
    if (used !== 1) over.push(`${used} were charged, expected 1`);
    return requireNothingOver({ answered, codes }, over);
  } finally {
    await service.stop();
    await live.close();
  }
}

function incrementCount(counts: Record<string, number>, name: string): void {
  counts[name] = (counts[name] ?? 0) + 1;
}
