import { findSourceTitle } from "@groundrule/words/source-title";
import { language, words } from "../../languages/language.ts";
import { sources } from "../../state/store.ts";

/** A source's title, marked if it is made up; its name if the catalog does not contain it. */
export function formatSourceTitle(name: string): string {
  const source = sources.value.find(({ source_name }) => source_name === name);
  const title = findSourceTitle(source, name, language.value);
  return source?.fictional === true ? words.value.mapFictionalSource(title) : title;
}
