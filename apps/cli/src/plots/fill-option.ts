import type { PlotChange } from "@groundrule/plots";
import { defineOption, type OptionSpec } from "../command-line/command-line.ts";
import { type Terminal, toPrintable } from "../terminal/terminal.ts";
import { figures } from "../words/figures.ts";
import { formatPlotName } from "../words/plot-name.ts";

export const FILL_OPTION: OptionSpec = defineOption(
  "fill",
  "fill a missing ProducerCountry from the place of the plot, and a missing Area of polygons from their border",
);

/** Maximum filled members that are printed; further ones are only counted. */
const PRINTED = 50;

/** Members that were filled: no value is made up in silence. */
export class FilledMembers {
  readonly #all: PlotChange[] = [];

  /** Takes those among the changes of a plot. */
  add(changes: readonly PlotChange[]): void {
    for (const change of changes) {
      if (change.code === "COUNTRY_FILLED" || change.code === "AREA_FILLED") this.#all.push(change);
    }
  }

  /** Each with its plot, for a manifest. */
  get entries(): readonly Pick<PlotChange, "plot" | "id" | "code" | "message">[] {
    return this.#all.map(({ plot, id, code, message }) => ({ plot, id, code, message }));
  }

  /** Prints the first of them, and the number of the others. */
  print(terminal: Terminal, place: string): void {
    for (const { id, message } of this.#all.slice(0, PRINTED)) {
      terminal.note(toPrintable(`${formatPlotName(id)}: ${message}`));
    }
    const more = this.#all.length - PRINTED;
    if (more > 0) terminal.note(`and ${figures.decimal(more, 0)} more were filled: ${place} lists all`);
  }
}
