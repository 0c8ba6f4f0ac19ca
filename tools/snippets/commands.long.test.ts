import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { REPOSITORY } from "../machine/repository.ts";
import { layOutFiles, readPagesWithFences, writePrograms } from "./pages.ts";
import { PageShell } from "./shell.ts";

const folder = mkdtempSync(join(tmpdir(), "groundrule-commands-"));
const scripts = readPagesWithFences().map(({ page, fences }) => ({
  page,
  scripts: fences.filter(({ notRun, language }) => notRun === undefined && language === "sh"),
  /** The table that a page shows after the commands that write it, by the line of these. */
  tables: new Map(
    fences.flatMap((fence, i) => {
      const [, file] = / > (\S+\.csv)$/m.exec(fence.text) ?? [];
      const shown = fences[i + 1];
      return file !== undefined && shown?.language === "csv"
        ? [[fence.line, { file, text: shown.text }] as const]
        : [];
    }),
  ),
}));

beforeAll(async () => {
  await layOutFiles(folder);
  // Commands read the files of programs.
  for (const page of readPagesWithFences()) writePrograms(folder, page);
});
afterAll(() => {
  process.chdir(REPOSITORY);
  rmSync(folder, { recursive: true, force: true });
});

it.each(scripts.filter(({ scripts }) => scripts.length > 0))(
  "$page runs its commands",
  async ({ scripts, tables }) => {
    const shell = new PageShell(folder);
    let reported = 0;
    try {
      for (const { line, text, exit } of scripts) {
        const { ran, named } = await shell.run(text, exit);
        reported += ran + named;
        const table = tables.get(line);
        if (table !== undefined)
          expect(readFileSync(join(folder, table.file), "utf8").trimEnd()).toBe(table.text.trimEnd());
      }
    } finally {
      await shell.close();
    }
    expect(reported).toBeGreaterThan(0);
  },
);
