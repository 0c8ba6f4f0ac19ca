import { readFileSync } from "node:fs";
import type { Plugin } from "vite";

/**
 * What writes JSON Schema: schemas describe themselves for the service's documentation, and in the page they only check.
 * Jobs and runs over many plots of the client: the page asks plot by plot.
 */
const NEVER_CALLED =
  /[\\/](?:zod[\\/]v4[\\/]core[\\/](?:json-schema-processors|to-json-schema)\.js|client[\\/]src[\\/](?:jobs|screen)\.ts)$/;
/** Parts of workbooks that no report has: charts, pictures, comments, tables, widths by content, passwords, dynamic arrays. */
const WORKBOOKS =
  /[\\/]hucre[\\/]dist[\\/]xlsx[\\/](?:auto-width|feature-property-bag|metadata|password|(?:chart|comments|drawing|pivot|table)-writer|crypto[\\/]agile)\.mjs$/;

/** What a verdict is made of, told for the same documentation beside its shapes. */
const ANSWERS = /[\\/]engine[\\/]src[\\/]verdict[\\/]schema\.ts$/;
const WORDS = /,\s*"[^"\n]* [^"\n]*",?(?=\s*\))/g;

/** What compresses a workbook where a browser cannot: every browser that the page runs in can. */
const COMPRESSION = /[\\/]hucre[\\/]dist[\\/]zip[\\/]writer\.mjs$/;
const BY_HAND = "return deflate(data);";

/** What sheets may have, and those of a portfolio have not: only called where a sheet says that it has it. */
const SHEETS = /[\\/]hucre[\\/]dist[\\/]xlsx[\\/]worksheet-writer\.mjs$/;
const NO_SHEET_HAS = [
  "serializeConditionalFormatting",
  "serializeDataValidations",
  "serializeHeaderFooter",
  "serializePageSetup",
  "serializeRichTextRuns",
  "serializeSheetProtection",
  "serializeSparklines",
];
const BOOKS = /[\\/]hucre[\\/]dist[\\/]xlsx[\\/]writer\.mjs$/;
const NO_BOOK_HAS = ["collectSourceRows", "computeTableRange"];

/** The page unpacks alone: what packs stands in a table, so that it comes along. */
const ZLIB = /[\\/]pako[\\/]dist[\\/]pako\.mjs$/;
const PACKERS = ["deflate_fast", "deflate_slow", "deflate_stored"];

/** One module reads and writes protocol buffers. The page reads alone: what writes comes with the worker that cuts tiles. */
const WRITER = "?writer";

/** Builds libraries without the parts that the page never uses, where a library cannot tell that by itself. */
export function withoutUnused(): Plugin {
  return {
    name: "without-unused",
    enforce: "pre",
    resolveId: {
      filter: { id: /^pbf$/ },
      async handler(source, importer, options) {
        if (!/[\\/]packages[\\/]tiles[\\/]/.test(importer ?? "")) return undefined;
        const found = await this.resolve(source, importer, { ...options, skipSelf: true });
        return found && `${found.id}${WRITER}`;
      },
    },
    load: {
      filter: { id: [NEVER_CALLED, WORKBOOKS, /\?writer$/] },
      handler: (id) => {
        if (id.endsWith(WRITER)) return readFileSync(id.slice(0, -WRITER.length), "utf8");
        const body = NEVER_CALLED.test(id) ? "({})" : `{ throw new Error("left out of the page"); }`;
        return emptyModule(readFileSync(id, "utf8"), body);
      },
    },
    transform: {
      filter: { id: [ANSWERS, BOOKS, COMPRESSION, SHEETS, ZLIB] },
      handler: (code, id) => {
        if (SHEETS.test(id)) return withoutFunctions(code, NO_SHEET_HAS);
        if (BOOKS.test(id)) return withoutFunctions(code, NO_BOOK_HAS);
        if (ZLIB.test(id)) return withoutFunctions(code, PACKERS);
        if (ANSWERS.test(id)) return code.replace(WORDS, "");
        if (!code.includes(BY_HAND)) throw new Error(`found no "${BY_HAND}" in ${id}`);
        return code.replace(BY_HAND, 'throw new Error("this browser cannot compress");');
      },
    },
  };
}

/**
 * A module of which some functions fail when they are called.
 *
 * Fails: where it has not all of them.
 */
export function withoutFunctions(text: string, names: readonly string[]): string {
  return names.reduce((left, name) => {
    const body = new RegExp(`^(?:function ${name}\\(.*\\)|var ${name} = \\(.*\\) =>) \\{$[^]*?^\\};?$`, "m");
    if (!body.test(left)) throw new Error(`found no function ${name} to leave out`);
    return left.replace(body, `function ${name}() { throw new Error("left out of the page"); }`);
  }, text);
}

/** A module with the same exports, each of them one function. */
export function emptyModule(text: string, body: string): string {
  const declared = [...text.matchAll(/^export (?:async )?(?:const|function\*?) (\w+)/gm)];
  const renamed = [...text.matchAll(/^export \{ \w+ as (\w+) \};/gm)];
  const names = [...declared, ...renamed].map(([, name]) => `unused as ${name}`);
  return `const unused = () => ${body};\nexport { ${names.join(", ")} };\n`;
}
