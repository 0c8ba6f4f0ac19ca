import type { PlotColumns } from "@groundrule/plot-files";
import { printable, type Terminal } from "./terminal.ts";

/** Says how plots get their ids and areas, where it is not by the members that GeoJSON and the EU give them. */
export function tellColumns({ id, area }: PlotColumns, terminal: Terminal): void {
  if (typeof id === "object" && id.column !== "id") {
    terminal.note(printable(`plots are named by the column ${id.column}; --id names another`));
  }
  if (id === "number") {
    terminal.note("no column tells the plots apart, so they are named by number; --id names one");
  }
  if (area !== undefined && area.column !== "Area") {
    terminal.note(printable(`areas are read from the column ${area.column}, in ${area.unit}`));
  }
}
