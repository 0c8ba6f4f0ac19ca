import type { ReportTongue } from "@groundrule/words/languages";
import { replaceControlCharacters } from "../html.ts";
import { formatToneProperties } from "./tone.ts";

/** Named, because some hosts fall back to a font that lacks half of a script. */
const SCRIPT_FONTS =
  `Arabic,Hebrew,Devanagari,Bengali,Tamil,Telugu,Kannada,Malayalam,Gujarati,Gurmukhi,Sinhala,
Thai,Lao,Khmer,Myanmar,Ethiopic,Georgian,Armenian,CJK SC,CJK JP`
    .split(/,\n?/)
    .map((script) => `"Noto Sans ${script}"`)
    .join(", ");

/** Fonts and colours of a page: light, and dark on screens that prefer it; paper is white. */
export const BASE_STYLE: string = `
:root { color-scheme: light dark; ${formatToneProperties("light")} --paper: #fff; --ink: #1a1a1a; --soft: #555; --line: #c9c9c4; --hair: #d9d9d4; --tint: #f3f3ee; --rule: #1a1a1a; --ground: #fafaf7; --map-ink: #111; --sea: #e9eff3; --land: #fbfbf8; --home: #f1ead9; --coast: #8d9296; --mark: #c01906; --accent: #1f5fbf; }
@media screen and (prefers-color-scheme: dark) {
  :root { ${formatToneProperties("dark")} --paper: #121212; --ink: #e9e9e4; --soft: #adada6; --line: #4a4a46; --hair: #333330; --tint: #1d1d1b; --rule: #8a8a84; --ground: #1a1a18; --map-ink: #f2f2ee; --sea: #16202a; --land: #262624; --home: #3b3527; --coast: #777b7f; --mark: #ff6b57; --accent: #8ab4f8; }
}
@media print { :root { color-scheme: light; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink);
  font: 10pt/1.42 "Helvetica Neue", Helvetica, Arial, "Liberation Sans", "Noto Sans", ${SCRIPT_FONTS}, sans-serif;
  print-color-adjust: exact; -webkit-print-color-adjust: exact; -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
h1 { font-size: 17pt; line-height: 1.2; margin: 0 0 1mm; }
h2 { font-size: 12.5pt; margin: 8mm 0 2.5mm; padding-bottom: 1mm; border-bottom: 0.4mm solid var(--rule); break-after: avoid; }
h3 { font-size: 10.5pt; margin: 0; break-after: avoid; }
p { margin: 0 0 2mm; }
h1, h3, dd, p, li, .name { overflow-wrap: anywhere; }
.silent { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.small { font-size: 8.5pt; color: var(--soft); }
.brand { display: flex; justify-content: space-between; font-size: 8.5pt; color: var(--soft); margin-bottom: 4mm; }
td { overflow-wrap: break-word; border-bottom: 0.15mm solid var(--hair); padding: 0.8mm 1.5mm 0.8mm 0; vertical-align: top; }
table { width: 100%; border-collapse: collapse; font-size: 8.5pt; margin: 1mm 0 0; }
th { text-align: left; font-weight: 600; color: var(--soft); border-bottom: 0.3mm solid var(--line); padding: 0.6mm 1.5mm 0.6mm 0; vertical-align: bottom; }
tr { break-inside: avoid; }
thead { display: table-header-group; }
.n { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
th.n, .n.said { white-space: normal; }
.map { display: block; width: 100%; height: auto; font-family: inherit; overflow: visible; }
.map .frame { stroke: var(--coast); }
.sea { fill: var(--sea); } .land { fill: var(--land); stroke: var(--coast); stroke-width: 0.6; } .land.home { fill: var(--home); }
.country { font-size: 8.5px; letter-spacing: 0.06em; fill: var(--soft); }
.alert { border: 0.5mm solid var(--rule); padding: 2.5mm 4mm; margin: 3mm 0; break-inside: avoid; overflow-wrap: anywhere; background: var(--tint); }
svg .ink { fill: var(--map-ink); } svg .veil { fill: var(--paper); fill-opacity: 0.86; } svg .bar { fill: none; stroke: var(--map-ink); }
svg .corner { font-size: 9.5px; stroke: var(--ground); stroke-width: 3px; paint-order: stroke; }
figure { margin: 2mm 0 3mm; break-inside: avoid; }
figcaption { font-size: 8.5pt; color: var(--soft); margin-top: 1mm; }
`;

/** Styles of a report: for a screen, and for A4 with running lines that identify the sheet. */
export function formatPageStyle(
  runningHead: string,
  digest: string,
  words: Pick<ReportTongue["words"], "page" | "pageOf">,
): string {
  return `${BASE_STYLE}
body { margin: 0 auto; max-width: 186mm; padding: 12mm 4mm; }
.verdict { border: 0.5mm solid var(--m); border-left: 4mm solid var(--m); padding: 4mm 5mm; margin: 4mm 0; break-inside: avoid; }
.verdict .word { font-size: 20pt; font-weight: 700; letter-spacing: 0.02em; line-height: 1.15; }
.verdict .word { color: var(--c); }
.verdict .word .lifted { font-size: 13pt; }
.verdict .reason { font-size: 11.25pt; line-height: 16.5pt; }
.verdict p { margin: 1mm 0 0; }
.about.located { display: grid; grid-template-columns: 1fr 58mm; gap: 6mm; align-items: start; break-inside: avoid; }
.locator { margin: 0; } .locator .ring { fill: none; stroke: var(--mark); stroke-width: 1.4; } .locator .dot { fill: var(--mark); stroke: var(--paper); stroke-width: 1; }
.facts { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 1mm 4mm; margin: 0; }
.flow { display: flex; flex-wrap: wrap; gap: 0.4mm 5mm; margin: 0; } .flow dt, .flow dd { display: inline; } .flow dt::after { content: " "; } .flow dd { color: var(--ink); }
dt.wide { grid-column: 1; } dd.wide { grid-column: 2 / -1; }
dt { color: var(--soft); } dd { margin: 0; }
.check { border: 0.25mm solid var(--line); border-left: 2mm solid var(--m); padding: 2.5mm 3.5mm 3mm; margin: 0 0 3.5mm; break-inside: avoid; }
.check.long { break-inside: auto; } .check.brief { border-width: 0 0 0.25mm 2mm; border-bottom-color: var(--hair); padding: 0.8mm 0 1mm 2.5mm; margin: 0 0 1mm; } .brief p { margin: 0.3mm 0 0; line-height: 1.3; break-after: auto; } .brief .exact { display: inline; margin-left: 0.4em; } .check.quiet h3 { font-weight: 400; color: var(--soft); }
.check > header { display: flex; justify-content: space-between; gap: 4mm; align-items: baseline; break-inside: avoid; break-after: avoid; }
.chip { flex: none; font-size: 8.5pt; font-weight: 700; border: 0.35mm solid var(--m, var(--line)); color: var(--c, inherit); padding: 0.2mm 1.8mm; border-radius: 1mm; white-space: nowrap; }
dl + p, table + p { margin-top: 2.5mm; }
.beside { display: grid; grid-template-columns: 1fr 1fr; gap: 6mm; align-items: start; break-inside: avoid; }
.beside > div:only-child { grid-column: 1 / -1; }
.beside figure { margin: 0; }
.ground { font-size: 8.5pt; color: var(--soft); margin: 0.5mm 0 1.5mm; break-after: avoid; }
.exact { display: block; font-size: 7.5pt; color: var(--soft); }
[style] { --shade: var(--c); }
@media screen and (prefers-color-scheme: dark) { [style] { --shade: color-mix(in oklab, var(--c), #fff 45%); } }
.badge { display: inline-block; min-width: 4.6mm; padding: 0 0.8mm; border: 0.5mm solid var(--shade); border-radius: 2.3mm; text-align: center; font-weight: 700; line-height: 1.25; }
.ruled { display: flex; flex-wrap: wrap; align-items: center; gap: 0 2mm; font-size: 7.5pt; color: var(--soft); margin-top: 0.6mm; }
.ruler { flex: 0 1 42mm; min-width: 24mm; } .ruler .track { fill: var(--line); } .ruler .filled { fill: var(--m); } .quiet .ruler .filled { fill: var(--soft); } .ruler .tick { fill: var(--ink); }
code, pre, .mono { font-family: "DejaVu Sans Mono", "Liberation Mono", Consolas, Menlo, monospace; font-size: 7.6pt; }
.digest { overflow-wrap: anywhere; } .digest i { font-style: normal; display: inline-block; margin-right: 0.5em; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; background: var(--tint); padding: 3mm; margin: 1.5mm 0; line-height: 1.35; }
section[aria-labelledby=map] { break-inside: avoid; }
details { margin-top: 4mm; } summary { font-weight: 600; cursor: pointer; }
.from { overflow-wrap: anywhere; white-space: normal; } .whole-digest { display: none; }
@media print { details:not([open]), .short-digest { display: none; } .whole-digest { display: inline; } }
svg .ground { fill: var(--ground); } svg .halo { stroke: var(--paper); } svg .plot { stroke: var(--map-ink); } svg .alone { fill: var(--m); fill-opacity: 0.18; }
svg .whole { fill: var(--shade); fill-opacity: 0.09; } svg pattern .whole { fill-opacity: 0.14; } svg .shaded { stroke: var(--shade); } svg .badge { fill: var(--paper); }
svg .other { fill: none; stroke: var(--soft); stroke-width: 0.8; stroke-dasharray: 3 3; }
svg .property { fill: none; stroke: var(--map-ink); stroke-width: 1; stroke-dasharray: 6 3; }
svg .border { fill: none; stroke: var(--soft); stroke-width: 1.6; stroke-dasharray: 9 3 2 3; }
svg .nearest line { stroke: var(--mark); stroke-width: 1.5; stroke-dasharray: 1 3; stroke-linecap: round; } svg .nearest circle { fill: var(--mark); }
svg .nearest text { font-size: 10.5px; font-weight: 700; fill: var(--map-ink); stroke: var(--ground); stroke-width: 3px; paint-order: stroke; }
.legend { list-style: none; display: flex; flex-wrap: wrap; gap: 0.6mm 5mm; padding: 0; margin: 1.5mm 0 0; font-size: 8.5pt; }
.swatch { display: inline-block; width: 4mm; height: 2.6mm; margin-right: 1.3mm; border: 0.4mm solid var(--shade); background: var(--shade); opacity: 0.85; }
.swatch.plot { background: none; border: 0.6mm solid var(--map-ink); } .swatch.other { background: none; border: 0.25mm dashed var(--soft); } .swatch.property { background: none; border: 0.3mm dashed var(--map-ink); }
.swatch.border, .swatch.nearest { height: 0; vertical-align: 0.9mm; background: none; border: 0; border-top: 0.5mm dashed var(--soft); } .swatch.nearest { border-top: 0.6mm dotted var(--mark); }
ul.plain { margin: 0; padding-left: 5mm; }
.source { break-inside: avoid; padding: 1.5mm 0 2mm; border-bottom: 0.15mm solid var(--hair); }
.source .title { display: flex; justify-content: space-between; gap: 4mm; }
@media screen and (max-width: 160mm) {
  body { padding: 6mm 4mm; font-size: 11pt; }
  .small, .chip, .legend, figcaption, .ground, table { font-size: 10pt; } .exact, .ruled { font-size: 9.5pt; } code, pre, .mono { font-size: 9pt; } .small, table, .ground, figcaption { font-size: 8pt; } .brief h3 { font-size: 9pt; } .legend { font-size: 8pt; }
  .about.located, .beside { grid-template-columns: minmax(0, 1fr); }
  .locator { max-width: 80mm; } .large .corner { display: none; } .large .furniture text, .large .nearest text { font-size: 18px; }
  .check > header, .source .title { flex-wrap: wrap; gap: 1mm 4mm; }
  .cards, .cards tbody, .cards tr, .cards td { display: block; } .cards thead { display: none; }
  .cards tr { border: 0.25mm solid var(--hair); border-radius: 1mm; padding: 2mm 2.5mm; margin-top: 2mm; }
  .cards td, .cards .n { border: 0; padding: 0.4mm 0; text-align: left; white-space: normal; display: flow-root; padding-left: 37%; }
  .cards td::before { content: attr(data-label); color: var(--soft); font-weight: 400; float: left; width: 54%; margin-left: -58.7%; } .cards td:empty { display: none; }
}
@page { size: A4; margin: 14mm 14mm 15mm;
  @top-left { content: ${quoteCssString(runningHead)}; font: 7.5pt "Helvetica Neue", Arial, "Liberation Sans", "Noto Sans", sans-serif; color: #555; }
  @bottom-left { content: ${quoteCssString(digest)}; font: 6.5pt "DejaVu Sans Mono", monospace; color: #555; }
  @bottom-right { content: ${quoteCssString(`${words.page} `)} counter(page) ${quoteCssString(` ${words.pageOf} `)} counter(pages); font: 7.5pt "Helvetica Neue", Arial, "Liberation Sans", sans-serif; color: #555; } }
@page :first { @top-left { content: ""; } }
@media print { body { max-width: none; padding: 0 0.4mm; font-size: 9pt; } .small, table, .ground, figcaption { font-size: 8pt; } .brief h3 { font-size: 9pt; } .legend { font-size: 8pt; } h2 { margin-top: 5mm; } }
`;
}

/** A CSS string; what could end it, or the style element, is written as code points. */
export function quoteCssString(text: string): string {
  return `"${replaceControlCharacters(text).replace(/[^\p{L}\p{N} .,:;@()·_-]/gu, (letter) => `\\${letter.codePointAt(0)!.toString(16)} `)}"`;
}
