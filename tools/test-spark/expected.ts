import { createReadStream, createWriteStream } from "node:fs";
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

/** Writes compact lines of `groundrule screen` as rows: evidence as the JSON text that a column has. */
export async function writeExpected(lines: string, rows: string): Promise<void> {
  const input = createInterface({ input: createReadStream(lines), crlfDelay: Number.POSITIVE_INFINITY });
  await pipeline(Readable.from(rowsOf(input)), createWriteStream(rows));
}

async function* rowsOf(lines: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const line of lines) {
    const { id, evidence, error, ...answer } = JSON.parse(line) as Line;
    const row = {
      id: String(id),
      ...answer,
      ...(evidence !== undefined && { evidence: JSON.stringify(evidence) }),
      ...(error !== undefined && { error_code: error.code, error_message: error.message }),
    };
    yield `${JSON.stringify(row)}\n`;
  }
}

interface Line {
  readonly id: string | number;
  readonly evidence?: unknown;
  readonly error?: { readonly code: string; readonly message: string };
}
