import type { SourceEntry } from "@groundrule/engine";
import { findSourceTitle } from "@groundrule/words/source-title";
import { language, words } from "../../languages/language.ts";
import { sources } from "../../state/store.ts";

/** A source's title, marked if it is made up; its name if the catalog does not contain it. */
export function formatSourceTitle(name: string): string {
  const source = sources.value.find(({ source_name }) => source_name === name);
  if (source === undefined) return name;
  const title = getSourceTitle(source);
  return source.fictional === true ? words.value.mapFictionalSource(title) : title;
}

/** The title of a source of the catalog in the language of the page. */
export function getSourceTitle(
  source: Pick<SourceEntry, "source_name" | "source_dataset" | "titles">,
): string {
  return findSourceTitle(source, source.source_name, language.value);
}
