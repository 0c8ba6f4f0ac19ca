import { FINDINGS, type FindingCode } from "@groundrule/plots";

/** The checker's own texts for its findings, which are English. */
export const checkerMeanings: Readonly<Record<FindingCode, string>> = Object.fromEntries(
  Object.entries(FINDINGS).map(([code, { meaning }]) => [code, meaning]),
) as Record<FindingCode, string>;
