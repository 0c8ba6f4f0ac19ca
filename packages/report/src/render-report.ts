import type {
  AreaEvidence,
  CheckResult,
  ComparisonResult,
  Ruleset,
  RulesetSet,
  SourceEntry,
  SourceOutcome,
  SubjectEvidence,
} from "@groundrule/engine";
import { isAreaEvidence, type VerdictRecord } from "@groundrule/engine/records";
import { formatRuleset, type Palette, palette } from "@groundrule/engine/rulesets";
import {
  counted,
  decimal,
  formatArea,
  formatDay,
  formatDistance,
  formatInstant,
  formatPlace,
  formatShare,
} from "./format.ts";
import { datum, type Html, type HtmlPart, html, raw, sourceName } from "./html.ts";
import { renderMap } from "./map.ts";
import { keyOf, type MapArea, type ReportMaterial } from "./material.ts";
import { pageStyle } from "./style.ts";
import {
  checkWord,
  coverageText,
  holds,
  isLoud,
  meaningOf,
  measureText,
  nearestMeters,
  notCoveredText,
  operatorText,
  SIGNS,
  valueText,
  WORDS,
} from "./words.ts";

/**
 * The report of a verdict: one HTML page that asks the network for nothing and prints on A4.
 *
 * Everything that comes from data is escaped; text keeps its own direction of writing. The same
 * record and material give the same page.
 */
export function renderReport(record: VerdictRecord, material: ReportMaterial): string {
  const page = new Report(record, material);
  return `<!doctype html>\n${page.render().text}\n`;
}

const NEUTRAL = "#777777";

class Report {
  readonly #record: VerdictRecord;
  readonly #verdict: VerdictRecord["response"]["data"];
  readonly #material: ReportMaterial;
  readonly #ruleset: Ruleset | undefined;
  readonly #palette: Palette;
  readonly #sources: ReadonlyMap<string, SourceEntry>;
  /** Areas of the evidence, numbered in the order of the page, with the check they stand first under. */
  readonly #areas: ReadonlyMap<string, { readonly number: number; readonly check: CheckResult }>;

  constructor(record: VerdictRecord, material: ReportMaterial) {
    this.#record = record;
    this.#verdict = record.response.data;
    this.#material = material;
    this.#ruleset = readable(record.request.ruleset);
    this.#palette = palette({ checks: this.#ruleset?.checks ?? this.#verdict.checks.map(plainCheck) });
    this.#sources = new Map(material.sources.map((source) => [source.source_name, source]));
    this.#areas = numberAreas(this.#verdict.checks);
  }

  render(): Html {
    const title = `Compliance verdict: ${this.#subject}`;
    const running = `Compliance verdict · ${this.#subject} · ${WORDS[this.#verdict.verdict]} · ${formatDay(this.#verdict.evaluated_at)}`;
    return html`<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${title}</title>
<style>${raw(pageStyle(running.slice(0, 110), this.#verdict.digest ?? ""))}</style>
</head>
<body>
${this.#head()}
${this.#replayed()}
${this.#maps()}
${this.#checks()}
${this.#openQuestions()}
${this.#sourceList()}
${this.#input()}
${this.#reproduce()}
${this.#policy()}
</body>
</html>`;
  }

  get #subject(): string {
    const { id, request, response } = this.#record;
    if (id !== undefined) return typeof id === "number" ? `plot ${id}` : id;
    const [scheme] = this.#schemes();
    const what = this.#hasPlot || scheme === undefined ? "a plot" : `${scheme.type} ${scheme.value}`;
    return response.data.reference_id ?? request.reference_id ?? what;
  }

  /** The middle of the plot's map; a bbox has none where a plot lies on both sides of the antimeridian. */
  #middle(): string | undefined {
    const box = this.#material.views[0]?.frame ?? this.#verdict.input.bbox;
    return box === undefined ? undefined : formatPlace((box[0] + box[2]) / 2, (box[1] + box[3]) / 2);
  }

  get #hasPlot(): boolean {
    return this.#verdict.input.area_m2 !== undefined;
  }

  #head(): Html {
    const { verdict, checks, ruleset, evaluated_at, input, reference_id, sources } = this.#verdict;
    const triggered = checks.filter((check) => check.triggered);
    const unanswered = checks.filter((check) => check.status !== "ok");
    const color = this.#palette.outcomes[verdict];
    const name = ruleset.name ?? "an unnamed ruleset";
    return html`<div class="brand"><span>groundrule</span><span>${formatInstant(evaluated_at)}</span></div>
<h1>${datum(this.#subject)}</h1>
<p class="small">evaluated with ${datum(name)}${ruleset.version !== null && ` version ${ruleset.version}`}</p>
<section class="verdict" style="--c: ${color}">
<div class="word"><span class="sign">${SIGNS[verdict]}</span> ${WORDS[verdict]}</div>
<p>${meaningOf(this.#verdict)} ${decimal(triggered.length, 0)} of ${counted(checks.length, "check")} triggered.</p>
<ul class="plain">${triggered.map((check) => html`<li><strong>${WORDS[check.outcome ?? "NOTICE"]}</strong>: ${datum(check.title ?? check.id)}</li>`)}${unanswered.map((check) => html`<li><strong>${checkWord(check)}</strong>: ${datum(check.title ?? check.id)}</li>`)}</ul>
</section>
<dl class="facts">
${this.#hasPlot && fact("Area of the plot", formatArea(input.area_m2 ?? 0))}
${this.#middle() !== undefined && fact("Centre of the plot", this.#middle())}
${fact("Evaluated", formatInstant(evaluated_at))}
${fact("Sources used", `${decimal(sources.length, 0)}, the oldest collected ${this.#oldest()} earlier`)}
${reference_id !== undefined && reference_id !== null && wideFact("Reference", datum(reference_id))}
${
  this.#schemes().length > 0 &&
  wideFact(
    "Identifiers",
    this.#schemes().map(
      (scheme, i) =>
        html`${i > 0 && html`<br>`}${datum(`${scheme.type} ${scheme.value}`)}${scheme.role !== undefined && html` (${datum(scheme.role)})`}`,
    ),
  )
}
</dl>`;
  }

  #oldest(): string {
    const ages = this.#verdict.sources.flatMap(({ age_days }) => age_days ?? []);
    return ages.length === 0 ? "an unknown number of days" : counted(Math.max(...ages), "day");
  }

  #schemes(): readonly { readonly type: string; readonly value: string; readonly role?: string }[] {
    const { scheme } = this.#record.request.input;
    return scheme === undefined || scheme === null ? [] : [scheme].flat();
  }

  #replayed(): Html | false {
    const { replay, lack } = this.#material;
    if (replay === undefined) {
      return html`<div class="alert"><strong>Not evaluated again.</strong> ${lack ?? "The editions were not available."} This page shows what the record says, without the geometries of the evidence.</div>`;
    }
    if (replay.result === "identical") return false;
    const same = replay.differs.length === 1 && replay.differs[0] === "description";
    if (same) {
      return html`<div class="alert">A second evaluation gives the same decision, but these members around it differ: ${replay.changes.map(({ pointer }) => pointer).join(", ")}.</div>`;
    }
    return html`<div class="alert"><strong>This record is not confirmed.</strong> A second evaluation gives ${replay.verdict.replayed ?? "no verdict"}; the record says ${replay.verdict.recorded}. Differences: ${replay.differs.join(", ")}.${replay.error !== undefined && html` ${datum(replay.error.message)}`}
${replay.changes.length > 0 && html`<ul class="plain">${replay.changes.slice(0, 8).map((change) => html`<li><code>${change.pointer}</code>: ${shown(change.recorded)}, now ${shown(change.replayed)}</li>`)}</ul>`}</div>`;
  }

  #maps(): Html | false {
    const { plot, views } = this.#material;
    if (plot === undefined || views.length === 0) return false;
    const captions = ["The plot and the evidence on it", "The surroundings and the evidence near the plot"];
    const drawn = new Set(views.flatMap(({ areas }) => areas.map(keyOf)));
    const checks = this.#verdict.checks.filter((check) =>
      check.evidence.some((item) => drawn.has(keyOf(item)) && this.#areas.get(keyOf(item))?.check === check),
    );
    const legend = html`<ul class="legend"><li><span class="swatch plot"></span>the plot</li>${checks.map((check) => html`<li style="--c: ${this.#checkColor(check)}"><span class="swatch"></span>${datum(check.title ?? check.id)}</li>`)}<li>Hatched: part of the area inside the plot. Dashed outline: part outside it. Circle: area too small to draw. The numbers refer to the evidence below. North is up; coordinates are WGS 84.</li></ul>`;
    const figures = views.map(
      (view, i) =>
        html`<figure>${renderMap({
          plot,
          view,
          shape: i === 0 ? 0 : 1,
          id: `map${i}`,
          title: `Map of ${this.#subject}`,
          styleOf: (area) => this.#areaStyle(area, i),
        })}<figcaption>${captions[i]}.</figcaption></figure>`,
    );
    return html`<h2>Map</h2>
${figures[0]}
<div class="beside">${figures[1]}<div>${legend}</div></div>`;
  }

  /** Each area has its number on one map: of the plot, or, where it lies off it, of the surroundings. */
  #areaStyle(area: MapArea, view: number): { readonly color: string; readonly number?: number } {
    const numbered = this.#areas.get(keyOf(area));
    if (numbered === undefined) return { color: NEUTRAL };
    const color = this.#checkColor(numbered.check);
    const isOnPlot = (area.overlap ?? []).length > 0;
    return isOnPlot === (view === 0) ? { color, number: numbered.number } : { color };
  }

  #checkColor({ id }: CheckResult): string {
    return this.#palette.checks[id] ?? NEUTRAL;
  }

  #checks(): Html {
    const { checks } = this.#verdict;
    const ordered = [...checks.filter(isLoud), ...checks.filter((check) => !isLoud(check))];
    return html`<h2>Checks</h2>${ordered.map((check) => this.#check(check))}`;
  }

  #check(check: CheckResult): Html {
    const { id, title, status, outcome, comparisons } = check;
    const outcomeColor =
      status === "failed"
        ? this.#palette.outcomes.DEGRADED
        : outcome === null
          ? NEUTRAL
          : this.#palette.outcomes[outcome];
    const sign = status === "failed" ? SIGNS.DEGRADED : outcome === null ? "–" : SIGNS[outcome];
    const rule = this.#ruleset?.checks.find((each) => each.id === id);
    const nearest = nearestMeters(check);
    const joined = rule !== undefined && "any" in rule ? "any" : "all";
    return html`<section class="check${!isLoud(check) && " quiet"}${check.evidence.length > 10 && " long"}" style="--c: ${this.#checkColor(check)}">
<header><h3>${datum(title ?? id)}</h3><span class="chip" style="--c: ${outcomeColor}"><span class="sign">${sign}</span> ${checkWord(check)}</span></header>
<p class="ground">${rule?.description !== undefined && html`${datum(rule.description)} `}<span class="mono">${id}</span>${rule === undefined ? "" : ` · outcome when triggered: ${WORDS[rule.outcome]}`}</p>
${status === "not_covered" && html`<p>${notCoveredText(check)}${rule !== undefined && ` The ruleset counts that as “${WORDS[outcome ?? "NOTICE"]}”.`}</p>`}
<table><thead><tr><th>Measured${comparisons.length > 1 && html` (${joined} of these)`}</th><th class="n">Value</th><th></th><th class="n">Threshold</th><th class="n">Holds</th></tr></thead><tbody>
${comparisons.map((comparison) => {
  const [value, threshold] = [
    valueText(comparison, comparison.value),
    valueText(comparison, comparison.threshold),
  ];
  return html`<tr><td>${measureText(comparison, this.#holding(comparison.set))}</td><td class="n">${value.text}${value.exact !== undefined && html`<span class="exact">${value.exact}</span>`}${nearest !== undefined && this.#isByDistance(comparison) && html`<span class="exact">nearest ${formatDistance(nearest)}</span>`}</td><td>${operatorText(comparison)}</td><td class="n">${threshold.text}${threshold.exact !== undefined && html`<span class="exact">${threshold.exact}</span>`}</td><td class="n">${holds(comparison)}</td></tr>`;
})}
</tbody></table>
${this.#evidence(check)}
</section>`;
  }

  /** Whether a comparison counts the areas within a distance: how near the nearest is says more than their number. */
  #isByDistance({ set, measure }: ComparisonResult): boolean {
    const sets = this.#ruleset?.sets ?? {};
    return measure === "count" && Object.hasOwn(sets, set) && "within_m" in sets[set]!;
  }

  #holding(set: string): "areas" | "records" {
    const found =
      this.#ruleset !== undefined && Object.hasOwn(this.#ruleset.sets, set) && this.#ruleset.sets[set];
    return found && "registers" in found ? "records" : "areas";
  }

  #evidence(check: CheckResult): HtmlPart {
    const { evidence, evidence_total, undetermined } = check;
    const areas = evidence.filter(isAreaEvidence);
    const subjects = evidence.filter((item) => "scheme" in item);
    return [
      areas.length > 0 && this.#areaTable(areas),
      subjects.length > 0 && subjectTable(subjects),
      evidence_total > evidence.length &&
        html`<p class="small">Showing ${decimal(evidence.length, 0)} of ${counted(evidence_total, "evidence item")}, the largest overlaps first, then the nearest. The verdict takes all of them into account.</p>`,
      undetermined > 0 &&
        html`<p class="small">For <strong>${counted(undetermined, "area")}</strong> the filter of the check could not be decided, because a value is missing; marked “undetermined”.</p>`,
    ];
  }

  #areaTable(areas: readonly AreaEvidence[]): Html {
    const hasDistance = areas.some(({ distance_m }) => distance_m !== undefined);
    return html`<table><thead><tr><th class="n">No.</th><th>Area</th><th>Source</th><th class="n">Overlap</th><th class="n">of the plot</th><th class="n">of the area</th>${hasDistance && html`<th class="n">Distance</th>`}</tr></thead><tbody>
${areas.map(
  (item) =>
    html`<tr><td class="n no">${this.#areas.get(keyOf(item))?.number}</td><td class="name">${item.name !== null ? datum(item.name) : html`<span class="small">no name</span>`}<span class="exact">${datum(item.source_id)}${item.country_iso3 !== null && ` · ${item.country_iso3}`}${item.undetermined && html` · <strong>undetermined</strong>`}</span>${propertiesText(item)}</td><td>${sourceName(item.source_name)}</td><td class="n">${formatArea(item.overlap_area_m2)}</td><td class="n">${formatShare(item.overlap_ratio)}</td><td class="n">${item.area_overlap_ratio === null ? "unknown" : formatShare(item.area_overlap_ratio)}</td>${hasDistance && html`<td class="n">${item.distance_m === undefined ? "" : formatDistance(item.distance_m)}</td>`}</tr>`,
)}
</tbody></table>`;
  }

  #openQuestions(): Html {
    const { checks, sources } = this.#verdict;
    const failed = sources.filter(({ status }) => status === "failed");
    const without = sources.filter(({ without_country }) => (without_country ?? 0) > 0);
    const items = [
      ...failed.map(
        ({ source_name, reason }) =>
          html`<li><strong>${source_name}</strong> could not be opened${reason !== undefined && html`: ${datum(reason)}`}.</li>`,
      ),
      ...checks
        .filter(({ status }) => status === "failed")
        .map(
          ({ id, title }) =>
            html`<li>The check “${datum(title ?? id)}” is undecided, because the data of the failed sources could change it.</li>`,
        ),
      ...checks
        .filter(({ status }) => status === "not_covered")
        .map(
          (check) =>
            html`<li>The check “${datum(check.title ?? check.id)}” is not answered. ${notCoveredText(check)}</li>`,
        ),
      ...sources
        .filter(({ coverage }) => coverage === "undeclared")
        .map(
          ({ source_name }) =>
            html`<li><strong>${source_name}</strong> does not say where it speaks. It is assumed to cover the plot.</li>`,
        ),
      ...(this.#verdict.ruleset.not_examined ?? []).map(
        (text) => html`<li>The ruleset does not examine: ${datum(text)}</li>`,
      ),
      ...checks
        .filter(({ undetermined }) => undetermined > 0)
        .map(
          ({ id, title, undetermined }) =>
            html`<li>In “${datum(title ?? id)}”, the filter could not be decided for ${counted(undetermined, "area")}.</li>`,
        ),
      ...without.map(
        ({ source_name, without_country }) =>
          html`<li>${counted(without_country ?? 0, "area")} of ${source_name} ${without_country === 1 ? "has" : "have"} no country, so ${without_country === 1 ? "it was" : "they were"} left out of a check that requires one.</li>`,
      ),
    ];
    return html`<h2>Not determined</h2>${
      items.length === 0
        ? html`<p>Nothing: every source answered, and every check was decided.</p>`
        : html`<ul class="plain">${items}</ul>`
    }`;
  }

  #sourceList(): Html {
    return html`<h2>Sources</h2>${this.#verdict.sources.map((source) => this.#source(source))}`;
  }

  #source(outcome: SourceOutcome): Html {
    const { source_name, status, edition, collected_at, age_days, matched, left_out, reason } = outcome;
    const entry = this.#sources.get(source_name);
    const failed = status === "failed";
    const covered = coverageText(outcome, entry?.coverage?.known);
    const collected =
      collected_at === undefined
        ? "on an unknown day"
        : `${formatDay(collected_at)}${age_days === undefined ? "" : `, ${counted(age_days, "day")} before this evaluation`}`;
    return html`<div class="source"><div class="title"><h3>${datum(entry?.source_dataset ?? source_name)}</h3>${failed ? html`<span class="chip" style="--c: ${this.#palette.outcomes.DEGRADED}"><span class="sign">${SIGNS.DEGRADED}</span> Failed</span>` : html`<span class="small">${counted(matched, entry?.kind === "subject_register" ? "record" : "area")} matched</span>`}</div>
<dl class="facts one small">
${fact("Name", html`${source_name}${entry?.category !== undefined && html` · ${datum(entry.category)}`}`)}
${!failed && fact("Collected", collected)}
${covered !== undefined && fact("Covers", covered)}
${left_out !== undefined && left_out > 0 && fact("Left out", `${counted(left_out, entry?.kind === "subject_register" ? "row" : "feature")} of the source could not be stored and ${left_out === 1 ? "was" : "were"} not examined`)}
${fact("Licence", entry === undefined ? "not available" : (entry.license_spdx ?? "not stated"))}
${entry?.source_url !== undefined && fact("Published at", html`<span class="digest">${entry.source_url}</span>`)}
${edition !== undefined && fact("Edition", html`<span class="mono digest">${edition}</span>`)}
${failed && reason !== undefined && fact("Reason", datum(reason))}
</dl></div>`;
  }

  #input(): Html {
    const { input } = this.#record.request;
    const { warnings } = this.#record.response.meta;
    const { bbox } = this.#verdict.input;
    const { plot } = this.#material;
    const positions = plot?.flat(2).length;
    return html`<h2>Input</h2><dl class="facts one">
${positions !== undefined && fact("Plot", `${this.#discs()}${counted(plot!.length, "polygon")}, ${counted(positions, "position")}, sent in ${input.crs ?? "OGC:CRS84"}`)}
${bbox !== undefined && fact("Extent", `west ${bbox[0]}°, south ${bbox[1]}°, east ${bbox[2]}°, north ${bbox[3]}°`)}
${!this.#hasPlot && fact("Plot", "none; the checks concern identifiers only")}
${this.#schemes().map(({ type, value, role }) => fact("Identifier", html`${datum(`${type} ${value}`)}${role !== undefined && html` (${datum(role)})`}`))}
${fact("Digest", html`<span class="mono digest">${this.#verdict.input.digest}</span>`)}
</dl>
${warnings.length > 0 && html`<p class="small">Corrections and warnings:</p><ul class="plain small">${warnings.map(({ code, message }) => html`<li>${datum(message)} <span class="mono">${code}</span></li>`)}</ul>`}`;
  }

  /** What points stand for, before what their discs hold. */
  #discs(): string {
    const { geometry, area_ha } = this.#record.request.input;
    if (area_ha === undefined || area_ha === null || this.#verdict.input.disc === undefined) return "";
    const count = pointCount(geometry);
    const ofArea = `of ${area_ha} ha around`;
    return count === 1 ? `a disc ${ofArea} the point: ` : `a disc ${ofArea} each of ${count} points: `;
  }

  #reproduce(): Html {
    const { digest, semantics, ruleset } = this.#verdict;
    const { meta } = this.#record.response;
    const confirmed = this.#material.replay?.result === "identical";
    return html`<h2>How to reproduce this verdict</h2>
<p>Keep the record from which this page was made, and a data folder that contains the editions named above. Then run, on any machine and without a network:</p>
<pre>groundrule replay RECORD --data DIR</pre>
<p>The command opens exactly those editions, checks each against its digest, evaluates the request again, and says whether the digest and every figure are the same. ${confirmed && html`<strong>This was done when the page was made, and the result was identical.</strong>`}</p>
<dl class="facts one">
${fact("Verdict", html`<span class="mono digest">${digest ?? "none, because the reference kernel gives no digest"}</span>`)}
${fact("Ruleset", html`<span class="mono digest">${ruleset.digest}</span>`)}
${fact("Semantics", `version ${semantics}`)}
${meta.engine_version !== undefined && fact("Engine", `groundrule ${meta.engine_version}`)}
${fact("Instant", this.#verdict.evaluated_at)}
</dl>
<p class="small">Areas are computed on the WGS 84 ellipsoid, and distances along the shortest geodesics. Every comparison uses the figure as printed, so a reader can check it from this page. A verdict says what the sources show on their dates; it is not a survey and not legal advice.</p>`;
  }

  #policy(): Html {
    const { ruleset } = this.#record.request;
    const groups = Object.entries(this.#record.groups ?? {});
    return html`<h2>Ruleset</h2>
${this.#ruleset?.description !== undefined && html`<p>${datum(this.#ruleset.description)}</p>`}
${this.#ruleset !== undefined && html`<table><thead><tr><th>Set</th><th>Contains</th></tr></thead><tbody>${Object.entries(this.#ruleset.sets).map(([name, set]) => html`<tr><td class="mono">${name}</td><td>${setText(set)}</td></tr>`)}</tbody></table>`}
${groups.length > 0 && html`<p class="small">Groups at the time: ${groups.map(([name, members], i) => html`${i > 0 && "; "}${name} = ${members.join(", ")}`)}.</p>`}
<h3 style="margin-top: 4mm">Ruleset as sent</h3>
<pre>${linewise(ruleset)}</pre>`;
  }
}

/** Points of a GeoJSON geometry or of a Feature around one. */
function pointCount(geometry: unknown): number {
  const { type, coordinates, geometry: inner } = (geometry ?? {}) as Readonly<Record<string, unknown>>;
  if (type === "Feature") return pointCount(inner);
  return type === "MultiPoint" && Array.isArray(coordinates) ? coordinates.length : 1;
}

function fact(term: string, value: HtmlPart): Html {
  return html`<dt>${term}</dt><dd>${value}</dd>`;
}

/** Like {@link fact}, over the whole width. */
function wideFact(term: string, value: HtmlPart): Html {
  return html`<dt class="wide">${term}</dt><dd class="wide">${value}</dd>`;
}

function shown(value: unknown): Html {
  return value === undefined ? html`nothing` : datum(JSON.stringify(value).slice(0, 120));
}

/** The columns that the ruleset shows of an area or a record. */
function propertiesText({ properties = {} }: AreaEvidence | SubjectEvidence): HtmlPart {
  return Object.entries(properties).map(
    ([column, value]) =>
      html`<span class="exact">${datum(column)}: ${value === null ? "–" : datum(String(value))}</span>`,
  );
}

function subjectTable(subjects: readonly SubjectEvidence[]): Html {
  return html`<table><thead><tr><th>Identifier</th><th>Role</th><th>Record</th><th>Register</th></tr></thead><tbody>
${subjects.map((item) => html`<tr><td>${datum(`${item.scheme} ${item.value}`)}</td><td>${item.role !== undefined && datum(item.role)}</td><td class="name">${typeof item.name === "string" ? html`${datum(item.name)}<span class="exact">${datum(item.source_id)}</span>` : datum(item.source_id)}${propertiesText(item)}</td><td>${sourceName(item.source_name)}</td></tr>`)}
</tbody></table>`;
}

/** JSON with a line for each set and check. */
function linewise(ruleset: object): string {
  const lines = (value: unknown, depth: number): string => {
    if (typeof value !== "object" || value === null || depth === 0) return JSON.stringify(value);
    const indent = "  ".repeat(3 - depth);
    const inner = Array.isArray(value)
      ? value.map((item) => lines(item, depth - 1))
      : Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}: ${lines(member, depth - 1)}`);
    const [open, close] = Array.isArray(value) ? ["[", "]"] : ["{", "}"];
    if (inner.length === 0) return open + close;
    return `${open}\n${inner.map((line) => `${indent}${line}`).join(",\n")}\n${"  ".repeat(2 - depth)}${close}`;
  };
  return lines(ruleset, 2);
}

/** What a set holds, in words, as {@link readable} wrote it. */
function setText(set: RulesetSet): Html {
  const names = (list: readonly string[]) => list.join(", ");
  if ("registers" in set) {
    const how = set.match === "root" ? "records of the same company" : "records of the same identifier";
    return html`${how} in ${names(set.registers)}${set.asks !== undefined && html`, for the role ${datum(set.asks)}`}`;
  }
  if (!("sources" in set)) {
    const [[operation, operands]] = Object.entries(set) as [[string, readonly string[]]];
    return html`${operation} of ${names(operands)}`;
  }
  const { sources, relation = "intersects", within_m, min_m, country_iso3, where } = set;
  const place =
    within_m === undefined
      ? RELATIONS[relation]
      : `${min_m === undefined ? "within" : `from ${formatDistance(min_m)} to`} ${formatDistance(within_m)} of it`;
  return html`areas of ${names(sources)} ${place}${country_iso3 !== undefined && `, in ${names([country_iso3].flat())}`}${where !== undefined && html`, where <span class="mono">${datum(where as string)}</span>`}`;
}

const RELATIONS = {
  intersects: "that intersect the plot",
  touches: "that touch the plot without overlapping it",
  covers: "that cover the plot",
  covered_by: "that lie inside the plot",
} as const;

/** A ruleset with its filters as text; undefined where it is none. */
function readable(ruleset: object): Ruleset | undefined {
  try {
    return formatRuleset(ruleset, { as: "text" });
  } catch {
    return undefined; // the replay says so; the verdict still names its checks
  }
}

function plainCheck({ id }: CheckResult): Ruleset["checks"][number] {
  return { id, set: "", outcome: "NOTICE" };
}

/** Numbers areas in the order in which the page shows them: triggered checks first. */
function numberAreas(
  checks: readonly CheckResult[],
): ReadonlyMap<string, { readonly number: number; readonly check: CheckResult }> {
  const areas = new Map<string, { readonly number: number; readonly check: CheckResult }>();
  for (const check of [...checks.filter(isLoud), ...checks.filter((each) => !isLoud(each))]) {
    for (const item of check.evidence) {
      const key = keyOf(item);
      if (isAreaEvidence(item) && !areas.has(key)) areas.set(key, { number: areas.size + 1, check });
    }
  }
  return areas;
}
