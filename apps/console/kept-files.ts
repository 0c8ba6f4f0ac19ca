import { createHash } from "node:crypto";
import { join } from "node:path";
import type { Plugin } from "vite";

const FILE = "sw.js";

/** Emits the service worker, preceded by the names of all files of the build. */
export function createServiceWorkerPlugin(): Plugin {
  return {
    name: "kept-files",
    apply: "build",
    enforce: "post",
    buildStart() {
      const id = join(import.meta.dirname, "src/keep/service-worker.ts");
      this.emitFile({ type: "chunk", id, fileName: FILE, preserveSignature: false });
    },
    generateBundle: {
      order: "post",
      handler(_, bundle) {
        const script = bundle[FILE];
        if (script?.type !== "chunk" || script.imports.length > 0) {
          this.error("the service worker must be one file, for not every browser loads modules in it");
        }
        const hash = createHash("sha256");
        // The page itself is requested by the folder's address.
        const names = Object.keys(bundle)
          .filter((name) => ![FILE, "index.html"].includes(name))
          .sort();
        for (const name of [...names, "index.html"]) {
          const file = bundle[name]!;
          hash.update(`\n${name}\n`).update(file.type === "chunk" ? file.code : file.source);
        }
        const edition = hash.digest("hex").slice(0, 16);
        script.code = `const PAGE_FILES=${JSON.stringify(names)},PAGE_EDITION="${edition}";\n${script.code}`;
      },
    },
  };
}
