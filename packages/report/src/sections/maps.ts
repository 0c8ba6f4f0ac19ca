import { type Html, type HtmlPart, html, renderDataText } from "../html.ts";
import { type MapSign, renderPlotMap } from "../maps/plot-map.ts";
import { findNearestEvidence, listUndrawnAreas, type MapArea, toAreaKey } from "../material.ts";
import {
  getCheckColor,
  listComparedDistances,
  NEUTRAL,
  type Page,
  renderCheckTitle,
  sortPageChecks,
} from "../page/page.ts";
import { formatToneStyle } from "../page/tone.ts";
import { renderSection } from "./facts.ts";

/** The plot with its evidence, its surroundings where evidence lies there, and what the signs mean. */
export function renderMapsSection(page: Page): Html | false {
  const { material, words, subject } = page;
  const { plot, property, views } = material;
  if (plot === undefined || views.length === 0) return false;
  const captions = [words.mapOfPlot, words.mapAround];
  const distances = formatNearestDistances(page);
  const maps = views.map((view, i) => {
    const shape = i === 0 ? 0 : 1;
    return renderPlotMap({
      plot,
      property,
      view,
      shape,
      id: `map${i}`,
      title: words.mapTitle(subject, view.areas.length),
      styleOf: (area) => computeAreaStyle(page, area, shape),
      distances,
      formats: page.formats,
    });
  });
  const figures = maps.map(({ svg }, i) => {
    const caption = [
      captions[i],
      i === 0 && material.isUnasked && views.some(({ areas }) => areas.length > 0) && ` ${words.fromTiles}`,
    ];
    return html`<figure style="${formatToneStyle(page.verdict.verdict)}">${svg}<figcaption>${caption}</figcaption></figure>`;
  });
  const signs = new Set(maps.flatMap((map) => [...map.signs]));
  return renderSection(
    "map",
    words.map,
    html`${figures[0]}
${renderUndrawnAreas(page)}
<div class="beside">${figures[1]}<div>${renderMapLegend(page, signs)}</div></div>`,
  );
}

/** Names that a page lists of what its map lacks. */
const NAMED_MOST = 8;

/** Evidence that the maps do not show, so that nobody takes a map for complete. */
function renderUndrawnAreas({ record, material, words }: Page): Html | false {
  const areas = listUndrawnAreas(record, material);
  if (areas.length === 0) return false;
  const names = areas.slice(0, NAMED_MOST).map(({ name, source_id, source_name }, i) => {
    return html`${i > 0 && ", "}${renderDataText(`${name ?? source_id} (${source_name})`)}`;
  });
  const more = areas.length > NAMED_MOST && ", …";
  return html`<p class="small"><strong>${words.undrawn(areas.length)}</strong> ${names}${more}</p>`;
}

/** Legend of the signs that are on the maps. */
function renderMapLegend(page: Page, signs: ReadonlySet<MapSign>): Html {
  const { material, verdict, words } = page;
  const drawn = new Set(material.views.flatMap(({ areas }) => areas.map(toAreaKey)));
  const checks = verdict.checks.filter((check) =>
    check.evidence.some(
      (item) => drawn.has(toAreaKey(item)) && page.areas.get(toAreaKey(item))?.check === check,
    ),
  );
  const item = (swatch: string, text: HtmlPart, color?: string): Html =>
    html`<li${color !== undefined && html` style="--c: ${color}"`}><span class="swatch ${swatch}"></span>${text}</li>`;
  const swatches = {
    property: words.facts.property,
    other: words.otherAreas,
    border: words.border,
    nearest: words.nearestLine,
  };
  const signWords = {
    inside: words.legendInside,
    outside: words.legendOutside,
    tiny: words.legendTiny,
    number: words.legendNumbers,
  };
  const texts = Object.entries(signWords).flatMap(([sign, text]) => (signs.has(sign as MapSign) ? text : []));
  const sentence = [...texts, words.legendNorth].join("; ");
  return html`<ul class="legend">${item("plot", words.thePlot)}${checks.map((check) => item("", renderCheckTitle(check), getCheckColor(page, check)))}${Object.entries(swatches).map(([sign, text]) => signs.has(sign as MapSign) && item(sign, text))}<li>${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.</li></ul>`;
}

/** Each area has its number on one map: of the plot, or, where it lies off it, of the surroundings. */
function computeAreaStyle(
  page: Page,
  area: MapArea,
  view: 0 | 1,
): { readonly color: string; readonly number?: number } {
  const numbered = page.areas.get(toAreaKey(area));
  if (numbered === undefined) return { color: NEUTRAL };
  const color = getCheckColor(page, numbered.check);
  const isOnPlot = (area.overlap ?? []).length > 0;
  const isOneMap = page.material.views.length === 1;
  return isOneMap || isOnPlot === (view === 0) ? { color, number: numbered.number } : { color };
}

/** For each check that asks for areas within a distance: the nearest area off the plot, with its distance. */
function formatNearestDistances(page: Page): ReadonlyMap<string, string> {
  const distances = new Map<string, string>();
  for (const check of sortPageChecks(page)) {
    const nearest = findNearestEvidence(check);
    if (nearest !== undefined && nearest.meters > 0)
      distances.set(
        nearest.key,
        page.formats.distance(nearest.meters, ...listComparedDistances(page, check)),
      );
  }
  return distances;
}
