import type { ExpectedEdition } from "@groundrule/node";
import { type Arguments, UsageError } from "./arguments.ts";

const DIGEST_DIGITS = 64;

/**
 * The editions that `SOURCE=DIGEST` options name, as they are written.
 *
 * Fails: {@link UsageError} for a digest that is no hex text of at least so many digits.
 */
export function editionOptions(args: Arguments, option: string, leastDigits: number): ExpectedEdition[] {
  return args.all(option).map((text) => {
    const [, source_name, digits] = /^([a-z0-9_:]+)=([0-9a-f]+)$/.exec(text) ?? [];
    const isDigest = digits !== undefined && digits.length >= leastDigits && digits.length <= DIGEST_DIGITS;
    if (source_name === undefined || !isDigest) {
      throw new UsageError(
        `found --${option} "${text}", expected SOURCE=DIGEST with ${leastDigits} to ${DIGEST_DIGITS} digits of 0-9 and a-f`,
      );
    }
    return { source_name, digits };
  });
}
