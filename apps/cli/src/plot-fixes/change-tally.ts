import { CHANGES, type ChangeCode, FINDING_CODES, type FixedPlot, type PlotFinding } from "@groundrule/plots";
import { figures } from "../figures.ts";
import { renderTable } from "../table.ts";

/** Counts what was changed, and what could not be, over all plots. */
export class ChangeTally {
  plots = 0;
  written = 0;
  unfixed = 0;
  #moved = 0;
  readonly #changes = new Map<ChangeCode, { plots: number; places: number; squareMeters: number }>();
  readonly #findings = new Map<string, number>();

  add({ plots, changes, findings, square_meters_moved }: FixedPlot): void {
    this.plots++;
    this.written += plots.length;
    this.#moved += square_meters_moved;
    for (const { code, count, square_meters_before = 0, square_meters_after = 0 } of changes) {
      const tally = this.#changes.get(code) ?? { plots: 0, places: 0, squareMeters: 0 };
      tally.plots++;
      tally.places += count;
      tally.squareMeters += square_meters_after - square_meters_before;
      this.#changes.set(code, tally);
    }
    this.unfix(findings);
  }

  /** Counts a plot that stays as it is, by why. */
  unfix(findings: readonly Pick<PlotFinding, "code">[]): void {
    if (findings.length > 0) this.unfixed++;
    for (const { code } of findings) this.#findings.set(code, (this.#findings.get(code) ?? 0) + 1);
  }

  get summary(): string {
    const left = this.unfixed === 0 ? "" : `, ${figures.decimal(this.unfixed, 0)} not mended`;
    return `${counted(this.plots, "plot")} read, ${figures.decimal(this.written, 0)} written${left}; borders moved over ${figures.decimal(this.#moved, 2)} m²`;
  }

  /** For people. */
  lines(width: number): string[] {
    const codes = (Object.keys(CHANGES) as ChangeCode[]).filter((code) => this.#changes.has(code));
    const rows = codes.map((code) => {
      const { plots, places, squareMeters } = this.#changes.get(code)!;
      return [code, figures.decimal(plots, 0), figures.decimal(places, 0), signed(squareMeters)];
    });
    const table = renderTable(
      [
        { title: "change", cutLast: true },
        { title: "plots", align: "right" },
        { title: "places", align: "right" },
        { title: "m²", align: "right" },
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

function signed(squareMeters: number): string {
  const text = figures.decimal(squareMeters, 2);
  return squareMeters > 0 ? `+${text}` : text;
}

/** `1 plot`, `2 plots`. */
export function counted(count: number, what: string): string {
  return `${figures.decimal(count, 0)} ${what}${count === 1 ? "" : "s"}`;
}
