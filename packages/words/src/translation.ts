/**
 * The same texts in another language. A language that is being translated may lack some: those are shown in English,
 * and a test lists them.
 */
export type Translation<Texts> = {
  readonly [Name in keyof Texts]?: Texts[Name] extends
    | string
    | ((...args: never) => unknown)
    | readonly unknown[]
    ? Texts[Name]
    : Translation<Texts[Name]>;
};

/** Texts of a language, with the English ones where it lacks some. */
export function completeTexts<Texts extends object>(
  english: Texts,
  translated: Translation<Texts> = {},
): Texts {
  const merged = Object.entries(english).map(([name, text]: [string, unknown]) => {
    const own: unknown = translated[name as keyof Texts];
    return [name, isGroup(text) ? completeTexts(text, own as object | undefined) : (own ?? text)];
  });
  return Object.fromEntries(merged) as Texts;
}

function isGroup(text: unknown): text is object {
  return typeof text === "object" && text !== null && !Array.isArray(text);
}
