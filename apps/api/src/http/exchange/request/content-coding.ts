/** How an answer may be coded (RFC 9110 §12.5.3). */
export interface AcceptedCodings {
  /** Whether gzip is welcome, and no less than no coding. */
  readonly gzip: boolean;
  /** Whether an answer without a coding is welcome. */
  readonly identity: boolean;
}

/**
 * Reads `Accept-Encoding`. Without one no coding is used, though any would be allowed. What cannot be read of it
 * asks for nothing.
 */
export function acceptedCodings(accept: string | undefined): AcceptedCodings {
  if (accept === undefined || accept.trim() === "") return PLAIN;
  const qualities = new Map(accept.split(",").map(parseCoding));
  const others = qualities.get("*");
  const identity = qualities.get("identity") ?? others;
  const gzip = qualities.get("gzip") ?? qualities.get("x-gzip") ?? others ?? 0;
  return { gzip: gzip > 0 && gzip >= (identity ?? 0), identity: identity === undefined || identity > 0 };
}

const PLAIN: AcceptedCodings = { gzip: false, identity: true };

function parseCoding(text: string): [coding: string, quality: number] {
  const [coding = "", ...parameters] = text.split(";").map((part) => part.trim().toLowerCase());
  return [coding, qualityOf(parameters)];
}

/** The weight among parameters (RFC 9110 §12.4.2); one that cannot be read is 0. */
export function qualityOf(parameters: readonly string[]): number {
  const weight = parameters.find((parameter) => parameter.startsWith("q="));
  if (weight === undefined) return 1;
  return /^q=(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(weight) ? Number(weight.slice(2)) : 0;
}
