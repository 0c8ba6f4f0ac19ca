import type { RulesetSet } from "@groundrule/engine";
import { translateText } from "@groundrule/words";
import { type Html, html, renderDataText } from "../html.ts";
import type { Page } from "../page/page.ts";
import { renderTable } from "../page/table.ts";
import { renderSection } from "./facts.ts";

/** The ruleset in words, and as it was sent: in a box, which is printed where it is open. */
export function renderRulesetSection(page: Page, isOpen: boolean): Html {
  const { record, ruleset, words } = page;
  return renderSection(
    "ruleset",
    words.ruleset,
    html`${ruleset?.description !== undefined && html`<p class="small">${renderDataText(translateText(page.facts, ruleset.description))}</p>`}
${
  ruleset !== undefined &&
  renderTable(
    words.ruleset,
    [{ label: words.set }, { label: words.contains }],
    Object.entries(ruleset.sets).map(([name, set]) => [
      { text: name, class: "mono" },
      { text: renderSet(page, set) },
    ]),
  )
}
<details${isOpen && " open"}><summary>${words.rulesetAsSent}</summary>
<pre>${JSON.stringify(record.request.ruleset, null, 2)}</pre></details>`,
  );
}

/** Content of a set, in words. */
function renderSet(page: Page, set: RulesetSet): Html {
  const { words } = page;
  if ("registers" in set) {
    const how = set.match === "root" ? words.sameCompany : words.sameIdentifier;
    return html`${words.recordsIn(how, set.registers.join(", "))}${set.asks !== undefined && html`, ${words.forTheRole} ${renderDataText(set.asks)}`}`;
  }
  if ("union" in set) return html`${words.union(set.union.join(", "))}`;
  if ("intersection" in set) return html`${words.intersection(set.intersection.join(", "))}`;
  if ("difference" in set) return html`${words.difference(set.difference.join(", "))}`;
  const { sources, country_iso3, coverage, where } = set;
  const countries = country_iso3 === undefined ? undefined : [country_iso3].flat().join(", ");
  return html`${words.areasOf(sources.join(", "), formatSetPlace(page, set))}${countries !== undefined && `, ${words.inCountries(countries)}`}${coverage === "declared" && `, ${words.ofDeclaredCoverage}`}${where !== undefined && html`, ${words.where} <span class="mono">${renderDataText(where as string)}</span>`}`;
}

function formatSetPlace(
  { words, formats }: Page,
  { relation = "intersects", within_m, min_m }: Extract<RulesetSet, { readonly sources: unknown }>,
): string {
  if (within_m !== undefined) {
    const most = formats.distance(within_m, within_m);
    return min_m === undefined ? words.within(most) : words.between(formats.distance(min_m, min_m), most);
  }
  return {
    intersects: words.thatIntersect,
    touches: words.thatTouch,
    covers: words.thatCover,
    covered_by: words.thatLieInside,
  }[relation];
}
