import type { FileOptions, NewPlot, PlaceDoubt, TakenColumns } from "../page-plots.ts";

/** A file that was chosen or dropped, with its accompanying files, or pasted text. */
export type PlotSource =
  | { readonly name: string; readonly file: File; readonly companions: readonly File[] }
  | { readonly name: string; readonly text: string };

/** A message from the page to the reader. */
export interface ReadMessage {
  readonly source: PlotSource;
  readonly options: FileOptions;
}

/** A reply of the reader: the columns, batches of plots, then the final state. */
export type ReadReply =
  | { readonly kind: "columns"; readonly columns: TakenColumns }
  | { readonly kind: "plots"; readonly plots: readonly NewPlot[] }
  | { readonly kind: "end"; readonly doubt: PlaceDoubt | undefined; readonly isCut: boolean }
  | {
      readonly kind: "failed";
      readonly code: string;
      readonly message: string;
      /** The layers or files to choose from. */
      readonly layers: readonly string[];
    };
