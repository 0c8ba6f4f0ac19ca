// `npm run tool -- NAME [ARGUMENT]…` runs one of tools.json, which maintainers need seldom; without a name it lists them.
import { readFileSync } from "node:fs";
import { runScript } from "./fresh-clone.mjs";

const TOOLS = JSON.parse(readFileSync(new URL("tools.json", import.meta.url), "utf8"));
const [name = "", ...args] = process.argv.slice(2);

if (Object.hasOwn(TOOLS, name)) {
  const { run, env } = TOOLS[name];
  Object.assign(process.env, env);
  await runScript([...run.split(" "), ...args]);
} else {
  console.log(`${name === "" ? "" : `there is no tool "${name}"\n\n`}npm run tool -- NAME [ARGUMENT]…\n`);
  const width = Math.max(...Object.keys(TOOLS).map(({ length }) => length));
  for (const [each, { shows }] of Object.entries(TOOLS)) console.log(`  ${each.padEnd(width)}  ${shows}`);
  process.exitCode = name === "" ? 0 : 2;
}
