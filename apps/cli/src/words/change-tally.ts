import { CHANGES, type ChangeCode, FINDING_CODES, type FixedPlot, type PlotFeature } from "@groundrule/plots";
import { formatTableLines } from "../terminal/table.ts";
import { figures } from "./figures.ts";
import { formatPlotName } from "./plot-name.ts";

/** The plot with the greatest change of land, and the change. */
interface Largest {
  readonly squareMeters: number;
  readonly id: string | number;
}

interface Tally {
  plots: number;
  places: number;
  largest: Largest | undefined;
}

/** Counts changes, and plots that could not be changed, over all plots. */
export class ChangeTally {
  plots = 0;
  written = 0;
  unfixed = 0;
  #moved = 0;
  #mostMoved: Largest | undefined;
  readonly #changes = new Map<ChangeCode, Tally>();
  readonly #findings = new Map<string, number>();

  add({ id }: Pick<PlotFeature, "id">, { plots, changes, findings, square_meters_moved }: FixedPlot): void {
    this.plots++;
    this.written += plots.length;
    if (square_meters_moved >= LEAST) this.#moved++;
    this.#mostMoved = pickLargerChange(this.#mostMoved, { squareMeters: square_meters_moved, id });
    for (const { code, count, square_meters_before = 0, square_meters_after = 0 } of changes) {
      const tally = this.#changes.get(code) ?? { plots: 0, places: 0, largest: undefined };
      tally.plots++;
      tally.places += count;
      tally.largest = pickLargerChange(tally.largest, {
        squareMeters: square_meters_after - square_meters_before,
        id,
      });
      this.#changes.set(code, tally);
    }
    if (findings.length > 0) this.unfixed++;
    for (const { code } of findings) this.#findings.set(code, (this.#findings.get(code) ?? 0) + 1);
  }

  get summary(): string {
    const left = this.unfixed === 0 ? "" : `, ${figures.decimal(this.unfixed, 0)} not mended`;
    return `${formatCount(this.plots, "plot")} read, ${figures.decimal(this.written, 0)} written${left}; ${this.moved}`;
  }

  /** The effect of fixing on the land: number of plots, and the greatest change. */
  get moved(): string {
    const most = this.#mostMoved;
    if (most === undefined) return "no border moved";
    const where = `${formatCount(this.#moved, "plot")}, most in ${formatPlotName(most.id)}`;
    return `borders moved in ${where}: ${figures.area(most.squareMeters)}`;
  }

  /** The counts as lines for people. */
  lines(width: number): string[] {
    const codes = (Object.keys(CHANGES) as ChangeCode[]).filter((code) => this.#changes.has(code));
    const rows = codes.map((code) => {
      const { plots, places, largest } = this.#changes.get(code)!;
      const most =
        largest === undefined ? ["", ""] : [formatSignedArea(largest.squareMeters), `${largest.id}`];
      return [code, figures.decimal(plots, 0), figures.decimal(places, 0), ...most];
    });
    const table = formatTableLines(
      [
        { title: "change", cutLast: true },
        { title: "plots", align: "right" },
        { title: "places", align: "right" },
        { title: "largest", align: "right" },
        { title: "in plot" },
      ],
      rows,
      width,
    );
    const left = FINDING_CODES.filter((code) => this.#findings.has(code));
    return [
      ...(rows.length === 0 ? ["nothing had to change"] : table),
      ...left.map((code) => `not mended: ${code} (${figures.decimal(this.#findings.get(code)!, 0)})`),
    ];
  }
}

/** Square metres visible with two decimals; less is rounding of areas. */
const LEAST = 0.005;

/** The greater of two changes; an invisible change counts as none. */
function pickLargerChange(known: Largest | undefined, one: Largest): Largest | undefined {
  if (Math.abs(one.squareMeters) < LEAST) return known;
  return known === undefined || Math.abs(one.squareMeters) > Math.abs(known.squareMeters) ? one : known;
}

function formatSignedArea(squareMeters: number): string {
  const text = figures.area(squareMeters);
  return squareMeters > 0 ? `+${text}` : text;
}

/** `1 plot`, `2 plots`. */
export function formatCount(count: number, what: string): string {
  return `${figures.decimal(count, 0)} ${what}${count === 1 ? "" : "s"}`;
}
