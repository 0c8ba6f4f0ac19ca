// Written by npm run tool -- write-languages, from the folders of the languages.
/** Tags of the languages in which verdicts are shown (BCP 47), English first. */
export const LANGUAGES = ["en", "pt", "es"] as const;

/** Tag of a language. */
export type Language = (typeof LANGUAGES)[number];
