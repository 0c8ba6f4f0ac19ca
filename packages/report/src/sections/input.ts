import { type Html, type HtmlPart, html, renderDatum } from "../html.ts";
import { hasPlot, listSchemes, type Page } from "../page/page.ts";
import { renderDeclaredFacts } from "./declared.ts";
import { digestText, renderEnglish, renderFact, renderSection } from "./facts.ts";

/** Input as sent, with its corrections. */
export function inputSection(page: Page): Html {
  const { record, verdict, material, words, formats } = page;
  const { input } = record.request;
  const { warnings } = record.response.meta;
  const { bbox } = verdict.input;
  const { plot } = material;
  const positions = plot?.flat(2).length ?? 0;
  const sent =
    plot &&
    words.plotSent(
      discsText(page),
      plot.length,
      formats.plain(plot.length),
      positions,
      formats.plain(positions),
      input.crs ?? "OGC:CRS84",
    );
  const [west, south, east, north] = (bbox ?? []).map((degrees) => formats.plain(degrees));
  return renderSection(
    "input",
    words.input,
    html`<dl class="facts one">
${sent !== undefined && renderFact(words.plot, sent)}
${bbox !== undefined && renderFact(words.extent, words.extentText(west!, south!, east!, north!))}
${!hasPlot(record) && renderFact(words.plot, words.noPlot)}
${listSchemes(record).map(({ type, value, role }) => renderFact(words.identifier, html`${renderDatum(`${type} ${value}`)}${role !== undefined && html` (${renderDatum(role)})`}`))}
${renderFact(words.digest, digestText(verdict.input.digest))}
</dl>
${renderDeclaredFacts(page)}
${warnings.length > 0 && html`<p class="small">${words.corrections}</p><ul class="plain small">${warnings.map(({ code, message }) => html`<li>${renderEnglish(renderDatum(message))} <span class="mono">${code}</span></li>`)}</ul>`}`,
  );
}

/** Points of the input, followed by the content of their discs. */
function discsText({ record, verdict, words, formats }: Page): string {
  const { geometry, area_ha } = record.request.input;
  if (area_ha === undefined || area_ha === null || verdict.input.disc === undefined) return "";
  const count = countPoints(geometry);
  const hectares = formats.plain(Number(area_ha));
  return count === 1 ? words.disc(hectares) : words.discs(hectares, formats.plain(count));
}

/** Points of a GeoJSON geometry or of a Feature around one. */
function countPoints(geometry: unknown): number {
  const { type, coordinates, geometry: inner } = (geometry ?? {}) as Readonly<Record<string, unknown>>;
  if (type === "Feature") return countPoints(inner);
  return type === "MultiPoint" && Array.isArray(coordinates) ? coordinates.length : 1;
}

/** How to reach the verdict again, and what it rests on. */
export function reproduceSection(page: Page): Html {
  const { record, verdict, material, words } = page;
  const { digest, semantics, ruleset, evaluated_at } = verdict;
  const { engine_version } = record.response.meta;
  const isConfirmed = material.replay?.result === "identical";
  return renderSection(
    "reproduce",
    words.reproduce,
    html`<p>${words.reproduceKeep}</p>
<pre>groundrule replay RECORD --data DIR</pre>
<p>${words.reproduceMeans} ${isConfirmed && html`<strong>${words.reproduceDone}</strong>`}</p>
${material.replay === undefined && html`<p class="small">${describeNotReplayed(page)}</p>`}
<dl class="facts one">
${renderFact(words.verdict, digest === null ? words.noDigest : digestText(digest))}
${renderFact(words.ruleset, digestText(ruleset.digest))}
${renderFact(words.semantics, words.semanticsVersion(semantics))}
${engine_version !== undefined && renderFact(words.engine, `groundrule ${engine_version}`)}
${renderFact(words.instant, evaluated_at)}
</dl>
<p class="small">${words.howMeasured}</p>`,
  );
}

/** Why the record was not evaluated again. */
function describeNotReplayed({ material: { isUnasked, lack }, words }: Page): HtmlPart {
  if (isUnasked === true) return words.unverified;
  return [
    words.notEvaluatedAgain,
    " ",
    lack === undefined ? words.notAvailable : renderEnglish(lack),
    " ",
    words.recordAlone,
  ];
}
