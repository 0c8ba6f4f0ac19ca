// Imports the programs that it is given, in turn, and prints as JSON what each printed or threw.
import { pathToFileURL } from "node:url";
import { format } from "node:util";
import type { Outcome } from "./typescript.ts";

const outcomes: [string, Outcome][] = [];
for (const file of process.argv.slice(2)) {
  const printed: string[] = [];
  console.log = (...values: unknown[]) => void printed.push(format(...values));
  try {
    await import(pathToFileURL(file).href);
    outcomes.push([file, { printed }]);
  } catch (error) {
    outcomes.push([file, { printed, thrown: error instanceof Error ? error.stack! : String(error) }]);
  }
}
process.stdout.write(`\n${JSON.stringify(outcomes)}\n`, () => process.exit());
