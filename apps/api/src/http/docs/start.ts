import { OPERATIONS } from "../operations/operations.ts";
import { renderCodeBlock } from "./code.ts";
import { type Html, html } from "./html.ts";

/** An example call for a newcomer. */
export interface StartCall {
  readonly title: string;
  readonly text: string;
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly body?: unknown;
}

/** Three calls that lead from a key to a verdict. They run on the demo's data unchanged. */
const START_CALLS: readonly StartCall[] = [
  {
    title: "List your sources",
    text: "The sources that are available to your key: areas, groups of them, and registers. Free of charge.",
    method: "GET",
    path: "/v1/sources",
  },
  {
    title: "List the areas that a plot touches",
    text: "Every reference area that shares a point with the plot, with the shared area and its share of the plot.",
    method: "POST",
    path: "/v1/intersections",
    body: getFirstExample("intersections"),
  },
  {
    title: "Get a verdict",
    text: "A ruleset names sets of areas and registers, and puts checks on them. Replace the sources of the demo with your own.",
    method: "POST",
    path: "/v1/evaluate",
    body: getFirstExample("evaluate"),
  },
];

function getFirstExample(operation: "intersections" | "evaluate"): unknown {
  const { examples } = OPERATIONS.find(({ id }) => id === operation)!.request!;
  return Object.values(examples)[0]!.value;
}

/** The section of the start page with the first calls. */
export function renderStartSection(): Html {
  return html`<section id="start"><h2>Start with three calls</h2>
<form id="key-form"><label for="key">Your API key</label>
<input id="key" type="password" autocomplete="off" spellcheck="false" aria-describedby="key-help">
<p id="key-help">The key stays in this page's memory, and is used for the calls below. <code>npm run demo</code> prints one to try.</p></form>
${START_CALLS.map(
  (
    call,
    i,
  ) => html`<article class="call" data-method="${call.method}" data-path="${call.path}"><h3>${i + 1}. ${call.title}</h3>
<p>${call.text}</p>
${renderCodeBlock(formatCurlCommand(call), "sh")}
<p><button type="button" class="run" hidden>Run it here</button></p>
<pre class="answer" tabindex="0" role="status" hidden></pre>
</article>`,
)}</section>`;
}

/** A call as a curl command, with placeholders for key and address. */
function formatCurlCommand({ method, path, body }: StartCall): string {
  const lines = [`curl -s "$BASE_URL${path}"`, '-H "Authorization: Bearer $API_KEY"'];
  if (method === "POST") {
    lines.push('-H "Content-Type: application/json"', `-d '${JSON.stringify(body)}'`);
  }
  return lines.join(" \\\n  ");
}
