import { readPlotFile } from "@groundrule/plot-files";
import { type FactDeclarations, meantFact, withFactColumns } from "@groundrule/plots";
import { type Arguments, UsageError } from "../command-line/arguments.ts";
import type { OptionSpec } from "../command-line/command-line.ts";
import { isFile, openInputFile } from "../files/open-input.ts";
import type { Terminal } from "../terminal/terminal.ts";
import type { Declared, DeclaredProperty } from "./judged-plots.ts";

const FACT = "fact";
const PROPERTY = "property";

/** Options that declare something about all plots. */
export const DECLARED_OPTIONS: readonly OptionSpec[] = [
  {
    name: FACT,
    value: "NAME=VALUE",
    multiple: true,
    help: "a fact that the ruleset asks for, of every plot that does not tell it; of a document, its JSON",
  },
  {
    name: PROPERTY,
    value: "FILE",
    help: "the property that plots are part of: a file of one polygon, in the same CRS",
  },
];

/** Help text on facts in files of plots. */
export const DECLARED_DETAIL =
  "Facts that the ruleset asks for are read from the plots: in GeoJSON from properties.facts, an object by name; in every format from columns fact:NAME, of a document fact:NAME.id, .issuer, .issued_on, .valid_until and .area_m2; true and false also as yes and no, sim and não, sí and no, 1 and 0. The property is a geometry in properties.property, or WKT or GeoJSON in a column property. Nobody examines what is declared.";

/**
 * The declarations of the command line; undefined if there are none.
 *
 * Fails: {@link UsageError} for a malformed option, and for a fact that the ruleset does not declare, or declares with
 * another type; as reading the file.
 */
export async function readDeclarations(
  args: Arguments,
  declarations: FactDeclarations,
  terminal: Terminal,
): Promise<Declared | undefined> {
  const facts = args.all(FACT).map((text) => {
    const at = text.indexOf("=");
    if (at <= 0) throw new UsageError(`found --${FACT} "${text}", expected NAME=VALUE`);
    const name = text.slice(0, at);
    const meant = meantFact(name, declarations) ?? name;
    if (meant !== name) throw new UsageError(`found --${FACT} ${name}, expected the whole name ${meant}`);
    return [name, text.slice(at + 1)] as const;
  });
  const path = args.find(PROPERTY);
  if (facts.length === 0 && path === undefined) return undefined;
  const read = withFactColumns({}, Object.fromEntries(facts), declarations);
  if ("error" in read) throw new UsageError(`--${FACT}: ${read.error.message}`);
  return {
    ...(facts.length > 0 && { facts: read.input.facts }),
    ...(path !== undefined && { property: await readPropertyFile(path, args, terminal) }),
  };
}

async function readPropertyFile(
  path: string,
  args: Arguments,
  terminal: Terminal,
): Promise<DeclaredProperty> {
  const wanted = `--${PROPERTY} ${path}`;
  const input = await openInputFile(path, terminal);
  let found: DeclaredProperty | undefined;
  try {
    for await (const plot of readPlotFile(input, { swapAxes: args.flag("swap-axes") })) {
      if ("error" in plot) throw new UsageError(`${wanted}: ${plot.error.message}`);
      const { geometry, crs } = plot;
      if (typeof geometry !== "object" || geometry === null || found !== undefined) {
        const has = found === undefined ? "a feature without a geometry" : "several features";
        throw new UsageError(`found ${has} in ${wanted}, expected one polygon`);
      }
      found = { geometry, crs };
    }
  } finally {
    if (isFile(input)) await input.close();
  }
  if (found === undefined) throw new UsageError(`found nothing in ${wanted}, expected one polygon`);
  return found;
}
