/** Reads a file as a format, and prints how that ended and the most memory it took: run with a limit of memory. */
import { createReadStream } from "node:fs";
import { FormatError } from "../src/format-error.ts";
import type { FormatName } from "../src/format-reader.ts";
import { openLocalFile } from "../src/host/node/files.ts";
import { openStream } from "../src/open/open-table.ts";
import { READERS } from "../src/open/formats.ts";

const [format, path] = process.argv.slice(2);
const file = await openLocalFile(path!);
let outcome = "read";
try {
  const reader = await READERS[format as FormatName]?.();
  const table = await (reader?.open(file, {}) ??
    openStream(createReadStream(path!), { format: format as FormatName }));
  for await (const { fault } of table.features()) if (fault !== undefined) outcome = fault.code;
  await table.close();
} catch (error) {
  outcome = error instanceof FormatError ? error.code : String(error);
}
await file.close();
console.log(JSON.stringify({ outcome, megabytes: Math.round(process.resourceUsage().maxRSS / 1024) }));
