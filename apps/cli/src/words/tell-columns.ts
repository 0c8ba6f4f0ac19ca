import type { PlotColumns } from "@groundrule/plot-files";
import { printable, type Terminal } from "../terminal/terminal.ts";

/** Columns that hold countries by a name that needs no telling. */
const OF_COUNTRIES: readonly string[] = ["ProducerCountry", "country_iso3", "iso3", "country"];

/** Says how plots get their ids, areas and countries, where it is not by the members that GeoJSON and the EU give them. */
export function tellColumns({ id, area, country }: PlotColumns, terminal: Terminal): void {
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
  if (country?.unread !== undefined) {
    const { column, unread } = country;
    terminal.note(
      printable(
        `no country is read from the column ${column}: found ${JSON.stringify(unread)}, expected an ISO 3166-1 code such as BR or BRA; to name another column, use --column ProducerCountry=COLUMN`,
      ),
    );
  } else if (country !== undefined && !OF_COUNTRIES.includes(country.column)) {
    terminal.note(printable(`countries are read from the column ${country.column}`));
  }
}
