import { listEditions } from "@groundrule/node";
import type { Command } from "../../command-line/command.ts";
import { dataFolder } from "../../data/data-folder.ts";
import { shortEdition } from "../../words/edition-text.ts";
import { figures } from "../../words/figures.ts";
import { showValues } from "../../words/show-value.ts";

export const sourcesEditionsCommand: Command = {
  summary: "List the stored editions of a source, the newest first",
  operands: "NAME",
  details: [
    "An edition is named by its digest, or by at least 6 first digits that no other edition has. The words current and previous name the current edition and the one built before it.",
    'Hectares are the sum over areas: land that two of them share counts twice. A pinned source stays on its current edition; the edition marked "next" becomes current when the pin is released.',
  ],
  async run(args, terminal) {
    const editions = listEditions(dataFolder(args), args.operands[0]!);
    const columns = [
      { title: "edition", cutLast: true },
      { title: "built" },
      { title: "features", align: "right" },
      { title: "hectares", align: "right" },
      { title: "left out", align: "right" },
      { title: "MB", align: "right" },
      { title: "state" },
    ] as const;
    return showValues(editions, args, terminal, columns, (each) => [
      shortEdition(each.edition),
      each.built_at.slice(0, 10),
      each.feature_count === undefined ? "" : figures.decimal(each.feature_count, 0),
      each.square_meters === undefined ? "" : figures.decimal(each.square_meters / 10_000, 0),
      each.left_out === undefined ? "" : figures.decimal(each.left_out, 0),
      figures.decimal(each.bytes / 1e6, 1),
      [
        each.is_current && "current",
        each.is_pinned && "pinned",
        each.is_next && "next",
        each.failed !== undefined && "damaged",
      ]
        .filter(Boolean)
        .join(" "),
    ]);
  },
};
