import type { ExportedRow, ExportMessage, ExportReply } from "./export-protocol.ts";
import { writeRows } from "./write-rows.ts";

// The worker that writes files of all plots: ten thousand take seconds.

const all: ExportedRow[] = [];

addEventListener("message", ({ data }: MessageEvent<ExportMessage>) => {
  if ("rows" in data) {
    for (const row of data.rows) all.push(row);
    return;
  }
  void writeRows(all, data.format, data.language).then(
    (file) => postMessage({ file } satisfies ExportReply),
    (error: unknown) => postMessage({ failed: String(error) } satisfies ExportReply),
  );
});
