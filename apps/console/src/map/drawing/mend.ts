import type { Geometry } from "geojson";
import { words } from "../../languages/language.ts";
import { announce } from "../../state/announcement.ts";
import { findings, type MendedPlot, mends } from "../../state/findings.ts";
import type { PagePlot } from "../../state/plot.ts";
import { evaluatePlots, plots, ruleset, selectedKey } from "../../state/store.ts";
import { changePlotsUndoably } from "../../state/undo.ts";
import { convertInputToDegrees } from "./in-degrees.ts";

/**
 * The plots that fix a plot's faults: as the plot fixer makes them, otherwise as the refusal proposes.
 *
 * @returns undefined if no fix is known
 */
export function findFixedPlots({ key, id, state, properties }: PagePlot): readonly MendedPlot[] | undefined {
  const mended = mends.value.get(key);
  if (mended !== undefined || state.kind !== "refused" || state.problem.repaired === undefined) return mended;
  return [{ id, geometry: state.problem.repaired as Geometry, properties }];
}

/** The label of the button that fixes a plot. */
export function describeMend({ key }: PagePlot): string {
  const isSwapped = findings.value.get(key)?.some(({ swapped }) => swapped !== undefined);
  return isSwapped ? words.value.verdictSwapAxes : words.value.mapMend;
}

/** Fixes plots in one step that can be undone, and evaluates them again. */
export function fixPlotsUndoably(mended: readonly PagePlot[]): void {
  const say = words.peek();
  const fixed = mended.flatMap((plot) => {
    const all = findFixedPlots(plot);
    return all === undefined ? [] : [{ plot, all }];
  });
  if (fixed.length === 0) return;
  const [first] = fixed;
  const text = fixed.length === 1 ? say.mapPlotMended(first!.plot.id) : say.plotsMended(fixed.length);
  const keys = new Map<string, readonly string[]>();
  changePlotsUndoably(text, (keyOf) => {
    const by = new Map(fixed.map(({ plot, all }) => [plot.key, all]));
    plots.value = plots.peek().flatMap((plot) => {
      const all = by.get(plot.key);
      if (all === undefined) return [plot];
      const parts = all.map((part, i): PagePlot => {
        const others = convertInputToDegrees(plot.input);
        const { geometry, properties } = part;
        const isAlone = all.length === 1;
        const input = { ...others, geometry };
        const key = isAlone || i === 0 ? plot.key : keyOf();
        return {
          ...plot,
          key,
          id: isAlone ? plot.id : part.id,
          geometry,
          properties,
          input,
          state: { kind: "new" },
        };
      });
      keys.set(
        plot.key,
        parts.map(({ key }) => key),
      );
      return parts;
    });
  });
  announce(text);
  const selected = selectedKey.peek();
  if (ruleset.peek() !== undefined && (fixed.length <= FEW || selected !== undefined)) {
    evaluatePlots(fixed.length <= FEW ? [...keys.values()].flat() : [...(keys.get(selected!) ?? [])]);
  }
}

/** Maximum plots that are evaluated at once without a question. */
const FEW = 25;
