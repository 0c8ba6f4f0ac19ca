import type { ReportTongue } from "@groundrule/words/languages";
import { BASE_STYLE, quoteCssString } from "../page/style.ts";
import { formatToneStyle } from "../page/tone.ts";
import { PLOT_STATUSES } from "./portfolio-rows.ts";

/** Styles of the page of a portfolio. */
export function formatPortfolioStyle({ words }: ReportTongue): string {
  const labels = [
    words.number,
    words.plot,
    words.verdict,
    words.area,
    words.place,
    words.triggeredOrOpen,
    words.facts.toBring,
  ];
  return `${BASE_STYLE}
main { max-width: 1120px; margin: 0 auto; padding: 28px 24px 40px; }
.bar { display: flex; height: 14px; gap: 2px; margin: 0 0 10px; } .lead { font-size: 15pt; font-weight: 600; line-height: 1.25; margin: 2mm 0 0; }
.bar span { background: var(--m); min-width: 2px; border-radius: 2px; }
.counts { list-style: none; display: flex; flex-wrap: wrap; gap: 10px 14px; padding: 0; margin: 0; }
.counts li { border-left: 5px solid var(--m); padding: 2px 14px 2px 10px; display: grid; }
.counts .count { font-size: 17pt; font-weight: 700; line-height: 1.15; font-variant-numeric: tabular-nums; }
.exact { display: block; font-size: 7.5pt; font-weight: 400; color: var(--soft); }
.mono { font-family: "DejaVu Sans Mono", "Liberation Mono", Consolas, Menlo, monospace; font-size: 7.6pt; }
.counts .sign, td .sign { color: var(--c); } ${PLOT_STATUSES.map((status, i) => `[data-v="${i}"] { ${formatToneStyle(status)} }`).join(" ")} td.zero { color: var(--soft); font-weight: 400; opacity: 0.75; }
.graticule { fill: none; stroke: var(--coast); stroke-width: 0.6; stroke-opacity: 0.45; }
.outlined { fill: var(--m); fill-opacity: 0.25; stroke: var(--m); stroke-width: 1.1; } .sent { fill: none; stroke-dasharray: 1.5 1.5; } .dotted { fill: none; stroke: var(--m); stroke-width: 5; stroke-linecap: round; vector-effect: non-scaling-stroke; }
.maps .map { max-height: 500px; } .maps.several:has(> :nth-child(4)) { grid-template-columns: repeat(2, 1fr); } .maps.several { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 340px), 1fr)); gap: 16px; }
.lit { fill: none; stroke: var(--map-ink); stroke-width: 2.5; vector-effect: non-scaling-stroke; } .lit[hidden] { display: none; }
#table tbody tr:hover > * { background: var(--tint); }
.wide { overflow-x: auto; } .checks th { min-width: 17mm; } .checks tbody th { color: var(--ink); font-weight: 400; border-bottom: 0.15mm solid var(--hair); min-width: 44mm; }
form { display: flex; flex-wrap: wrap; gap: 8px; margin: 0 0 10px; align-items: center; position: sticky; top: 0; background: var(--paper); padding: 8px 0; z-index: 1; }
form[hidden] { display: none; } form p { margin: 0 0 0 auto; } form label:first-of-type { flex: 1 1 240px; }
input, select, form button, #more { font: inherit; color: inherit; background: var(--paper); border: 1px solid var(--coast); border-radius: 4px; padding: 6px 9px; max-width: 100%; } input { width: 100%; } select { max-width: 240px; }
input::placeholder { color: var(--soft); opacity: 1; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
#table { table-layout: fixed; } #table td, #table tbody th { overflow-wrap: anywhere; font-size: 8.5pt; }
#table tbody th { font-weight: 600; color: var(--ink); border-bottom: 0.15mm solid var(--hair); vertical-align: top; padding: 0.8mm 1.5mm 0.8mm 0; }
#table thead th:nth-child(1) { width: 5.5%; } #table thead th:nth-child(2) { width: 23%; } #table thead th:nth-child(3) { width: 14%; } #table thead th:nth-child(4) { width: 12%; } #table thead th:nth-child(5) { width: 18%; }
#table td:nth-child(4), #table th:nth-child(4) { padding-right: 16px; } #table td:nth-child(1), #table th:nth-child(1) { padding-right: 10px; }
#table tr[hidden] { display: none; }
#more { margin-top: 10px; cursor: pointer; } th button { font: inherit; color: inherit; background: none; border: 0; padding: 2px 0; cursor: pointer; text-align: inherit; } th button::after { content: " ↕"; color: var(--soft); }
th[aria-sort=ascending] button::after { content: " ↑"; } th[aria-sort=descending] button::after { content: " ↓"; }
a { color: var(--accent); }
td .sign { display: inline-block; width: 1.2em; font-weight: 700; }
.foot { margin-top: 8mm; }
@media screen and (max-width: 640px) {
  body { font-size: 11pt; } main { padding: 18px 14px 32px; } .small, figcaption, table { font-size: 10pt; } .exact { font-size: 9.5pt; } .corner { display: none; } .furniture text { font-size: 18px; }
  form { position: static; } form label { flex: 1 1 100%; } select { max-width: none; width: 100%; } form p { margin: 0; } .hint { display: none; }
  #table, #table tbody, #table tbody tr, #table tbody td, #table tbody th { display: block; width: auto; }
  #table thead { display: none; }
  #table tbody tr { border: 1px solid var(--hair); border-radius: 4px; padding: 8px 10px; margin: 0 0 8px; content-visibility: auto; contain-intrinsic-size: auto 150px; }
  #table tbody tr > :nth-child(n) { border: 0; padding: 1px 0 1px 37%; font-size: 10pt; text-align: left; white-space: normal; display: flow-root; }
  #table tbody tr > ::before { float: left; width: 54%; margin-left: -58.7%; } #table tbody tr > :empty { display: none; }
${labels.map((label, i) => `  #table tbody tr > :nth-child(${i + 1})::before { content: ${quoteCssString(label)}; color: var(--soft); font-weight: 400; }`).join("\n")}
}
@page { size: A4 landscape; margin: 14mm; @bottom-right { content: ${quoteCssString(`${words.page} `)} counter(page) ${quoteCssString(` ${words.pageOf} `)} counter(pages); font: 7.5pt "Helvetica Neue", Arial, sans-serif; color: #555; } }
@media print { main { max-width: none; padding: 0; } form, #more { display: none !important; } th button { display: contents; } th button::after { content: none; }  .maps:not(.several) .map { width: auto; height: 66mm; max-width: 100%; } .maps.several { grid-template-columns: repeat(auto-fit, minmax(80mm, 1fr)); } a { color: inherit; text-decoration: none; } }
`;
}
