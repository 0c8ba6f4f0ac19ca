import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Plugin } from "vite";
import { computeShortKey } from "./short-key.ts";

/**
 * Functions that write JSON Schema: schemas describe themselves for the service's documentation, and the page only
 * checks with them. Also jobs and runs over many plots of the client: the page evaluates plot by plot.
 */
const NEVER_CALLED =
  /[\\/](?:zod[\\/]v4[\\/]core[\\/](?:json-schema-processors|to-json-schema)\.js|client[\\/]src[\\/](?:jobs|screen)\.ts)$/;

/** Descriptions of members of verdicts and rulesets, for the same documentation. */
const ANSWERS =
  /[\\/]engine[\\/]src[\\/](?:verdict[\\/](?:schema|fact-shape)|ruleset[\\/]parse[\\/]schema)\.ts$/;
const WORDS = /,\s*"[^"\n]* [^"\n]*",?(?=\s*\))/g;

/** The editor proposes members and values by it; the engine checks them, by shapes of its own. */
const RULESET_SCHEMA = /[\\/]engine[\\/]schema[\\/]ruleset\.schema\.json$/;
const CONSTRAINTS =
  /^(?:\$schema|pattern|propertyNames|required|(?:min|max)(?:Items|Length|Properties)|uniqueItems|(?:m|exclusiveM)(?:in|ax)imum)$/;

/** Texts of presets by the English ones, of which the page needs no more than a hash; and their look-up. */
const PRESET_TEXTS = /[\\/]words[\\/]src[\\/]\w+[\\/]presets\.ts$/;
const LOOK_UP = /[\\/]words[\\/]src[\\/]ruleset-tongue\.ts$/;
const SHORT_KEY = fileURLToPath(import.meta.resolve("./short-key.ts"));

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
      filter: { id: [NEVER_CALLED, RULESET_SCHEMA, /\?writer$/] },
      handler: (id) => {
        if (RULESET_SCHEMA.test(id)) return removeConstraints(readFileSync(id, "utf8"));
        if (id.endsWith(WRITER)) return readFileSync(id.slice(0, -WRITER.length), "utf8");
        return buildEmptyModule(readFileSync(id, "utf8"));
      },
    },
    transform: {
      filter: { id: [ANSWERS, ZLIB, PRESET_TEXTS, LOOK_UP] },
      handler: (code, id) => {
        if (ZLIB.test(id)) return disableFunctions(code, PACKERS);
        if (PRESET_TEXTS.test(id)) return shortenKeys(code);
        return LOOK_UP.test(id) ? lookUpShortKeys(code) : code.replace(WORDS, "");
      },
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

/** A JSON Schema that describes members and values, but does not say which values are valid. */
export function removeConstraints(text: string): string {
  return JSON.stringify(JSON.parse(text), (name, value) => (CONSTRAINTS.test(name) ? undefined : value));
}

/**
 * A module of texts by others, with hashes in place of these.
 *
 * Fails: if two have the same hash.
 */
export function shortenKeys(text: string): string {
  const taken = new Set<string>();
  return text.replace(/^ {2}("(?:[^"\\\n]|\\.)*"|\w+):/gm, (_, key: string) => {
    const short = computeShortKey(key.startsWith('"') ? JSON.parse(key) : key);
    if (taken.has(short)) throw new Error(`another text has the hash of ${key}`);
    taken.add(short);
    return `  "${short}":`;
  });
}

/** Fails: if the module looks up no text. */
function lookUpShortKeys(text: string): string {
  const looked = text.replace("translations[text]", "translations[computeShortKey(text)]");
  if (looked === text) throw new Error("found no look-up of translations");
  return `import { computeShortKey } from ${JSON.stringify(SHORT_KEY)};\n${looked}`;
}

/** A module with the same exports, each of them one function that returns an empty object. */
export function buildEmptyModule(text: string): string {
  const declared = [...text.matchAll(/^export (?:async )?(?:const|function\*?) (\w+)/gm)];
  const renamed = [...text.matchAll(/^export \{ \w+ as (\w+) \};/gm)];
  const names = [...declared, ...renamed].map(([, name]) => `unused as ${name}`);
  return `const unused = () => ({});\nexport { ${names.join(", ")} };\n`;
}
