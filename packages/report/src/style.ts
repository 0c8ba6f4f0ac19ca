import { visible } from "./html.ts";

/** Named, because some hosts fall back to a font that lacks half of a script. */
const SCRIPT_FONTS = [
  ...["Arabic", "Hebrew", "Devanagari", "Bengali", "Tamil", "Telugu", "Kannada", "Malayalam", "Gujarati"],
  ...[
    "Gurmukhi",
    "Sinhala",
    "Thai",
    "Lao",
    "Khmer",
    "Myanmar",
    "Ethiopic",
    "Georgian",
    "Armenian",
    "CJK SC",
    "CJK JP",
  ],
]
  .map((script) => `"Noto Sans ${script}"`)
  .join(", ");

/** Styles of the page: for a screen, and for A4 with running lines that say what the sheet is. */
export function pageStyle(runningHead: string, digest: string): string {
  return `
:root { color-scheme: light; }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 186mm; padding: 12mm 4mm; background: #fff; color: #1a1a1a;
  font: 10pt/1.42 "Helvetica Neue", Helvetica, Arial, "Liberation Sans", "Noto Sans", ${SCRIPT_FONTS}, sans-serif;
  print-color-adjust: exact; -webkit-print-color-adjust: exact; }
h1 { font-size: 17pt; line-height: 1.2; margin: 0 0 1mm; }
h2 { font-size: 12.5pt; margin: 8mm 0 2.5mm; padding-bottom: 1mm; border-bottom: 0.4mm solid #1a1a1a; break-after: avoid; }
h3 { font-size: 10.5pt; margin: 0; break-after: avoid; }
p { margin: 0 0 2mm; }
h1, h3, dd, p, li, .name { overflow-wrap: anywhere; }
td { overflow-wrap: break-word; }
.brand { display: flex; justify-content: space-between; font-size: 8.5pt; color: #555; margin-bottom: 4mm; }
.verdict { border: 0.5mm solid var(--c); border-left: 4mm solid var(--c); padding: 4mm 5mm; margin: 4mm 0; break-inside: avoid; }
.verdict .word { font-size: 20pt; font-weight: 700; letter-spacing: 0.02em; line-height: 1.15; }
.verdict .word .sign { color: var(--c); }
.verdict p { margin: 1mm 0 0; }
.facts { display: grid; grid-template-columns: max-content 1fr max-content 1fr; gap: 1mm 4mm; margin: 0; }
.facts.one { grid-template-columns: max-content 1fr; }
dt.wide { grid-column: 1; } dd.wide { grid-column: 2 / -1; }
dt { color: #555; } dd { margin: 0; }
.alert { border: 0.5mm solid #1a1a1a; padding: 2.5mm 4mm; margin: 3mm 0; break-inside: avoid; background: #f3f3ee; }
.check { border: 0.25mm solid #c9c9c4; border-left: 2mm solid var(--c); padding: 2.5mm 3.5mm 3mm; margin: 0 0 3.5mm; }
.check { break-inside: avoid; } .check.long { break-inside: auto; }
.check.quiet { border-left-color: #c9c9c4; }
.check > header { display: flex; justify-content: space-between; gap: 4mm; align-items: baseline; break-inside: avoid; break-after: avoid; }
.chip { flex: none; font-size: 8.5pt; font-weight: 700; border: 0.35mm solid var(--c, #777); padding: 0.2mm 1.8mm; border-radius: 1mm; white-space: nowrap; }
.chip .sign { color: var(--c, #555); }
.small { font-size: 8.5pt; color: #444; }
dl + p, table + p { margin-top: 2.5mm; }
.beside { display: grid; grid-template-columns: 1fr 1fr; gap: 6mm; align-items: start; break-inside: avoid; }
.beside > div:only-child { grid-column: 1 / -1; }
.beside figure { margin: 0; }
.ground { font-size: 8.5pt; color: #444; margin: 0.5mm 0 1.5mm; break-after: avoid; }
table { width: 100%; border-collapse: collapse; font-size: 8.5pt; margin: 1mm 0 0; }
th { text-align: left; font-weight: 600; color: #444; border-bottom: 0.3mm solid #777; padding: 0.6mm 1.5mm 0.6mm 0; vertical-align: bottom; }
td { border-bottom: 0.15mm solid #d9d9d4; padding: 0.8mm 1.5mm 0.8mm 0; vertical-align: top; }
tr { break-inside: avoid; }
thead { display: table-header-group; }
.n { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
th.n { white-space: normal; }
.exact { display: block; font-size: 7.5pt; color: #666; }
.no { font-weight: 700; }
code, pre, .mono { font-family: "DejaVu Sans Mono", "Liberation Mono", Consolas, Menlo, monospace; font-size: 7.6pt; }
.digest { overflow-wrap: anywhere; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; background: #f6f6f2; padding: 3mm; margin: 1.5mm 0; line-height: 1.35; }
figure { margin: 2mm 0 3mm; break-inside: avoid; }
.map { display: block; width: 100%; height: auto; font-family: inherit; }
figcaption { font-size: 8.5pt; color: #444; margin-top: 1mm; }
.legend { list-style: none; display: flex; flex-wrap: wrap; gap: 0.6mm 5mm; padding: 0; margin: 1.5mm 0 0; font-size: 8.5pt; }
.swatch { display: inline-block; width: 4mm; height: 2.6mm; margin-right: 1.3mm; border: 0.4mm solid var(--c); background: var(--c); opacity: 0.85; }
.swatch.plot { background: none; border: 0.6mm solid #111; }
ul.plain { margin: 0; padding-left: 5mm; }
.source { break-inside: avoid; padding: 1.5mm 0 2mm; border-bottom: 0.15mm solid #d9d9d4; }
.source .title { display: flex; justify-content: space-between; gap: 4mm; }
@media screen and (max-width: 160mm) {
  body { padding: 6mm 4mm; }
  .facts { grid-template-columns: max-content 1fr; }
  .facts.one.small { grid-template-columns: max-content minmax(0, 1fr); }
  .beside { grid-template-columns: 1fr; }
  .check { overflow-x: auto; }
  .check > header { flex-wrap: wrap; }
  td.name, td:first-child:not(.n):not(.mono) { min-width: 28mm; }
}
@page { size: A4; margin: 16mm 14mm 18mm;
  @top-left { content: ${quoted(runningHead)}; font: 7.5pt "Helvetica Neue", Arial, "Liberation Sans", "Noto Sans", sans-serif; color: #555; }
  @bottom-left { content: ${quoted(digest)}; font: 6.5pt "DejaVu Sans Mono", monospace; color: #555; }
  @bottom-right { content: "Page " counter(page) " of " counter(pages); font: 7.5pt "Helvetica Neue", Arial, "Liberation Sans", sans-serif; color: #555; } }
@page :first { @top-left { content: ""; } }
@media print { body { max-width: none; padding: 0 0.4mm; } h2 { margin-top: 6mm; } }
`;
}

/** A CSS string; what could end it, or the style element, is written as code points. */
function quoted(text: string): string {
  return `"${visible(text).replace(/[^\p{L}\p{N} .,:;@()·_-]/gu, (letter) => `\\${letter.codePointAt(0)!.toString(16)} `)}"`;
}
