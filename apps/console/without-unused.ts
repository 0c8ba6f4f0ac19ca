import { readFileSync } from "node:fs";
import type { Plugin } from "vite";

/**
 * Functions that write JSON Schema: schemas describe themselves for the service's documentation, and the page only
 * checks with them. Also jobs and runs over many plots of the client: the page evaluates plot by plot.
 */
const NEVER_CALLED =
  /[\\/](?:zod[\\/]v4[\\/]core[\\/](?:json-schema-processors|to-json-schema)\.js|client[\\/]src[\\/](?:jobs|screen)\.ts)$/;

/** Descriptions of a verdict's members, for the same documentation. */
const ANSWERS = /[\\/]engine[\\/]src[\\/]verdict[\\/]schema\.ts$/;
const WORDS = /,\s*"[^"\n]* [^"\n]*",?(?=\s*\))/g;

/** The page only unpacks: the packing functions are in a table, so they would be included. */
const ZLIB = /[\\/]pako[\\/]dist[\\/]pako\.mjs$/;
const PACKERS = ["deflate_fast", "deflate_slow", "deflate_stored"];

/**
 * One module reads and writes protocol buffers. The page only reads: the writer is included only in the worker that
 * cuts tiles.
 */
const WRITER = "?writer";

/** Builds libraries without the parts that the page never uses, where a bundler cannot detect that by itself. */
export function createUnusedCodeRemover(): Plugin {
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
      filter: { id: [NEVER_CALLED, /\?writer$/] },
      handler: (id) => {
        if (id.endsWith(WRITER)) return readFileSync(id.slice(0, -WRITER.length), "utf8");
        return buildEmptyModule(readFileSync(id, "utf8"));
      },
    },
    transform: {
      filter: { id: [ANSWERS, ZLIB] },
      handler: (code, id) => (ZLIB.test(id) ? disableFunctions(code, PACKERS) : code.replace(WORDS, "")),
    },
  };
}

/**
 * A module with some of its functions replaced by ones that throw.
 *
 * Fails: if it lacks one of them.
 */
export function disableFunctions(text: string, names: readonly string[]): string {
  return names.reduce((left, name) => {
    const body = new RegExp(`^(?:function ${name}\\(.*\\)|var ${name} = \\(.*\\) =>) \\{$[^]*?^\\};?$`, "m");
    if (!body.test(left)) throw new Error(`found no function ${name} to leave out`);
    return left.replace(body, `function ${name}() { throw new Error("left out of the page"); }`);
  }, text);
}

/** A module with the same exports, each of them one function that returns an empty object. */
export function buildEmptyModule(text: string): string {
  const declared = [...text.matchAll(/^export (?:async )?(?:const|function\*?) (\w+)/gm)];
  const renamed = [...text.matchAll(/^export \{ \w+ as (\w+) \};/gm)];
  const names = [...declared, ...renamed].map(([, name]) => `unused as ${name}`);
  return `const unused = () => ({});\nexport { ${names.join(", ")} };\n`;
}
