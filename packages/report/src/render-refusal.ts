import { shortenText } from "@groundrule/words";
import type { Language } from "@groundrule/words/languages";
import { getTongue } from "@groundrule/words/languages";
import { html, renderDataText, renderHtmlDocument } from "./html.ts";
import { formatPageStyle } from "./page/style.ts";
import { renderTable } from "./page/table.ts";
import { renderEnglishText, renderSection } from "./sections/facts.ts";

/** A plot that was given no verdict, and why. */
export interface RefusedPlot {
  /** Id of the plot in its file. */
  readonly id: string | number;
  /** Name of the plot, shown next to the id. */
  readonly name?: string | undefined;
  /** Why it has no verdict. */
  readonly error: {
    readonly code: string;
    readonly message: string;
    /** Each defect with its place, where there are several or the message lacks it. */
    readonly faults?: readonly {
      readonly pointer: string;
      readonly code: string;
      readonly message: string;
    }[];
  };
}

/**
 * The page of a plot without a verdict, where others have their report: what failed, where, and what to do. It sends
 * no request, and nobody mistakes it for a pass.
 */
export function renderRefusal(
  { id, name, error }: RefusedPlot,
  {
    language = "en",
  }: {
    /** Language of the page; English by default. */
    readonly language?: Language;
  } = {},
): string {
  const { words } = getTongue(language);
  const subject = typeof id === "number" ? words.plotById(id) : id;
  const running = `${words.refused} · ${subject}`;
  const faults = error.faults ?? [];
  const title = `${words.refused}: ${shortenText(subject, 200)}`;
  const style = formatPageStyle(shortenText(running, 110), "", words);
  return renderHtmlDocument(
    { language, title, style },
    html`<header class="top"><p class="brand"><span>groundrule</span></p>
<h1>${renderDataText(subject)}</h1>
${name !== undefined && name !== subject && html`<p class="small">${renderDataText(name)}</p>`}</header>
<p><strong><span aria-hidden="true">–</span> ${words.refused}.</strong> ${words.refusedMeans}</p>
${renderSection(
  "wrong",
  words.whatIsWrong,
  html`<p>${renderEnglishText(renderDataText(error.message))} <span class="mono">${error.code}</span></p>
${
  faults.length > 0 &&
  renderTable(
    words.whatIsWrong,
    [{ label: words.defect }, { label: words.code }, { label: words.placeInInput }],
    faults.map((fault) => [
      { text: renderEnglishText(renderDataText(fault.message)) },
      { text: fault.code, class: "mono" },
      { text: fault.pointer, class: "mono" },
    ]),
  )
}`,
)}
${renderSection(
  "mend",
  words.whatToDo,
  html`<p>${words.mendPlot}</p><pre>groundrule plots check PLOTS
groundrule plots fix PLOTS --output FILE</pre>`,
)}`,
  );
}
