// Writes the modules of packages/words that know which languages there are: `npm run tool -- write-languages`.
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { writeLanguageModules } from "../../packages/words/test/language-modules.ts";

const src = join(import.meta.dirname, "../../packages/words/src");
const files = Object.entries(writeLanguageModules()).map(([name, text]) => {
  const file = join(src, `${name}.ts`);
  writeFileSync(file, text);
  return file;
});
execFileSync(join(import.meta.dirname, "../../node_modules/.bin/biome"), ["check", "--write", ...files], {
  stdio: "inherit",
});
