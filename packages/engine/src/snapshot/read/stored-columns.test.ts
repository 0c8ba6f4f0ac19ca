import { describe, expect, it } from "vitest";
import { buildSourceSnapshot } from "../../../test/ruleset-cases.ts";
import type { AttributeValue, ColumnSummary } from "../snapshot.ts";

const boxes = [[0, 0, 1, 1]] as const;
const COLUMNS = { n: "number", s: "string", d: "date", b: "boolean" } as const;

function summarizeColumns(
  rows: readonly Readonly<Record<string, AttributeValue>>[],
  country?: string,
): Readonly<Record<string, ColumnSummary>> {
  const areas = rows.map((properties, i) => ({
    id: `${i}`,
    boxes,
    properties,
    ...(country !== undefined && i > 0 && { country }),
  }));
  const { attributes } = buildSourceSnapshot("t:a", { columns: COLUMNS, areas });
  return {
    ...Object.fromEntries(attributes.columns.map(({ name }, i) => [name, attributes.summary(i)])),
    name: attributes.summary("name"),
    country: attributes.summary("country_iso3"),
  };
}

describe("the summary of a column", () => {
  it("counts nulls, bounds numbers and days, and holds each text once", () => {
    const { n, s, d, b, name, country } = summarizeColumns(
      [
        { n: -3, s: "x", d: "1969-12-31", b: true },
        { n: 0.5, s: "y", d: "2024-02-29" },
        { s: "x", b: false },
      ],
      "BRA",
    );
    expect(n).toEqual({ nullCount: 1, range: { least: -3, greatest: 0.5 } });
    expect(d).toEqual({ nullCount: 1, range: { least: "1969-12-31", greatest: "2024-02-29" } });
    expect(b).toEqual({ nullCount: 1 });
    expect(s).toMatchObject({ nullCount: 0, textCount: 2 });
    expect([...s!.texts!()]).toEqual(["x", "y"]);
    expect(name).toMatchObject({ nullCount: 3, textCount: 0 });
    expect(country).toMatchObject({ nullCount: 1, textCount: 1 });
  });

  it("has no range where no row has a value", () => {
    const { n, d, s } = summarizeColumns([{}, {}]);
    expect(n).toEqual({ nullCount: 2 });
    expect(d).toEqual({ nullCount: 2 });
    expect(s).toMatchObject({ nullCount: 2, textCount: 0 });
    expect(summarizeColumns([]).n).toEqual({ nullCount: 0 });
  });
});
