import { createReadStream, createWriteStream } from "node:fs";
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { compactVerdict } from "../../apps/cli/src/screening/compact.ts";
import type { Verdict } from "../../packages/engine/src/index.ts";

/** Writes the lines of `groundrule screen` as the rows that a table has in their place. */
export async function writeExpected(lines: string, rows: string): Promise<void> {
  const input = createInterface({ input: createReadStream(lines), crlfDelay: Number.POSITIVE_INFINITY });
  await pipeline(Readable.from(rowsOf(input)), createWriteStream(rows));
}

async function* rowsOf(lines: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const line of lines) {
    const { id, verdict, error } = JSON.parse(line) as Line;
    const answer =
      verdict === undefined
        ? { error_code: error?.code, error_message: error?.message }
        : compactVerdict(verdict, "triggered");
    yield `${JSON.stringify({ id: String(id), ...answer })}\n`;
  }
}

interface Line {
  readonly id: string | number;
  readonly verdict?: Verdict;
  readonly error?: { readonly code: string; readonly message: string };
}
