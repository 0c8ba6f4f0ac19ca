/** Codings that the caller accepts (RFC 9110 §12.5.3). */
export interface AcceptedCodings {
  /** True if gzip is accepted, and preferred no less than no coding. */
  readonly gzip: boolean;
  /** True if an answer without a coding is accepted. */
  readonly identity: boolean;
}

/**
 * Parses `Accept-Encoding`. Without the header no coding is used, though any would be allowed. Parts that cannot be
 * parsed are ignored.
 */
export function parseAcceptEncoding(accept: string | undefined): AcceptedCodings {
  if (accept === undefined || accept.trim() === "") return PLAIN;
  const qualities = new Map(accept.split(",").map(parseWeightedCoding));
  const others = qualities.get("*");
  const identity = qualities.get("identity") ?? others;
  const gzip = qualities.get("gzip") ?? qualities.get("x-gzip") ?? others ?? 0;
  return { gzip: gzip > 0 && gzip >= (identity ?? 0), identity: identity === undefined || identity > 0 };
}

const PLAIN: AcceptedCodings = { gzip: false, identity: true };

function parseWeightedCoding(text: string): [coding: string, quality: number] {
  const [coding = "", ...parameters] = text.split(";").map((part) => part.trim().toLowerCase());
  return [coding, parseQualityWeight(parameters)];
}

/** Parses the weight among parameters (RFC 9110 §12.4.2); a malformed one is 0. */
export function parseQualityWeight(parameters: readonly string[]): number {
  const weight = parameters.find((parameter) => parameter.startsWith("q="));
  if (weight === undefined) return 1;
  return /^q=(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(weight) ? Number(weight.slice(2)) : 0;
}
