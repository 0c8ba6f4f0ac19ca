import type { JSX } from "preact";
import type { Answer } from "../../answering/answerer.ts";
import { language, words } from "../../languages/language.ts";
import { offerDownload } from "../../parts/save-file.ts";
import { runSaveTask } from "../../state/notice.ts";
import type { PagePlot } from "../../state/plot.ts";
import { sources } from "../../state/store.ts";

/**
 * Downloads of the verdict: a page to read and print, the record from which it can be replayed, and a stamp to paste.
 */
export function Downloads({
  plot,
  answer,
}: {
  readonly plot: PagePlot;
  readonly answer: Answer;
}): JSX.Element {
  const say = words.value;
  const name = toFileName(plot.id);
  const saveReport = async (): Promise<void> => {
    const { toReportPage: reportOf } = await import("./report-of.ts");
    const page = await reportOf(plot.id, answer, sources.value, language.value);
    offerDownload(`${name}.html`, "text/html", page);
  };
  const saveStamp = async (): Promise<void> => {
    const { toStamp: stampOf } = await import("./report-of.ts");
    offerDownload(`${name}.svg`, "image/svg+xml", await stampOf(plot.id, answer, language.value));
  };
  const saveRecord = (): void =>
    offerDownload(`${name}.json`, "application/json", JSON.stringify({ id: plot.id, ...answer.record }));
  return (
    <p class="verdict-actions">
      <button type="button" class="primary" onClick={() => runSaveTask(saveReport)}>
        {say.verdictReport}
      </button>
      <button type="button" onClick={() => runSaveTask(saveRecord)}>
        {say.verdictRecord}
      </button>
      <button type="button" onClick={() => runSaveTask(saveStamp)}>
        {say.verdictStamp}
      </button>
    </p>
  );
}

/** Converts any name to one that every file system accepts. */
function toFileName(id: string): string {
  const plain = id.replace(/[^\p{L}\p{N}]+/gu, "-").slice(0, 60);
  return plain === "" || plain === "-" ? "plot" : plain;
}
