import type { FactDeclaration } from "@groundrule/engine";
import { describe, expect, it } from "vitest";
import { withFactColumns } from "./declared-facts.ts";
import { readPlotInput } from "./plot-input.ts";

const question = { en: "?" };
const FACTS: Readonly<Record<string, FactDeclaration>> = {
  modules: { type: "number", min: 0, question },
  community: { type: "boolean", question },
  tenure: { type: "text", values: ["owner", "1"], question },
  planted: { type: "date", question },
  permit: { type: "document", question },
};
const read = (facts: Readonly<Record<string, unknown>>) => {
  const found = withFactColumns({}, facts, FACTS);
  return "input" in found ? found.input.facts : found.error.faults.map(({ pointer }) => pointer);
};
const of = (properties: Readonly<Record<string, unknown>>) =>
  readPlotInput({ geometry: null, properties }, () => undefined);

describe("columns of facts", () => {
  it.each([
    ["modules", ["3.5", " 3.5 ", 3.5, "35e-1", "+3.5"], 3.5],
    ["community", ["true", "TRUE", "1", 1, true], true],
    ["community", ["false", "0", 0, false], false],
    ["tenure", ["1", 1, " 1"], "1"],
    ["planted", ["2024-02-29", "2024-02-29T00:00:00Z", "2024-02-29 00:00:00.000+00:00"], "2024-02-29"],
    ["modules", [null, undefined, "", "  "], null],
  ])("give %s as its type has it, however a format writes it", (name, cells, value) => {
    for (const cell of cells) expect(read({ [name]: cell }), String(cell)).toEqual({ [name]: value });
  });

  it.each([
    ["modules", ["many", "3,5", "0x10", "Infinity", true, {}]],
    ["community", ["yes", "constructor", 2, {}]],
    ["planted", ["29/02/2024", "2024-02-29T12:00:00Z", 20240229]],
    ["tenure", [{}]],
    ["permit", ["P-1", 7, "null"]],
  ])("are refused at the column where %s is none", (name, cells) => {
    for (const cell of cells)
      expect(read({ [name]: cell }), String(cell)).toEqual([`/properties/fact:${name}`]);
  });

  it("have the names that rulesets give them, also those of every object", () => {
    const declared = {
      constructor: { type: "number", question },
      permit: { type: "document", question },
    } as const;
    const found = withFactColumns({}, { constructor: "3" }, declared);
    expect(found).toEqual({ input: { facts: { constructor: 3 } } });
    expect(of({ "fact:constructor": "3" })).toMatchObject({ rawFacts: { constructor: "3" } });
  });

  it("give way to an object of facts where they are empty", () => {
    const facts = { modules: 1 };
    expect(withFactColumns({ facts }, { modules: "", community: "" }, FACTS)).toEqual({
      input: { facts: { modules: 1, community: null } },
    });
  });

  it("make a document of its members, or of its JSON, and none of empty ones", () => {
    const document = { id: "7", issuer: "State", issued_on: "2024-01-01", area_m2: 10 };
    expect(
      read({
        "permit.id": 7,
        "permit.issuer": "State",
        "permit.issued_on": "2024-01-01T00:00:00Z",
        "permit.valid_until": "",
        "permit.area_m2": "10",
      }),
    ).toEqual({ permit: document });
    for (const cell of [JSON.stringify(document), { ...document, valid_until: null }])
      expect(read({ permit: cell })).toEqual({ permit: document });
    expect(read({ "permit.id": null, "permit.issuer": "" })).toEqual({});
    expect(read({ "permit.issued_on": "soon" })).toEqual(["/properties/fact:permit.issued_on"]);
  });

  it("are refused by name where the ruleset does not declare them", () => {
    for (const name of ["modulos", "modules.x", "permit.valid", "permit.id.x", "toString"]) {
      const found = withFactColumns({}, { [name]: null }, FACTS);
      expect("error" in found && found.error.faults[0]!.code, name).toBe("FACT_UNKNOWN");
    }
    const found = withFactColumns({ facts: { modules: 1 } }, { modules: "1" }, FACTS);
    expect("error" in found && found.error.message).toMatch("expected it in one of them");
  });
});

describe("what a plot declares in its properties", () => {
  it("goes into the input: facts as an object, the property as a geometry, its columns beside it", () => {
    const property = { type: "Polygon", coordinates: [] };
    const facts = { modules: 3 };
    expect(of({ facts, property, "fact:community": 1 })).toEqual({
      input: { facts, property },
      rawFacts: { community: 1 },
    });
    expect(of({ facts: null, property: null, "fact:": 1 })).toEqual({ input: {} });
  });

  it("is refused at its place where it is neither, and the name of a farm is no property", () => {
    const pointers = [{ facts: [1] }, { facts: "x" }, { property: "POLYGON((0 0" }, { property: "{" }].map(
      (properties) => {
        const found = of(properties);
        return "error" in found && found.error.faults[0]!.pointer;
      },
    );
    expect(pointers).toEqual([
      "/properties/facts",
      "/properties/facts",
      "/properties/property",
      "/properties/property",
    ]);
    for (const property of ["Fazenda Polygon", "Point Farm", 7])
      expect(of({ property })).toEqual({ input: {} });
  });
});
