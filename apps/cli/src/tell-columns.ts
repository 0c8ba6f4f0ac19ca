import type { PlotColumns } from "@groundrule/plot-files";
import { printable, type Terminal } from "./terminal.ts";

/** Says how plots get their ids and areas, where it is not by the members that GeoJSON and the EU give them. */
export function tellColumns({ id, area }: PlotColumns, terminal: Terminal): void {
  if (typeof id === "object" && id.column !== "id") {
    terminal.note(
      printable(`the ids of plots are read from the column ${id.column}; to choose another, use --id`),
    );
  }
  if (id === "number") {
    terminal.note(
      "no column with ids was found, so plots have their numbers as ids; to name a column, use --id",
    );
  }
  if (area !== undefined && area.column !== "Area") {
    terminal.note(printable(`areas are read from the column ${area.column}, in ${area.unit}`));
  }
}
