import { EngineError } from "@groundrule/engine";
import { describeValue, findSchemeFault, parseSchemes } from "@groundrule/engine/internal";
import { listIdentifiers, proposeIdentifierValue, SCHEME_POINTER } from "../columns/identifiers.ts";
import type { PlotFindings } from "./plot-findings.ts";

/** Reports identifiers that an evaluation refuses, and those that their scheme excludes. */
export function checkPlotIdentifiers(scheme: unknown, findings: PlotFindings): void {
  const items = listIdentifiers(scheme);
  const mends = new Map<string, string | undefined>(
    items.map(({ item, pointer }) => [
      `${pointer}/value`,
      describeProposedIdentifier(proposeIdentifierValue(item)),
    ]),
  );
  try {
    const { schemes, pointers } = parseSchemes(scheme, SCHEME_POINTER);
    for (const [i, identifier] of schemes.entries()) {
      const pointer = `${pointers[i]!}/value`;
      const fault = findSchemeFault(identifier);
      if (fault === undefined) continue;
      const { code, expected } = fault;
      const { value } = items[i]!.item as { readonly value: string };
      findings.add(code, pointer, { found: describeValue(value), expected, mend: mends.get(pointer) });
    }
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    for (const { pointer, message } of error.details.faults ?? []) {
      const [found, expected] = message.replace(/^found /, "").split(/, expected |; expected /) as [
        string,
        string?,
      ];
      const mend = mends.get(pointer);
      findings.add("IDENTIFIER_UNREADABLE", pointer, {
        found,
        expected: expected ?? "an identifier {type, value}",
        mend,
      });
    }
  }
}

function describeProposedIdentifier(proposed: string | undefined): string | undefined {
  if (proposed === undefined) return undefined;
  return `Check whether it is ${JSON.stringify(proposed)}, which \`groundrule plots fix\` writes.`;
}
