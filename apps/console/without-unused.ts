import { readFileSync } from "node:fs";
import type { Plugin } from "vite";

/** What writes JSON Schema: schemas describe themselves for the service's documentation, and in the page they only check. */
const DESCRIPTIONS = /[\\/]zod[\\/]v4[\\/]core[\\/](?:json-schema-processors|to-json-schema)\.js$/;
/** Parts of workbooks that no report has: charts, pictures, comments, tables, widths by content, passwords. */
const WORKBOOKS =
  /[\\/]hucre[\\/]dist[\\/]xlsx[\\/](?:auto-width|password|(?:chart|comments|drawing|pivot|table)-writer|crypto[\\/]agile)\.mjs$/;

/** What a verdict is made of, told for the same documentation beside its shapes. */
const ANSWERS = /[\\/]engine[\\/]src[\\/]verdict[\\/]schema\.ts$/;
const WORDS = /,\s*"[^"\n]* [^"\n]*",?(?=\s*\))/g;

/** What compresses a workbook where a browser cannot: every browser that the page runs in can. */
const COMPRESSION = /[\\/]hucre[\\/]dist[\\/]zip[\\/]writer\.mjs$/;
const BY_HAND = "return deflate(data);";

/** Builds libraries without the parts that the page never uses, where a library cannot tell that by itself. */
export function withoutUnused(): Plugin {
  return {
    name: "without-unused",
    enforce: "pre",
    load: {
      filter: { id: [DESCRIPTIONS, WORKBOOKS] },
      handler: (id) => {
        const body = DESCRIPTIONS.test(id) ? "({})" : `{ throw new Error("left out of the page"); }`;
        return emptyModule(readFileSync(id, "utf8"), body);
      },
    },
    transform: {
      filter: { id: [ANSWERS, COMPRESSION] },
      handler: (code, id) => {
        if (ANSWERS.test(id)) return code.replace(WORDS, "");
        if (!code.includes(BY_HAND)) throw new Error(`found no "${BY_HAND}" in ${id}`);
        return code.replace(BY_HAND, 'throw new Error("this browser cannot compress");');
      },
    },
  };
}

/** A module with the same exports, each of them one function. */
export function emptyModule(text: string, body: string): string {
  const declared = [...text.matchAll(/^export (?:async )?(?:const|function) (\w+)/gm)];
  const renamed = [...text.matchAll(/^export \{ \w+ as (\w+) \};/gm)];
  const names = [...declared, ...renamed].map(([, name]) => `unused as ${name}`);
  return `const unused = () => ${body};\nexport { ${names.join(", ")} };\n`;
}
