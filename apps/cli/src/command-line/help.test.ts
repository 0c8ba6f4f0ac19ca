import { describe, expect, it } from "vitest";
import { COMMANDS } from "../commands.ts";
import { parseArguments } from "./arguments.ts";
import { formatCommandPage, formatOverviewPage } from "./help.ts";

describe("help pages", () => {
  it.each(COMMANDS.map(({ path, load }) => [path, load] as const))(
    "of %s fit 80 columns, with examples that the command takes",
    async (path, load) => {
      const command = await load();
      expect(command.path).toBe(path);
      for (const example of command.examples ?? []) {
        const words = [...example.matchAll(/"([^"]*)"|\S+/g)].map(([word, quoted]) => quoted ?? word);
        expect(parseArguments(command, words).words).toEqual(words);
      }
      for (const line of formatCommandPage(command).split("\n"))
        expect([...line].length).toBeLessThanOrEqual(80);
    },
  );

  it("list every command, within 80 columns", async () => {
    const page = formatOverviewPage(await Promise.all(COMMANDS.map(({ load }) => load())));
    for (const line of page.split("\n")) expect([...line].length).toBeLessThanOrEqual(80);
    for (const { path } of COMMANDS) expect(page).toContain(`  ${path} `);
  });
});
