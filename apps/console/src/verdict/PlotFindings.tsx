import type { JSX } from "preact";
import { figures, language, words } from "../languages/language.ts";
import { findFixedPlots, fixPlotsUndoably } from "../map/drawing/mend.ts";
import { findingMeanings } from "../map/finding-meanings.ts";
import { openedMap } from "../map/map-session.ts";
import { findings, type PageFinding } from "../state/findings.ts";
import type { PagePlot } from "../state/plot.ts";

/** The findings of a plot, each code once, with its place and the fix. */
export function PlotFindings({ plot }: { readonly plot: PagePlot }): JSX.Element | null {
  const say = words.value;
  const meanings = findingMeanings.value;
  // Faults of the plot's refusal are shown elsewhere.
  const shownCodes = new Set(
    plot.state.kind === "refused" ? plot.state.problem.faults.map(({ code }) => code) : [],
  );
  const found = (findings.value.get(plot.key) ?? []).filter(({ code }) => !shownCodes.has(code));
  if (found.length === 0 || meanings === undefined) return null;
  const isMendable = plot.state.kind !== "refused" && findFixedPlots(plot) !== undefined;
  const isError = found.some(({ severity }) => severity === "error");
  return (
    <section
      class={`verdict-findings ${isError ? "verdict-non_compliant" : "verdict-warning"}`}
      aria-label={say.verdictFindings}
    >
      <ul>
        {[...Map.groupBy(found, ({ code }) => code)].map(([code, all]) => (
          <li key={code}>
            {meanings[code]}
            {all.length > 1 && ` ${say.verdictTimes(all.length)}`} {formatFindingDetail(all)}
            {formatMeasurement(all[0]!)}
            {describeCountries(all)} <Place found={all} />
          </li>
        ))}
      </ul>
      {isMendable && (
        <p class="verdict-actions">
          <button type="button" class="primary" onClick={() => fixPlotsUndoably([plot])}>
            {found.some(({ swapped }) => swapped !== undefined) ? say.verdictSwapAxes : say.mapMend}
          </button>
        </p>
      )}
      <details>
        <summary>{say.problemDetail}</summary>
        <code>{[...new Set(found.map(({ code }) => code))].join(", ")}</code>
      </details>
    </section>
  );
}

/** The other plots concerned, and the area of land. */
function formatFindingDetail(found: readonly PageFinding[]): string {
  const named = found.flatMap(({ other, squareMeters }) =>
    other === undefined
      ? []
      : [squareMeters === undefined ? other : `${other}: ${figures.value.area(squareMeters)}`],
  );
  return named.length === 0 ? "" : `(${named.slice(0, 5).join("; ")}${named.length > 5 ? "; …" : ""}) `;
}

/** The measured value with its bound. */
function formatMeasurement({ measure }: PageFinding): string {
  if (measure === undefined) return "";
  const { value, bound, unit } = measure;
  const write: Readonly<Record<typeof unit, (number: number, other: number) => string>> = {
    degrees: (number, other) => `${figures.value.decimal(number, number % 1 === 0 ? 0 : 2, [other])}°`,
    meters: (number, other) =>
      number < 1
        ? `${figures.value.decimal(1000 * number, number === bound ? 0 : 1, [1000 * other])} mm`
        : figures.value.distance(number, other),
    hectares: (number, other) => `${figures.value.decimal(number, number % 1 === 0 ? 0 : 2, [other])} ha`,
    spellings: (number) => figures.value.plain(number),
  };
  return `${words.value.verdictMeasured(write[unit](value, bound), write[unit](bound, value))} `;
}

/** The country of the plot as it is, and with longitude and latitude swapped, in words. */
function describeCountries(found: readonly PageFinding[]): string {
  const say = words.value;
  return found
    .flatMap(({ countries, swapped }) => [
      ...(countries === undefined ? [] : [say.verdictLiesIn(formatCountryNames(countries))]),
      ...(swapped === undefined ? [] : [say.verdictSwappedLiesIn(formatCountryNames(swapped.countries))]),
    ])
    .map((sentence) => `${sentence} `)
    .join("");
}

/** Names of countries from the browser; undefined in the sea. */
function formatCountryNames(countries: readonly string[]): string | undefined {
  if (countries.length === 0) return undefined;
  const names = new Intl.DisplayNames([language.value], { type: "region" });
  const all = countries.map((code) => (code.length === 2 ? names.of(code) : undefined) ?? code);
  return new Intl.ListFormat([language.value], { type: "disjunction" }).format(all);
}

function Place({ found }: { readonly found: readonly PageFinding[] }): JSX.Element | null {
  const position = found.find((each) => each.position !== undefined)?.position;
  const map = openedMap.value?.page.map;
  if (position === undefined || map === undefined) return null;
  return (
    <button type="button" class="map-link" onClick={() => map.easeTo({ center: [...position] })}>
      {words.value.verdictShowPlace}
    </button>
  );
}
