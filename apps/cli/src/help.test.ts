import { describe, expect, it } from "vitest";
import { COMMANDS } from "./commands.ts";
import { commandPage, overviewPage } from "./help.ts";

describe("help pages", () => {
  it.each(COMMANDS.map((command) => [command.path, command] as const))(
    "of %s fit 80 columns",
    (_path, command) => {
      for (const line of commandPage(command).split("\n")) expect([...line].length).toBeLessThanOrEqual(80);
    },
  );

  it("list every command, within 80 columns", () => {
    const page = overviewPage(COMMANDS);
    for (const line of page.split("\n")) expect([...line].length).toBeLessThanOrEqual(80);
    for (const { path } of COMMANDS) expect(page).toContain(`  ${path} `);
  });
});
