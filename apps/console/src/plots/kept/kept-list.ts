import type { Answer, Answerer } from "../../answering/answerer.ts";
import type { PagePlot } from "../../state/plot.ts";

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
  const plots = list.plots.map((plot): KeptPlot => {
    const { id, geometry, properties, input, fileFacts, origin, state } = plot;
    const kept = { id, geometry, properties, input, origin, ...(fileFacts && { fileFacts }) };
    if (state.kind === "unread") return { ...kept, unread: state.error };
    if (state.kind !== "answered" || !hasAnswers) return kept;
    const { by: _, verdict: __, ...answer } = state.answer;
    return { ...kept, answer };
  });
  const text = JSON.stringify({ plots, sharedFacts: list.sharedFacts });
  return transform(new Blob([text]), new CompressionStream("gzip"));
}

/** Unpacks a list. @param by who is to draw the areas of its answers */
export async function unpackList(packed: ArrayBuffer, by: Answerer): Promise<KeptList> {
  const bytes = await transform(new Blob([packed]), new DecompressionStream("gzip"));
  const { plots, sharedFacts } = JSON.parse(new TextDecoder().decode(bytes)) as {
    readonly plots: readonly KeptPlot[];
    readonly sharedFacts: object;
  };
  return {
    sharedFacts,
    plots: plots.map(({ answer, unread, ...plot }) => {
      const of = { ...plot, geometry: plot.geometry, input: plot.input };
      if (unread !== undefined) return { ...of, state: { kind: "unread", error: unread } };
      if (answer === undefined) return { ...of, state: { kind: "new" } };
      const { data: verdict } = answer.record.response as { readonly data: Answer["verdict"] };
      const { requestId } = answer;
      return { ...of, state: { kind: "answered", answer: { ...answer, requestId, verdict, by } } };
    }),
  };
}

function transform(blob: Blob, by: CompressionStream | DecompressionStream): Promise<ArrayBuffer> {
  return new Response(blob.stream().pipeThrough(by)).arrayBuffer();
}
