import type { SourceEntry } from "@groundrule/engine";

/**
 * The title of a source in a language; the one of its manifest where it has no other, else its name.
 *
 * @param source its entry in the catalog; undefined where that has none
 * @param name of the source
 * @param language its tag
 */
export function findSourceTitle(
  source: Pick<SourceEntry, "source_dataset" | "titles"> | undefined,
  name: string,
  language: string,
): string {
  return findTranslation(source?.titles, language) ?? source?.source_dataset ?? name;
}

/**
 * The text in a language, as a region speaks it if need be.
 *
 * @param texts by the tags of their languages
 * @param language its tag
 */
export function findTranslation(texts: unknown, language: string): string | undefined {
  const own = Object.entries<unknown>(Object(texts)).find(
    ([tag]) => tag === language || tag.startsWith(`${language}-`),
  );
  return typeof own?.[1] === "string" ? own[1] : undefined;
}
