import type { FileOptions, NewPlot, PlaceDoubt, TakenColumns } from "../page-plots.ts";

/** A file as people choose or drop it, with those that belong to it, or a text that was pasted. */
export type PlotSource =
  | { readonly name: string; readonly file: File; readonly beside: readonly File[] }
  | { readonly name: string; readonly text: string };

/** What the page tells its reader. */
export interface ReadMessage {
  readonly source: PlotSource;
  readonly options: FileOptions;
}

/** What the reader tells the page: what columns are, some plots, then how it ended. */
export type ReadReply =
  | { readonly kind: "columns"; readonly columns: TakenColumns }
  | { readonly kind: "plots"; readonly plots: readonly NewPlot[] }
  | { readonly kind: "end"; readonly doubt: PlaceDoubt | undefined; readonly isCut: boolean }
  | {
      readonly kind: "failed";
      readonly code: string;
      readonly message: string;
      /** The layers or files that one must be chosen of. */
      readonly layers: readonly string[];
    };
