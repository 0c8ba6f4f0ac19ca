import { COUNTRY_CODES, isCountryIso3 } from "@groundrule/engine/internal";
import * as z from "zod";

/** An ISO 3166-1 alpha-3 code in any case, upper-cased; of the user-assigned codes only `XKX`. */
export const countrySchema: z.ZodType<string, unknown> = z
  .string()
  .length(3, { abort: true })
  .transform(toUpperCaseAscii)
  .refine(isCountryIso3, "expected an ISO 3166-1 alpha-3 country code")
  .meta({
    description:
      "ISO 3166-1 alpha-3 code, in upper or lower case. XKX (Kosovo) is the only user-assigned code accepted.",
    type: "string",
    enum: [...COUNTRY_CODES],
  });

/** Only a-z are upper-cased: full case mapping would let "ı" or "ß" change the length or the letter. */
function toUpperCaseAscii(code: string): string {
  return code.replace(/[a-z]/g, (letter) => letter.toUpperCase());
}
