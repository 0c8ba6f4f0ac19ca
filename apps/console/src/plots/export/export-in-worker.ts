import type { Language } from "@groundrule/words/tags";
import type { PagePlot } from "../../state/plot.ts";
import { Turns } from "../../state/turns.ts";
import { buildExportedRow } from "./export-plots.ts";
import type { ExportFormat, ExportMessage, ExportReply } from "./export-protocol.ts";

/** Plots per message: copying one takes a few milliseconds. */
const BATCH = 100;

/** Writes plots as a file in a worker. */
export async function exportInWorker(
  plots: readonly PagePlot[],
  format: ExportFormat,
  language: Language,
): Promise<Blob> {
  const worker = new Worker(new URL("./export-worker.ts", import.meta.url), {
    type: "module",
    name: "export",
  });
  try {
    const reply = new Promise<ExportReply>((resolve) => {
      worker.addEventListener("message", ({ data }: MessageEvent<ExportReply>) => resolve(data));
      worker.addEventListener("error", (event) => {
        event.preventDefault();
        resolve({ failed: event.message === "" ? "the writer could not be loaded" : event.message });
      });
    });
    const post = (message: ExportMessage): void => worker.postMessage(message);
    const turns = new Turns();
    for (let i = 0; i < plots.length; i += BATCH) {
      post({ rows: plots.slice(i, i + BATCH).map(buildExportedRow) });
      await turns.next();
    }
    post({ format, language });
    const answer = await reply;
    if ("failed" in answer) throw new Error(answer.failed);
    return answer.file;
  } finally {
    worker.terminate();
  }
}
