import type { SubjectMatch } from "@groundrule/engine";
import { CNPJ_ROOT_LENGTH, canonicalizeValue } from "@groundrule/engine/internal";
import type { Command } from "../../command-line/command.ts";
import { defineOption } from "../../command-line/command-line.ts";
import { openCommandData, REPEATABLE_OPTIONS } from "../../data/command-data.ts";
import { AnswerPrinter, answerOrError } from "../../screening/results/answer-printer.ts";
import { formatCount } from "../../words/change-tally.ts";

/** The part of a `br:cnpj` that its company has in common; undefined for that part alone, and for other schemes. */
function findCompanyRoot(type: string, value: string): string | undefined {
  const canonical = canonicalizeValue(value);
  const isEstablishment = type === "br:cnpj" && canonical.length > CNPJ_ROOT_LENGTH;
  return isEstablishment ? canonical.slice(0, CNPJ_ROOT_LENGTH) : undefined;
}

export const subjectsCommand: Command = {
  summary: "Look up an identifier in the registers",
  examples: ["--scheme br:cnpj --value 02.387.202/0001-63"],
  options: [
    defineOption("scheme TYPE", "scheme of the identifier, e.g. br:cnpj", { required: true }),
    defineOption("value TEXT", "the identifier; with ilike, % stands for any text", { required: true }),
    defineOption("source NAME", "query only this register"),
    defineOption("match-op OP", "equals (default) or ilike"),
    ...REPEATABLE_OPTIONS,
  ],
  details: [
    'Prints one line, {"id": 1, "matches": […]}; matches is empty when no register contains the identifier. Where the scheme excludes the value (length, characters, check digits), the line has malformed, {"code": …, "proposed": …}: no match proves nothing then.',
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
    const scheme = { type: args.get("scheme"), value: args.get("value") };
    const options = { now, matchOp, ...(source !== undefined && { source }) } as const;
    const answer = answerOrError(() => data.subjects(scheme, options));
    await printer.print(1, answer);
    const root = matchOp === "equals" ? findCompanyRoot(scheme.type, scheme.value) : undefined;
    if (root !== undefined && "matches" in answer && answer.matches.length === 0) {
      const pattern = `${root}%`;
      const company = answerOrError(() =>
        data.subjects({ ...scheme, value: pattern }, { ...options, matchOp: "ilike" }),
      );
      if ("matches" in company && company.matches.length > 0) {
        terminal.note(
          `no register has this establishment, and ${formatCount(company.matches.length, "record")} of its company, which checks with "match": "root" find: --match-op ilike --value '${pattern}'`,
        );
      }
    }
    return printer.finish();
  },
};
