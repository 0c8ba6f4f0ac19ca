import { setTimeout as sleep } from "node:timers/promises";
import { openEngine } from "@groundrule/engine";
import { ENGINE_OPTIONS, LiveSources } from "@groundrule/node";
import { hostInProcess } from "@groundrule/service";
import { AreaProvider } from "@groundrule/testing/area-provider";
import { createSquarePolygon } from "@groundrule/testing/shapes";
import { HttpCaller } from "../http.ts";
import { collectAnswers, startSingleCaller } from "../overload/raw-callers.ts";
import { createTestOrganization, startService } from "../service.ts";
import { computeQuantile, requireNothingOver, roundToTenth } from "./figures.ts";

const MANIFEST = { source_name: "live:parks", kind: "leaf", coverage: "global", columns: {} } as const;
const PLACES = 4;
const SECRET = "postgresql://reader:hunter2@db.example/parks";
const TABLE = { kind: "postgis", connection: SECRET, table: "parks", geometry: "geom" } as const;
const QUESTION = {
  input: { geometry: createSquarePolygon(1.5, 1.5) },
  ruleset: {
    sets: { parks: { sources: ["live:parks"] } },
    checks: [{ id: "in-park", set: "parks", outcome: "NON_COMPLIANT" }],
  },
};

/** The status of the live source in an answer, or the code of the problem. */
interface VerdictAnswer {
  readonly data?: { readonly verdict: string };
  readonly code?: string;
}

/**
 * One organization has many questions under way over a slow live source without pause, and gives up half of them;
 * another asks one at a time and must get every answer whole. Then the source's database complains in words that hold
 * its address, and nobody is told them.
 *
 * @param senders questions that the first organization has under way
 * @param questions questions of the other organization
 * @param answerMs how long the source takes for each
 */
export async function starveLiveSource(
  senders: number,
  questions: number,
  answerMs: number,
): Promise<object> {
  const provider = new AreaProvider([{ id: "7", geometry: createSquarePolygon(1, 1) }]);
  // Nine of its answers, one after the other, take longer than one may.
  const deadline_ms = 9 * answerMs;
  const live = new LiveSources(() => provider);
  live.use([{ manifest: MANIFEST, provider: { ...TABLE, deadline_ms, pool_size: PLACES } }]);
  const engine = openEngine([{ manifest: MANIFEST, live: true }], ENGINE_OPTIONS);
  const service = await startService(hostInProcess(() => engine, live));
  try {
    const [quiet, greedy] = [new HttpCaller(service), (await createTestOrganization(service.store)).key];
    let answered = 0;
    provider.fault = async ({ signal }) => {
      // Clients that left get no answer: their statement is cancelled.
      await sleep(answerMs, undefined, signal && { signal }).catch(() => {});
      answered++;
      return { candidates: [{ id: "7", geometry: createSquarePolygon(1, 1) }] };
    };
    const over: string[] = [];
    const greedyOutcomes: Record<string, number> = {};
    const end = new AbortController();
    const send = async (_: unknown, i: number): Promise<void> => {
      while (!end.signal.aborted) {
        // Some leave before their turn has come.
        const signal = i % 2 === 0 ? undefined : AbortSignal.timeout(10 * answerMs);
        const outcome = await requestVerdict(quiet.with(greedy), signal).catch(() => "gave up");
        greedyOutcomes[outcome] = (greedyOutcomes[outcome] ?? 0) + 1;
        if (outcome === "OVERLOADED") await sleep(20 * answerMs);
      }
    };
    const crowd = Array.from({ length: senders }, send);
    const body = JSON.stringify(QUESTION);
    const other = await startSingleCaller({
      port: Number(new URL(service.url).port),
      key: service.key,
      path: "/v1/evaluate",
      body,
    });
    const hear = async (count: number): Promise<readonly number[]> => {
      const { waits, answers, broken } = await collectAnswers(other, count);
      if (broken > 0) over.push(`${broken} questions of the other organization are not answered`);
      for (const answer of Object.keys(answers).filter((answer) => answer !== "200"))
        over.push(`the other organization is answered ${answer}`);
      return waits;
    };
    // While its thread starts, the crowd is alone.
    await hear(1);
    const alone = answered;
    const waits = await hear(questions);
    const whileQueried = answered - alone;
    await other.stop();
    end.abort();
    await Promise.all(crowd);
    // Only a whole answer is charged.
    const used = await quiet.used();
    if (used < waits.length) over.push(`${waits.length} answers, ${used} of them whole`);
    // First come, first served, each would wait for all that the crowd has waiting.
    const waitedFor = Math.round(whileQueried / waits.length);
    if (waitedFor > 4 * PLACES) over.push(`the source gives ${waitedFor} answers for each of the other's`);
    for (const outcome of Object.keys(greedyOutcomes)) {
      if (!["NON_COMPLIANT", "OVERLOADED", "gave up"].includes(outcome))
        over.push(`the crowd was answered ${outcome}`);
    }
    await provokeDatabaseComplaint(provider, quiet, over);
    const [p50, most] = [0.5, 1].map((share) => roundToTenth(computeQuantile(waits, share)));
    const figures = {
      crowd: greedyOutcomes,
      other: `${waits.length} answers, p50 ${p50}, at most ${most} ms`,
      waitedFor,
    };
    return requireNothingOver(figures, over);
  } finally {
    await service.stop();
    await live.close();
  }
}

/** Has the database complain, and looks for its words on every open route and in the answer. */
async function provokeDatabaseComplaint(
  provider: AreaProvider,
  caller: HttpCaller,
  over: string[],
): Promise<void> {
  const open = async (path: string): Promise<string> => (await fetch(caller.url + path)).text();
  const before = await open("/metrics");
  if (!before.includes('groundrule_live_failures_total{source="live:parks"} 0')) {
    over.push("waiting for a place counts as a failure of the source");
  }
  provider.fault = async () => ({ failed: `permission denied for table embargoes: ${SECRET}` });
  const texts: Record<string, string> = {
    "the answer": await (await caller.post("/v1/evaluate", QUESTION)).text(),
    "/v1/decisions": await (await caller.get("/v1/decisions")).text(),
    "/v1/sources": await (await caller.get("/v1/sources")).text(),
  };
  for (const path of ["/readyz", "/metrics", "/healthz"]) texts[path] = await open(path);
  for (const [place, text] of Object.entries(texts)) {
    if (/hunter2|reader|db\.example|embargoes|permission/.test(text)) over.push(`${place} has the words`);
  }
  if (!texts["/readyz"]!.includes("SOURCES_FAILED")) over.push("/readyz does not say that a source failed");
}

async function requestVerdict(caller: HttpCaller, signal?: AbortSignal): Promise<string> {
  const response = await caller.post("/v1/evaluate", QUESTION, {}, signal);
  const { data, code } = (await response.json()) as VerdictAnswer;
  return data?.verdict ?? code ?? `${response.status}`;
}
