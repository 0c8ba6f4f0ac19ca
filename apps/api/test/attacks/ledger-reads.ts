import { setTimeout as sleep } from "node:timers/promises";
import { createSmallWorldFiles, createSquarePlot } from "@groundrule/testing/small-world";
import { listReadPaths } from "../brief-reads.ts";
import { fillLedger } from "../fill-ledger.ts";
import { HttpCaller } from "../http.ts";
import { type Called, startCallers } from "../overload/raw-callers.ts";
import { withServedProcess } from "../served-process.ts";
import { toStorePlace } from "../store-places.ts";
import { computeQuantile, requireNothingOver, roundToTenth } from "./figures.ts";

const READERS = 40;
/** How long another organization waits at most for 99 of 100 answers. */
const OTHER_P99_MS = 300;
/** The start examines the ledger, which keeps a core busy; that is not what is measured. */
const START_SECONDS = 30;
const SECONDS = 20;

/**
 * One key asks without a pause for everything that is read of its ledger, by 40 connections; another organization asks who
 * it is, and for verdicts.
 *
 * @param store default a SQLite file
 */
export async function readWithoutEnd(store: string | undefined, decisions: number): Promise<object> {
  const served = {
    editions: createSmallWorldFiles(),
    organizations: 2,
    ...(store !== undefined && { store }),
    prepare: (url: string, [organization]: readonly string[]) =>
      fillLedger(toStorePlace(url), { organization: organization!, mode: "test" }, decisions),
  };
  return withServedProcess(served, async ({ url, port, keys: [own, other], watched }) => {
    const paths = await listReadPaths(new HttpCaller({ url, key: own! }), decisions);
    const body = JSON.stringify({ input: { geometry: createSquarePlot(0.1, 0.05) } });
    const polite = { port, key: other!, connections: 2, manner: "as allowed", pauseMs: 50 } as const;
    const asks = await startCallers({ ...polite, path: "/v1/me" });
    const evaluates = await startCallers({ ...polite, path: "/v1/intersections", body });
    const others = [asks, evaluates];
    const measured = async () => {
      await Promise.all([...others.map((each) => each.called()), watched()]);
      await sleep(SECONDS * 1_000);
      const [me, verdicts] = await Promise.all(others.map((each) => each.called()));
      const { p99DelayMs } = await watched();
      return {
        me: summarizeWaits(me!),
        verdicts: summarizeWaits(verdicts!),
        loopP99Ms: roundToTenth(p99DelayMs),
      };
    };
    try {
      await sleep(START_SECONDS * 1_000);
      const quiet = await measured();
      const readers = await startCallers({
        port,
        key: own!,
        connections: READERS,
        manner: "as allowed",
        path: paths,
      });
      const underLoad = await measured();
      const { answers, seconds } = await readers.called();
      await readers.stop();
      const figures = {
        quiet,
        underLoad,
        readers: Object.fromEntries(
          Object.entries(answers).map(([status, count]) => [
            `${status} a second`,
            roundToTenth(count / seconds),
          ]),
        ),
      };
      const over = (["me", "verdicts"] as const).flatMap((what) =>
        underLoad[what].p99Ms > OTHER_P99_MS ? [`${what}: ${underLoad[what].p99Ms} ms`] : [],
      );
      return requireNothingOver(figures, over);
    } finally {
      for (const each of others) await each.stop();
    }
  });
}

function summarizeWaits({ waits, answers }: Called): {
  answers: number;
  p50Ms: number;
  p99Ms: number;
  most: number;
} {
  return {
    answers: answers[200] ?? 0,
    p50Ms: roundToTenth(computeQuantile(waits, 0.5)),
    p99Ms: roundToTenth(computeQuantile(waits, 0.99)),
    most: roundToTenth(computeQuantile(waits, 1)),
  };
}
