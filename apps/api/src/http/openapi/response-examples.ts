import { readFileSync } from "node:fs";

/**
 * Answers to the first example of each operation, as the service gave them on the data of `npm run demo`.
 * `npm run tool -- write-openapi-examples` writes them.
 */
export const RESPONSE_EXAMPLES: Readonly<Record<string, unknown>> = JSON.parse(
  readFileSync(new URL("./response-examples.json", import.meta.url), "utf8"),
);
