import type { Answer, Answerer } from "../../answering/answerer.ts";
import type { PagePlot } from "../../state/plot.ts";
import { Turns } from "../../state/turns.ts";

/** The plots of the page, and facts that are the same for all. */
export interface KeptList {
  readonly plots: readonly Omit<PagePlot, "key">[];
  readonly sharedFacts: object;
}

/** A plot as it is kept: with its answer, but not with who gave it. */
interface KeptPlot extends Omit<PagePlot, "key" | "state"> {
  readonly answer?: Omit<Answer, "by" | "verdict">;
  readonly unread?: { readonly code: string; readonly message: string };
}

/**
 * Packs a list. Plots without a verdict are kept without a state: they are evaluated again.
 *
 * @param hasAnswers false where nothing would tell later by which ruleset they are
 */
export async function packList(list: KeptList, hasAnswers: boolean): Promise<ArrayBuffer> {
  const turns = new Turns();
  const lines = [`${JSON.stringify(list.sharedFacts)}\n`];
  for (const plot of list.plots) {
    lines.push(`${JSON.stringify(toKeptPlot(plot, hasAnswers))}\n`);
    await turns.next();
  }
  return new Response(new Blob(lines).stream().pipeThrough(new CompressionStream("gzip"))).arrayBuffer();
}

function toKeptPlot(plot: Omit<PagePlot, "key">, hasAnswers: boolean): KeptPlot {
  const { id, geometry, properties, input, fileFacts, origin, state } = plot;
  const kept = { id, geometry, properties, input, origin, ...(fileFacts && { fileFacts }) };
  if (state.kind === "unread") return { ...kept, unread: state.error };
  if (state.kind !== "answered" || !hasAnswers) return kept;
  const { by: _, verdict: __, ...answer } = state.answer;
  return { ...kept, answer };
}

/** Unpacks a list. @param by who is to draw the areas of its answers */
export async function unpackList(packed: ArrayBuffer, by: Answerer): Promise<KeptList> {
  const turns = new Turns();
  const plots: Omit<PagePlot, "key">[] = [];
  let sharedFacts: object | undefined;
  for await (const line of readLines(new Blob([packed]))) {
    if (sharedFacts === undefined) sharedFacts = JSON.parse(line) as object;
    else plots.push(restorePlot(JSON.parse(line) as KeptPlot, by));
    await turns.next();
  }
  return { plots, sharedFacts: sharedFacts! };
}

/** The lines of a packed text, each of which ends with a line feed. */
async function* readLines(packed: Blob): AsyncGenerator<string, void, undefined> {
  const text = packed
    .stream()
    .pipeThrough(new DecompressionStream("gzip"))
    .pipeThrough(new TextDecoderStream())
    .getReader();
  let left = "";
  for (let next = await text.read(); !next.done; next = await text.read()) {
    const lines = (left + next.value).split("\n");
    left = lines.pop()!;
    yield* lines;
  }
}

function restorePlot({ answer, unread, ...plot }: KeptPlot, by: Answerer): Omit<PagePlot, "key"> {
  const of = { ...plot, geometry: plot.geometry, input: plot.input };
  if (unread !== undefined) return { ...of, state: { kind: "unread", error: unread } };
  if (answer === undefined) return { ...of, state: { kind: "new" } };
  const { data: verdict } = answer.record.response as { readonly data: Answer["verdict"] };
  const { requestId } = answer;
  return { ...of, state: { kind: "answered", answer: { ...answer, requestId, verdict, by } } };
}
