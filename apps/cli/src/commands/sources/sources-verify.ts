import { verifyEditions } from "@groundrule/node";
import type { Command } from "../../command-line/command.ts";
import { EXIT } from "../../command-line/exit-code.ts";
import { dataFolder } from "../../data/data-folder.ts";
import { assertSources } from "../../data/source-names.ts";
import { printable } from "../../terminal/terminal.ts";
import { shortEdition } from "../../words/edition-text.ts";

export const sourcesVerifyCommand: Command = {
  summary: "Check the content of every stored edition against the digest that names it",
  operands: "[NAME]…",
  operandCount: [0, 1024],
  details: [
    "Exits with 3 if an edition is damaged or missing. A damaged current edition makes its source fail: go back with sources use NAME previous, or build it again from the same file, which gives the same edition. A damaged edition that is not current can be removed, or built again if records need it.",
  ],
  async run(args, terminal) {
    const dir = dataFolder(args);
    const names = args.operands.length === 0 ? undefined : args.operands;
    assertSources(dir, args.operands);
    const isPlain = terminal.human && !args.flag("json");
    let damaged = 0;
    for (const state of verifyEditions(dir, names)) {
      if (state.status !== "ok") damaged++;
      if (!isPlain) {
        await terminal.printJson(state);
        continue;
      }
      const { source_name, edition, status, reason, is_current } = state;
      const mark = terminal.style(status === "ok" ? "green" : "red", status.padEnd(8));
      await terminal.print(
        `${mark} ${shortEdition(edition)}  ${source_name}${is_current ? "  current" : ""}`,
      );
      if (reason !== undefined) await terminal.print(`         ${printable(reason)}`);
    }
    return damaged === 0 ? EXIT.done : EXIT.badInput;
  },
};
