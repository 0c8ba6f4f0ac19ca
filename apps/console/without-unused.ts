import { readFileSync } from "node:fs";
import type { Plugin } from "vite";

/**
 * What writes JSON Schema: schemas describe themselves for the service's documentation, and in the page they only check.
 * Jobs and runs over many plots of the client: the page asks plot by plot.
 */
const NEVER_CALLED =
  /[\\/](?:zod[\\/]v4[\\/]core[\\/](?:json-schema-processors|to-json-schema)\.js|client[\\/]src[\\/](?:jobs|screen)\.ts)$/;

/** What a verdict is made of, told for the same documentation beside its shapes. */
const ANSWERS = /[\\/]engine[\\/]src[\\/]verdict[\\/]schema\.ts$/;
const WORDS = /,\s*"[^"\n]* [^"\n]*",?(?=\s*\))/g;

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
      filter: { id: [NEVER_CALLED, /\?writer$/] },
      handler: (id) => {
        if (id.endsWith(WRITER)) return readFileSync(id.slice(0, -WRITER.length), "utf8");
        return emptyModule(readFileSync(id, "utf8"));
      },
    },
    transform: {
      filter: { id: ANSWERS },
      handler: (code) => code.replace(WORDS, ""),
    },
  };
}

/** A module with the same exports, each of them one function that returns an empty object. */
export function emptyModule(text: string): string {
  const declared = [...text.matchAll(/^export (?:async )?(?:const|function\*?) (\w+)/gm)];
  const renamed = [...text.matchAll(/^export \{ \w+ as (\w+) \};/gm)];
  const names = [...declared, ...renamed].map(([, name]) => `unused as ${name}`);
  return `const unused = () => ({});\nexport { ${names.join(", ")} };\n`;
}
