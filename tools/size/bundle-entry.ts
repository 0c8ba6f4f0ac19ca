import { existsSync } from "node:fs";
import { join, relative } from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "rolldown";

const root = join(import.meta.dirname, "../..");

/** Code that a browser would load for an entry point. */
export interface EntryBundle {
  /** Bytes of the bundle, minified. */
  readonly minified: number;
  /** The same, gzipped at level 9. */
  readonly gzipped: number;
  /** The modules of which something is left in the bundle, from the repository's root, ascending. */
  readonly modules: readonly string[];
}

/**
 * Bundles an entry point with all it imports, minified, as an application that uses every name of it
 * would. Nothing is written.
 *
 * @param file from the repository's root, such as `packages/engine/src/index.ts`
 */
export async function bundleEntry(file: string): Promise<EntryBundle> {
  const input = join(root, file);
  if (!existsSync(input)) throw new Error(`there is no ${file}`);
  const { output } = await build({
    input,
    platform: "browser",
    write: false,
    logLevel: "silent",
    output: { format: "esm", minify: true, comments: false },
  });
  const code = output.map((part) => (part.type === "chunk" ? part.code : "")).join("");
  const modules = output.flatMap((part) =>
    part.type === "chunk"
      ? Object.entries(part.modules).flatMap(([id, { renderedLength }]) =>
          renderedLength > 0 ? [relative(root, id)] : [],
        )
      : [],
  );
  return {
    minified: Buffer.byteLength(code),
    gzipped: gzipSync(code, { level: 9 }).length,
    modules: modules.sort(),
  };
}
