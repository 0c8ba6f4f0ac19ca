import { datum, document, html } from "./html.ts";
import type { Language } from "./languages/language.ts";
import { getTongue } from "./languages/language.ts";
import { pageStyle } from "./page/style.ts";
import { table } from "./page/table.ts";
import { english, section } from "./sections/facts.ts";
import { shortened } from "./shortened.ts";

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
  const running = `${words.noVerdictWord} · ${subject}`;
  const faults = error.faults ?? [];
  const title = `${words.noVerdictWord}: ${shortened(subject, 200)}`;
  const style = pageStyle(shortened(running, 110), "", words);
  return document(
    { language, title, style },
    html`<header class="top"><p class="brand"><span>groundrule</span></p>
<h1>${datum(subject)}</h1>
${name !== undefined && name !== subject && html`<p class="small">${datum(name)}</p>`}</header>
<p><strong><span aria-hidden="true">–</span> ${words.noVerdictWord}.</strong> ${words.refusedMeans}</p>
${section(
  "wrong",
  words.whatIsWrong,
  html`<p>${english(datum(error.message))} <span class="mono">${error.code}</span></p>
${
  faults.length > 0 &&
  table(
    words.whatIsWrong,
    [{ label: words.defect }, { label: words.code }, { label: words.placeInInput }],
    faults.map((fault) => [
      { text: english(datum(fault.message)) },
      { text: fault.code, class: "mono" },
      { text: fault.pointer, class: "mono" },
    ]),
  )
}`,
)}
${section(
  "mend",
  words.whatToDo,
  html`<p>${words.mendPlot}</p><pre>groundrule plots check PLOTS
groundrule plots fix PLOTS --output FILE</pre>`,
)}`,
  );
}
