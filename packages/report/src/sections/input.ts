import { type Html, type HtmlPart, html, renderDataText } from "../html.ts";
import { hasPlot, listInputIdentifiers, type Page } from "../page/page.ts";
import { renderDigest, renderEnglishText, renderSection, renderTermDescription } from "./facts.ts";

/** Input as sent, with its corrections. */
export function renderInputSection(page: Page): Html {
  const { record, verdict, material, words, formats } = page;
  const { input } = record.request;
  const { warnings } = record.response.meta;
  const { bbox } = verdict.input;
  const { plot } = material;
  const positions = plot?.flat(2).length ?? 0;
  const sent =
    plot &&
    words.plotSent(
      formatDiscs(page),
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
${sent !== undefined && renderTermDescription(words.plot, sent)}
${bbox !== undefined && renderTermDescription(words.extent, words.extentText(west!, south!, east!, north!))}
${!hasPlot(record) && renderTermDescription(words.plot, words.noPlot)}
${listInputIdentifiers(record).map(({ type, value, role }) => renderTermDescription(words.identifier, html`${renderDataText(`${type} ${value}`)}${role !== undefined && html` (${renderDataText(role)})`}`))}
${renderTermDescription(words.digest, renderDigest(verdict.input.digest))}
</dl>
${warnings.length > 0 && html`<p class="small">${words.corrections}</p><ul class="plain small">${warnings.map(({ code, message }) => html`<li>${renderEnglishText(renderDataText(message))} <span class="mono">${code}</span></li>`)}</ul>`}`,
  );
}

/** Points of the input, followed by the content of their discs. */
function formatDiscs({ record, verdict, words, formats }: Page): string {
  const { geometry, area_ha } = record.request.input;
  if (area_ha === undefined || area_ha === null || verdict.input.disc === undefined) return "";
  const count = countGeometryPoints(geometry);
  const hectares = formats.plain(Number(area_ha));
  return count === 1 ? words.disc(hectares) : words.discs(hectares, formats.plain(count));
}

/** Points of a GeoJSON geometry or of a Feature around one. */
function countGeometryPoints(geometry: unknown): number {
  const { type, coordinates, geometry: inner } = (geometry ?? {}) as Readonly<Record<string, unknown>>;
  if (type === "Feature") return countGeometryPoints(inner);
  return type === "MultiPoint" && Array.isArray(coordinates) ? coordinates.length : 1;
}

/** How to reach the verdict again, and what it rests on. */
export function renderReproduceSection(page: Page): Html {
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
${renderTermDescription(words.verdict, digest === null ? words.noDigest : renderDigest(digest))}
${renderTermDescription(words.ruleset, renderDigest(ruleset.digest))}
${renderTermDescription(words.semantics, words.semanticsVersion(semantics))}
${engine_version !== undefined && renderTermDescription(words.engine, `groundrule ${engine_version}`)}
${renderTermDescription(words.instant, evaluated_at)}
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
    lack === undefined ? words.notAvailable : renderEnglishText(lack),
    " ",
    words.recordAlone,
  ];
}
