import type { JSX } from "preact";
import { answerWords } from "../languages/answer-words.ts";
import { figures, language, words } from "../languages/language.ts";
import { describeMend, findFixedPlots, fixPlotsUndoably } from "../map/drawing/mend.ts";
import { findingMeanings } from "../map/finding-meanings.ts";
import { openedMap } from "../map/map-session.ts";
import { findings, type PageFinding } from "../state/findings.ts";
import type { PagePlot } from "../state/plot.ts";

/** The findings of a plot, errors first, each code once, with the fix and the place. */
export function PlotFindings({ plot }: { readonly plot: PagePlot }): JSX.Element | null {
  const say = words.value;
  const meanings = findingMeanings.value;
  // Faults of the plot's refusal are shown elsewhere.
  const isRefused = plot.state.kind === "refused";
  const shownCodes = new Set(
    plot.state.kind === "refused" ? plot.state.problem.faults.map(({ code }) => code) : [],
  );
  if (isRefused) shownCodes.add("GEOMETRY_MISSING");
  const found = (findings.value.get(plot.key) ?? [])
    .filter(({ code }) => !shownCodes.has(code))
    .sort((a, b) => Number(b.severity === "error") - Number(a.severity === "error"));
  if (found.length === 0 || meanings === undefined) return null;
  const isMendable = !isRefused && findFixedPlots(plot) !== undefined;
  const byCode = [...Map.groupBy(found, ({ code }) => code)];
  return (
    <section
      class={`verdict-findings verdict-findings-${found[0]!.severity}`}
      aria-label={say.verdictFindings}
    >
      <ul>
        {byCode.map(([code, all]) => (
          <li key={code}>
            {describeFinding(all, meanings[code])}
            {all.length > 1 && ` ${say.verdictTimes(all.length)}`} {formatFindingDetail(all)}
            {formatMeasurement(all[0]!)}
          </li>
        ))}
      </ul>
      <p class="verdict-actions">
        {isMendable && (
          <button type="button" class="primary" onClick={() => fixPlotsUndoably([plot])}>
            {describeMend(plot)}
          </button>
        )}
        <Place found={found} />
      </p>
      <details class="problem-detail">
        <summary>{say.problemDetail}</summary>
        {byCode.map(([code]) => (
          <p key={code}>
            <code>{code}</code>
          </p>
        ))}
      </details>
    </section>
  );
}

/** A finding in words, with the numbers or the countries that make it plain. */
function describeFinding(all: readonly PageFinding[], meaning: string): string {
  const say = words.value;
  const [{ code, areas, swapped, countries }] = all as [PageFinding];
  if (code === "GEOMETRY_MISSING") return answerWords.value.noOutline;
  if (swapped !== undefined) {
    const [here, there] = [countries ?? [], swapped.countries].map(formatCountryNames);
    return answerWords.value.swapped(here, there);
  }
  if (areas !== undefined) {
    const { declared, measured } = areas;
    const percent = (100 * (measured - declared)) / declared;
    const change = `${percent < 0 ? "−" : "+"}${figures.value.decimal(Math.abs(percent), 0)} %`;
    const { value } = figures;
    return answerWords.value.areas(value.area(declared, measured), value.area(measured, declared), change);
  }
  return countries === undefined ? meaning : `${meaning} ${say.verdictLiesIn(formatCountryNames(countries))}`;
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
    <button type="button" class="quiet" onClick={() => map.easeTo({ center: [...position] })}>
      {words.value.verdictShowPlace}
    </button>
  );
}
