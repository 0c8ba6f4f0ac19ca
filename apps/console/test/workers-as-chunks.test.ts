import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build, type Rolldown } from "vite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createWorkerChunkPlugins } from "../workers-as-chunks.ts";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "groundrule-workers-"));
});
afterEach(() => rmSync(root, { recursive: true }));

/** Builds files, the first of which is the page's script. */
async function buildFiles(files: Readonly<Record<string, string>>): Promise<Rolldown.OutputChunk[]> {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(root, name), text);
  writeFileSync(join(root, "index.html"), `<script type="module" src="/${Object.keys(files)[0]}"></script>`);
  const result = (await build({
    configFile: false,
    root,
    base: "./",
    logLevel: "silent",
    plugins: [createWorkerChunkPlugins()],
    build: { write: false },
  })) as Rolldown.RolldownOutput;
  return result.output.filter((part) => part.type === "chunk");
}

const SHARED = { "shared.ts": 'export const shared = (who: string) => console.log("shared by", who);' };
const ASKS = 'import { shared } from "./shared.ts"; shared(String(self.name));';

describe("workersAsChunks", () => {
  it("puts what page and workers need in one file, and leads to workers beside the script", async () => {
    const chunks = await buildFiles({
      "main.ts": `import { shared } from "./shared.ts";
        shared("the page");
        new Worker(new URL("./one.ts", import.meta.url), { type: "module" });
        new Worker(
          new URL("./two.ts", import.meta.url),
          { type: "module" },
        );`,
      "one.ts": ASKS,
      "two.ts": ASKS,
      ...SHARED,
    });
    const named = (name: string) => chunks.find((chunk) => chunk.fileName.startsWith(`assets/${name}-`))!;
    expect(chunks.filter(({ code }) => code.includes("shared by"))).toHaveLength(1);
    for (const worker of ["one", "two"]) {
      const file = named(worker).fileName.replace("assets/", "");
      expect(named("index").code).toContain(`new Worker(new URL(\`${file}\`,import.meta.url).href`);
      expect(named(worker).imports).toHaveLength(1);
    }
  });

  it("leaves what a worker loads by need free of the page's document and window", async () => {
    const chunks = await buildFiles({
      "main.ts": 'new Worker(new URL("./one.ts", import.meta.url), { type: "module" });',
      "one.ts": `${ASKS} import("./late.ts").then(({ late }) => late());`,
      "late.ts": `import { shared } from "./shared.ts"; export const late = () => shared("late");`,
      ...SHARED,
    });
    const ofWorker = chunks.filter(({ fileName }) => !fileName.includes("index-"));
    expect(ofWorker.flatMap(({ dynamicImports }) => dynamicImports)).toHaveLength(1);
    for (const { code } of ofWorker) expect(code).not.toMatch(/\b(?:document|window)\b/);
  });

  it("refuses a worker that it cannot read, instead of one that has a copy of everything", async () => {
    const files = {
      "main.ts": 'new Worker(new URL(`./one.ts`, import.meta.url), { type: "module" });',
      "one.ts": ASKS,
      ...SHARED,
    };
    await expect(buildFiles(files)).rejects.toThrow(/found a worker that is not written as/);
  });
});
