import { basename, dirname, join } from "node:path";
import type { Plugin } from "vite";

const NEW_WORKER = /(?<=\bnew Worker\(\s*)new URL\(\s*"(\.[^"]+)",\s*import\.meta\.url,?\s*\)/g;

/**
 * Makes every worker a chunk of the page's own module graph, so that shared modules are in one file. By default Vite
 * bundles each `new Worker(new URL("./worker.ts", import.meta.url))` as a separate program, with its own engine.
 */
export function createWorkerChunkPlugins(): Plugin[] {
  return [createWorkerEntriesPlugin(), createPlainImportsPlugin()];
}

function createWorkerEntriesPlugin(): Plugin {
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
 * Leaves `import()` unchanged. Vite would wrap it in a function that uses `document` and `window`, which workers lack:
 * if a file could not be loaded, the error would be about a missing window.
 */
function createPlainImportsPlugin(): Plugin {
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
