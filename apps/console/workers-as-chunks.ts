import { basename, dirname, join } from "node:path";
import type { Plugin } from "vite";

const NEW_WORKER = /(?<=\bnew Worker\(\s*)new URL\(\s*"(\.[^"]+)",\s*import\.meta\.url,?\s*\)/g;

/**
 * Makes every worker a chunk of the page's own graph of modules, so that what both need is one file. Vite bundles each
 * `new Worker(new URL("./worker.ts", import.meta.url))` as a program of its own, with an engine of its own.
 */
export function workersAsChunks(): Plugin[] {
  return [workerEntries(), plainImports()];
}

function workerEntries(): Plugin {
  return {
    name: "worker-entries",
    apply: "build",
    enforce: "pre",
    config: () => ({
      worker: {
        plugins: () => {
          throw new Error(
            'found a worker that is not written as new Worker(new URL("./file.ts", import.meta.url)',
          );
        },
      },
    }),
    transform: {
      filter: { code: NEW_WORKER },
      handler(code, importer) {
        return code.replaceAll(NEW_WORKER, (_, file: string) => {
          const id = join(dirname(importer), file);
          const name = basename(id, ".ts");
          const chunk = this.emitFile({ type: "chunk", id, name, preserveSignature: false });
          return `import.meta.ROLLDOWN_FILE_URL_${chunk}`;
        });
      },
    },
  };
}

/**
 * Leaves `import()` as it is. Vite puts a function around it that asks for `document` and `window`, which workers have
 * not: they would tell that they miss a window, where a file could not be loaded.
 */
function plainImports(): Plugin {
  return {
    name: "plain-imports",
    apply: "build",
    enforce: "pre",
    load: {
      filter: { id: /^\0vite\/preload-helper\.js$/ },
      handler: () => "export const __vitePreload = (load) => load();",
    },
  };
}
