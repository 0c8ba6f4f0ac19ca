import { dirname, join } from "node:path";
import { parseRefusalLine, readLineValues } from "../files/record-file.ts";
import { readRunDescription } from "../runs/run-description.ts";
import type { LineError } from "../terminal/line-error.ts";
import type { VerdictLine } from "./verdict-lines.ts";

/** A line of the file that `screen --errors` writes. */
interface NumberedError {
  /** Number of the plot in the input, from 0. */
  readonly number: number;
  readonly id: string | number;
  readonly error: LineError;
}

/** The separate file of error lines of a run, as the run's description names it. */
export function findErrorsFile(results: string): string | undefined {
  const file = readRunDescription(`${results}.run.json`)?.description?.errors_output?.file;
  return file === undefined ? undefined : join(dirname(results), file);
}

/**
 * Merges the error lines of a run into its results, at the place of each plot in the input, as far as numbers show it:
 * with shards and `--as-submitted` a plot's place is not its number.
 *
 * Fails: as reading does.
 */
export async function* mergeErrorLines(
  lines: AsyncIterable<VerdictLine>,
  errorsPath: string,
): AsyncGenerator<VerdictLine, void, undefined> {
  const errors = readNumberedErrors(errorsPath);
  let next = await errors.next();
  let place = 0;
  for await (const line of lines) {
    for (; next.done !== true && next.value.number <= place; place++) {
      yield { id: next.value.id, refusal: next.value.error };
      next = await errors.next();
    }
    yield line;
    place++;
  }
  for (; next.done !== true; next = await errors.next()) {
    yield { id: next.value.id, refusal: next.value.error };
  }
}

async function* readNumberedErrors(path: string): AsyncGenerator<NumberedError, void, undefined> {
  let place = 0;
  for await (const value of readLineValues(path)) {
    place++;
    const { number } = Object(value) as { readonly number?: unknown };
    const refusal = parseRefusalLine(value);
    if (refusal === undefined) {
      const message = `line ${place} of ${path} is not an error line; expected a file that screen --errors wrote`;
      yield { number: 0, id: place, error: { code: "VALIDATION_FAILED", message } };
    } else yield { number: typeof number === "number" ? number : 0, ...refusal };
  }
}
