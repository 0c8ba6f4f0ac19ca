import type { AreaEvidence, CheckResult, SubjectEvidence } from "@groundrule/engine";
import { isAreaEvidence } from "@groundrule/engine/records";
import { listThresholdsInUnit } from "@groundrule/words";
import { type Html, type HtmlPart, html, renderDataText, renderSourceName } from "../html.ts";
import { toAreaKey } from "../material.ts";
import {
  getCheckColor,
  listComparedDistances,
  type Page,
  renderCheckTitle,
  sortPageChecks,
} from "../page/page.ts";
import { renderTable, type TableCell } from "../page/table.ts";

/** Evidence of a check, with the number of items that are not shown or not certain. */
export function renderCheckEvidence(page: Page, check: CheckResult): HtmlPart {
  const { words, formats } = page;
  const { evidence, evidence_total, undetermined } = check;
  const earlier = findSameEvidence(page, check);
  if (earlier !== undefined)
    return html`<p class="small">${words.sameEvidence(renderCheckTitle(earlier))}</p>`;
  const areas = evidence.filter(isAreaEvidence);
  const subjects = evidence.filter((item) => "scheme" in item);
  const caption = html`${words.evidence}: ${renderCheckTitle(check)}`;
  return [
    areas.length > 0 && renderAreaTable(page, check, caption, areas),
    subjects.length > 0 && renderSubjectTable(page, caption, subjects),
    evidence_total > evidence.length &&
      html`<p class="small">${words.showingOf(formats.plain(evidence.length), evidence_total, formats.plain(evidence_total))}</p>`,
    undetermined > 0 &&
      html`<p class="small">${words.undeterminedFor(undetermined, formats.plain(undetermined))}</p>`,
  ];
}

/** The check above on the page that has the same evidence. */
function findSameEvidence(page: Page, check: CheckResult): CheckResult | undefined {
  if (check.evidence.length === 0) return undefined;
  const key = ({ evidence, evidence_total, undetermined }: CheckResult): string =>
    JSON.stringify([evidence, evidence_total, undetermined]);
  const above = sortPageChecks(page).find((each) => key(each) === key(check));
  return above === check ? undefined : above;
}

function renderAreaTable(
  page: Page,
  check: CheckResult,
  caption: HtmlPart,
  areas: readonly AreaEvidence[],
): Html {
  const { words, formats } = page;
  const [squareMeters, shares] = [
    listThresholdsInUnit(check.comparisons, "m²"),
    listThresholdsInUnit(check.comparisons, "share"),
  ];
  const distances = listComparedDistances(page, check);
  const hasDistance = areas.some(({ distance_m }) => distance_m !== undefined);
  return renderTable(
    caption,
    [
      { label: words.number, isNumber: true },
      { label: words.area },
      { label: words.source },
      { label: words.overlap, isNumber: true },
      { label: words.ofThePlot, isNumber: true },
      { label: words.ofTheArea, isNumber: true },
      ...(hasDistance ? [{ label: words.distance, isNumber: true }] : []),
    ],
    areas.map((item): TableCell[] => [
      { text: renderAreaNumberBadge(page, item), class: "no" },
      { text: renderAreaName(page, item), class: "name" },
      { text: renderSourceName(item.source_name) },
      { text: formats.area(item.overlap_area_m2, ...squareMeters) },
      { text: formats.share(item.overlap_ratio, ...shares) },
      {
        text:
          item.area_overlap_ratio === null
            ? words.unknown
            : formats.share(item.area_overlap_ratio, ...shares),
      },
      ...(hasDistance
        ? [{ text: item.distance_m === undefined ? "" : formats.distance(item.distance_m, ...distances) }]
        : []),
    ]),
  );
}

/** The number of an area on the maps, ringed in its colour there. */
function renderAreaNumberBadge(page: Page, item: AreaEvidence): Html | undefined {
  const numbered = page.areas.get(toAreaKey(item));
  if (numbered === undefined) return undefined;
  return html`<span class="badge" style="--c: ${getCheckColor(page, numbered.check)}">${numbered.number}</span>`;
}

function renderAreaName(page: Page, item: AreaEvidence): Html {
  const { words } = page;
  const { name, source_id, country_iso3, undetermined, on } = item;
  return html`${name !== null ? renderDataText(name) : html`<span class="small">${words.noName}</span>`}<span class="exact">${renderDataText(source_id)}${country_iso3 !== null && ` · ${country_iso3}`}${formatRasterCells(page, item)}${on !== undefined && html` · <strong>${words.facts.measuredOnProperty}</strong>`}${undetermined && html` · <strong>${words.undetermined}</strong>`}${renderEvidenceProperties(item)}</span>`;
}

/** For a raster: the number of cells, and the size of one there. */
function formatRasterCells(
  { words, formats, verdict }: Page,
  { source_name, cells = 0 }: AreaEvidence,
): string {
  if (cells === 0) return "";
  const { cell_m } = verdict.sources.find((source) => source.source_name === source_name) ?? {};
  return ` · ${words.cellCount(cells, formats.plain(cells), cell_m && formats.sides(cell_m))}`;
}

function renderSubjectTable({ words }: Page, caption: HtmlPart, subjects: readonly SubjectEvidence[]): Html {
  return renderTable(
    caption,
    [{ label: words.identifier }, { label: words.role }, { label: words.record }, { label: words.register }],
    subjects.map((item): TableCell[] => [
      { text: renderDataText(`${item.scheme} ${item.value}`) },
      { text: item.role === undefined ? "" : renderDataText(item.role) },
      { text: renderSubjectName(item), class: "name" },
      { text: renderSourceName(item.source_name) },
    ]),
  );
}

function renderSubjectName(item: SubjectEvidence): Html {
  const { name, source_id } = item;
  return html`${typeof name === "string" ? html`${renderDataText(name)}<span class="exact">${renderDataText(source_id)}${renderEvidenceProperties(item)}</span>` : [renderDataText(source_id), html`<span class="exact">${renderEvidenceProperties(item)}</span>`]}`;
}

/** The columns that the ruleset shows of an area or a record. */
function renderEvidenceProperties({ properties = {} }: AreaEvidence | SubjectEvidence): HtmlPart {
  return Object.entries(properties).map(
    ([column, value]) =>
      html` · ${renderDataText(column)}: ${value === null ? "–" : renderDataText(String(value))}`,
  );
}
