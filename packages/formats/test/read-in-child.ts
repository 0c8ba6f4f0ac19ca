/** Reads a file as a format, and prints how that ended and the most memory it took: run with a limit of memory. */
import { createReadStream } from "node:fs";
import { FormatError } from "../src/format-error.ts";
import { openLocalFile } from "../src/host/node/files.ts";
import { FORMATS, type FormatName } from "../src/open/formats.ts";
import { openStream } from "../src/open/open-table.ts";

const [format, path] = process.argv.slice(2);
const file = await openLocalFile(path!);
let outcome = "read";
try {
  const name = format as FormatName;
  const { reader } = await FORMATS[name].load();
  const table = await ("open" in reader
    ? reader.open(file, {})
    : openStream(createReadStream(path!), { format: name }));
  for await (const { fault } of table.features()) if (fault !== undefined) outcome = fault.code;
  await table.close();
} catch (error) {
  outcome = error instanceof FormatError ? error.code : String(error);
}
await file.close();
console.log(JSON.stringify({ outcome, megabytes: Math.round(process.resourceUsage().maxRSS / 1024) }));
