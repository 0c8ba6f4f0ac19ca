import type { ReportMaterial } from "@groundrule/report";
import type { Answerer } from "../answering/answerer.ts";
import type { Ask, AskMessage, Replies, SentTile, WantedTile, WorkerMessage } from "./protocol.ts";

/** Maximum wait for tiles; after that the report states what its map lacks. */
const PATIENCE_MS = 10_000;

/**
 * Gathers the additional parts of a report on a record answered by a service, in a worker of its own, so that the page
 * needs no engine.
 *
 * @param by the answerer from which tiles are requested; absent: only the plot is shown
 *
 * Fails: if the worker ends.
 */
export async function gatherReportMaterial(
  record: object,
  by?: Pick<Answerer, "tile">,
): Promise<ReportMaterial> {
  const worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module", name: "report" });
  try {
    if (by === undefined) return await requestFromWorker(worker, { do: "gather", record });
    const wanted = await requestFromWorker(worker, { do: "wanted", record });
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const tileOf = async (place: WantedTile): Promise<SentTile[]> => {
      const { source, z, x, y } = place;
      // A live source has no tiles.
      const bytes = await by.tile(source, z, x, y, signal).catch(() => undefined);
      return bytes === undefined ? [] : [{ ...place, bytes }];
    };
    const tiles = wanted.map(async (places) => (await Promise.all(places.map(tileOf))).flat());
    return await requestFromWorker(worker, { do: "gather", record, tiles: await Promise.all(tiles) });
  } finally {
    worker.terminate();
  }
}

function requestFromWorker<Name extends Ask["do"]>(
  worker: Worker,
  ask: Extract<Ask, { readonly do: Name }>,
): Promise<Replies[Name]> {
  const { promise, resolve, reject } = Promise.withResolvers<Replies[Name]>();
  worker.onerror = (event) => reject(new Error(event.message));
  worker.onmessage = ({ data }: MessageEvent<WorkerMessage>) => {
    if ("reply" in data) resolve(data.reply as Replies[Name]);
    else if ("bug" in data) reject(new Error(data.bug));
  };
  worker.postMessage({ id: 0, ask } satisfies AskMessage);
  return promise;
}
