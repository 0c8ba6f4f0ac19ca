import { FormatError, type LocalFile, loadSqliteBy, openBlob } from "@groundrule/formats";
import sqliteUrl from "sql.js/dist/sql-wasm-browser.wasm?url";
import { type NewPlot, readPagePlots } from "../page-plots.ts";
import { convertPastedText } from "./pasted.ts";
import type { PlotSource, ReadMessage, ReadReply } from "./read-protocol.ts";

/** Plots per message, so that the list grows while a file is read. */
const BATCH = 500;

loadSqliteBy(async () => (await fetch(sqliteUrl)).arrayBuffer());

addEventListener("message", ({ data }: MessageEvent<ReadMessage>) => {
  void readAndPostPlots(data).catch((error: unknown) => postReadReply(buildFailedReply(error)));
});

async function readAndPostPlots({ source, options }: ReadMessage): Promise<void> {
  const plots = readPagePlots(
    openPlotSource(source),
    source.name,
    options,
    ({ id, area, identifiers, table }) => {
      const columns = {
        id,
        ...(area !== undefined && { area }),
        ...(identifiers !== undefined && { identifiers }),
        ...(table !== undefined && { table }),
      };
      postReadReply({ kind: "columns", columns });
    },
  );
  let batch: NewPlot[] = [];
  for (;;) {
    const next = await plots.next();
    if (next.done !== true) batch.push(next.value);
    if (batch.length === BATCH || (next.done === true && batch.length > 0)) {
      postReadReply({ kind: "plots", plots: batch });
      batch = [];
    }
    if (next.done === true) return postReadReply({ kind: "end", ...next.value });
  }
}

function openPlotSource(source: PlotSource): LocalFile {
  if ("text" in source) return openBlob(new Blob([convertPastedText(source.text)]), { name: source.name });
  const companions = source.companions.map((file) => openBlob(file));
  return openBlob(source.file, { siblings: companions });
}

function buildFailedReply(error: unknown): ReadReply {
  if (!(error instanceof FormatError)) {
    return { kind: "failed", code: "INTERNAL_ERROR", message: String(error), layers: [] };
  }
  const { code, message, details } = error;
  const isChoice = code === "LAYER_AMBIGUOUS" && Array.isArray(details.layers);
  return { kind: "failed", code, message, layers: isChoice ? (details.layers as string[]) : [] };
}

function postReadReply(message: ReadReply): void {
  postMessage(message);
}
