import type { VerdictRecord } from "@groundrule/engine/records";
import { liftedText, shortenText, VERDICT_COLORS } from "@groundrule/words";
import { getTongue } from "@groundrule/words/languages";
import { computePlotExtent } from "./gather-material.ts";
import { html } from "./html.ts";
import { Canvas, formatSvgPath } from "./maps/canvas.ts";
import type { ReportMaterial } from "./material.ts";
import { formatRecordSubject } from "./page/page.ts";
import type { ReportOptions } from "./render-report.ts";
import { SIGNS } from "./words.ts";

const SHAPE = { width: 600, height: 315 } as const;
/** The side of the square that the plot's outline fills, and where it stands. */
const OUTLINE = { side: 172, x: 396, y: 62 } as const;
/** No line has more letters, so that none reaches the outline. */
const LETTERS = { subject: 26, line: 44 } as const;

/**
 * The stamp of a verdict: a card of 600 by 315 pixels with the plot's outline, the word, the ruleset, the day and the
 * first eight digits of the digest, to be pasted where the report has no room. It proves nothing by itself, and says how
 * to verify the verdict. Light on every ground, because it is shown where no style of ours is.
 *
 * @param material of `gatherMaterial`; without its plot the stamp has no outline
 * @returns SVG 1.1 that loads nothing
 */
export function renderStamp(
  record: VerdictRecord,
  { plot }: Pick<ReportMaterial, "plot">,
  { language = "en" }: ReportOptions = {},
): string {
  const tongue = getTongue(language);
  const { words, formats } = tongue;
  const { verdict, ruleset, evaluated_at, digest, sources } = record.response.data;
  const color = VERDICT_COLORS.light;
  const subject = formatRecordSubject(record, tongue);
  const word = words.outcomes[verdict];
  const lifted = liftedText(record.response.data, record.request.ruleset, tongue);
  const day = formats.day(evaluated_at);
  const name = `${ruleset.name ?? words.unnamedRuleset}${ruleset.version === null ? "" : `@${ruleset.version}`}`;
  const groups = digest === null ? [] : [digest.slice(0, 4), digest.slice(4, 8)];
  const { width, height } = SHAPE;
  const svg = html`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" font-family="Helvetica Neue, Helvetica, Arial, Liberation Sans, Noto Sans, sans-serif">
<title>${words.runningHead(shortenText(subject, 200), word, day)}</title>
<rect width="${width}" height="${height}" fill="#ffffff"/>
<rect x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" fill="none" stroke="#c9c9c4"/>
<rect width="14" height="${height}" fill="${color.marks[verdict]}"/>
<text x="38" y="42" font-size="14" fill="#555555">groundrule</text>
${sources.some(({ fictional }) => fictional) && html`<text x="576" y="42" text-anchor="end" font-size="14" font-weight="700" fill="#1a1a1a">${words.fictionalData}</text>`}
<text x="38" y="104" font-size="34" font-weight="700" fill="${color.text[verdict]}">${SIGNS[verdict]} ${word}</text>
<text x="38" y="143" font-size="20" font-weight="700" fill="#1a1a1a">${shortenText(subject, LETTERS.subject)}</text>
<text x="38" y="178" font-size="15" fill="#1a1a1a">${shortenText(name, LETTERS.line)}</text>
<text x="38" y="202" font-size="15" fill="#1a1a1a">${day}</text>
${lifted !== undefined && html`<text x="38" y="228" font-size="14" font-weight="700" fill="#1a1a1a">${shortenText(lifted, LETTERS.line)}</text>`}
${plot !== undefined && renderPlotOutline(plot, color.marks[verdict])}
<line x1="38" y1="250.5" x2="576" y2="250.5" stroke="#d9d9d4"/>
${groups.length > 0 && html`<text x="38" y="284" font-size="18" font-family="DejaVu Sans Mono, Liberation Mono, Consolas, Menlo, monospace" fill="#1a1a1a">${groups[0]}<tspan dx="6">${groups[1]}</tspan></text>`}
<text x="576" y="284" text-anchor="end" font-size="14" fill="#555555">${words.verifyWith}</text>
</svg>`;
  return `${svg.text}\n`;
}

function renderPlotOutline(plot: NonNullable<ReportMaterial["plot"]>, color: string) {
  const { side, x, y } = OUTLINE;
  const canvas = new Canvas(computePlotExtent(plot), { width: side, height: side });
  return html`<path transform="translate(${x} ${y})" d="${formatSvgPath(canvas.polygons(plot))}" fill="${color}" fill-opacity="0.18" fill-rule="evenodd" stroke="#1a1a1a" stroke-width="2" stroke-linejoin="round"/>`;
}
