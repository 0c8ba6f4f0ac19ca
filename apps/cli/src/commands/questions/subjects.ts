import type { SubjectMatch } from "@groundrule/engine";
import { CNPJ_ROOT_LENGTH, canonicalizeValue } from "@groundrule/engine/internal";
import { type Arguments, UsageError } from "../../command-line/arguments.ts";
import type { Command } from "../../command-line/command.ts";
import { defineOption } from "../../command-line/command-line.ts";
import { openCommandData, REPEATABLE_OPTIONS } from "../../data/command-data.ts";
import { readTextLines } from "../../files/text-lines.ts";
import { AnswerPrinter, answerOrError } from "../../screening/results/answer-printer.ts";
import { type Terminal, toPrintable } from "../../terminal/terminal.ts";
import { formatCount } from "../../words/change-tally.ts";

/** The part of a `br:cnpj` that its company has in common; undefined for that part alone, and for other schemes. */
function findCompanyRoot(type: string, value: string): string | undefined {
  const canonical = canonicalizeValue(value);
  const isEstablishment = type === "br:cnpj" && canonical.length > CNPJ_ROOT_LENGTH;
  return isEstablishment ? canonical.slice(0, CNPJ_ROOT_LENGTH) : undefined;
}

/**
 * The identifiers to look up, each with the id of its line: the one of `--value` has 1, those of a file are their own.
 *
 * Fails: `UsageError` unless there is one of both; `InputFileError` for a file that cannot be read.
 */
async function* readIdentifiers(
  args: Arguments,
  terminal: Terminal,
): AsyncGenerator<readonly [id: string | number, value: string]> {
  const [path] = args.operands;
  const value = args.find("value");
  if ((path === undefined) === (value === undefined)) {
    throw new UsageError(
      path === undefined
        ? "found neither --value TEXT nor FILE, expected one of them"
        : "found both --value TEXT and FILE, expected one of them",
    );
  }
  if (value !== undefined) yield [1, value];
  else for await (const line of readTextLines(path, terminal)) yield [line, line];
}

export const subjectsCommand: Command = {
  summary: "Look up identifiers in the registers",
  operands: "[FILE]",
  examples: ["--scheme br:cnpj --value 02.387.202/0001-63", "--scheme br:cnpj suppliers.txt"],
  options: [
    defineOption("scheme TYPE", "scheme of the identifiers, e.g. br:cnpj", { required: true }),
    defineOption("value TEXT", "the identifier, in place of FILE; with ilike, % stands for any text"),
    defineOption("source NAME", "query only this register"),
    defineOption("match-op OP", "equals (default) or ilike"),
    ...REPEATABLE_OPTIONS,
  ],
  details: [
    'FILE, or standard input for -, has one identifier a line. Prints a line for each, {"id": …, "matches": […]}; the id is the identifier as the file has it, or 1 for --value. matches is empty when no register contains the identifier. Where the scheme excludes the value (length, characters, check digits), the line has malformed, {"code": …, "proposed": …}: no match proves nothing then.',
  ],
  async run(args, terminal) {
    const matchOp = args.findChoice("match-op", ["equals", "ilike"]) ?? "equals";
    const source = args.find("source");
    const { data, now } = openCommandData(args, terminal);
    const printer = new AnswerPrinter<SubjectMatch>(args, terminal, {
      subject: "identifier",
      member: "matches",
      columns: [{ title: "register" }, { title: "id" }, { title: "value" }, { title: "record" }],
      cells: ({ source_name, source_id, value, properties }) => {
        const texts = Object.values(properties).filter((text) => typeof text === "string");
        return [source_name, source_id, value, texts.join(", ")];
      },
    });
    const type = args.get("scheme");
    const options = { now, matchOp, ...(source !== undefined && { source }) } as const;
    for await (const [id, value] of readIdentifiers(args, terminal)) {
      const answer = answerOrError(() => data.subjects({ type, value }, options));
      await printer.print(id, answer);
      const root = matchOp === "equals" ? findCompanyRoot(type, value) : undefined;
      if (root === undefined || !("matches" in answer) || answer.matches.length > 0) continue;
      const pattern = `${root}%`;
      const company = answerOrError(() =>
        data.subjects({ type, value: pattern }, { ...options, matchOp: "ilike" }),
      );
      if ("matches" in company && company.matches.length > 0) {
        const subject = id === 1 ? "" : `identifier ${toPrintable(value)}: `;
        terminal.note(
          `${subject}no register has this establishment, and ${formatCount(company.matches.length, "record")} of its company, which checks with "match": "root" find: --match-op ilike --value '${pattern}'`,
        );
      }
    }
    return printer.finish();
  },
};
