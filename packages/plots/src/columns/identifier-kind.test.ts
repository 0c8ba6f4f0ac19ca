import { describe, expect, it } from "vitest";
import { parseIdentifierKind, schemeNamedBy, type UnknownKind } from "./identifier-kind.ts";

describe("parseIdentifierKind", () => {
  it("reads a scheme with and without a role", () => {
    expect(parseIdentifierKind("br:cnpj")).toEqual({ type: "br:cnpj" });
    expect(parseIdentifierKind(" br:cnpj:owner ")).toEqual({ type: "br:cnpj", role: "owner" });
    expect(parseIdentifierKind("ofac:tax_id_no:buyer")).toEqual({ type: "ofac:tax_id_no", role: "buyer" });
  });

  it.each([
    ["cnpj", "br:cnpj"],
    ["CPF", "br:cpf"],
    ["car:property", "br:car:property"],
    ["LEI:Owner", "iso:lei:owner"],
    ["ein", "us:ein"],
    ["br:cnpj:Land owner", "br:cnpj:land_owner"],
    ["BR:CNPJ:owner", "br:cnpj:owner"],
    ["passport", undefined],
    ["br:cnpj:owner:other", "br:cnpj:owner"],
    ["", undefined],
  ])("refuses %j and proposes %j", (text, meant) => {
    const { expected, meant: proposed } = parseIdentifierKind(text) as UnknownKind;
    expect(proposed).toBe(meant);
    expect(/did you mean "(.*)"\?$/.exec(expected)?.[1]).toBe(meant);
  });
});

describe("schemeNamedBy", () => {
  it.each([
    ["CNPJ", "br:cnpj"],
    ["CNPJ do produtor", "br:cnpj"],
    ["cod_CAR", "br:car"],
    ["ownerEIN", "us:ein"],
    ["carro", undefined],
    ["Area", undefined],
  ])("finds by the name %j %j", (column, scheme) => {
    expect(schemeNamedBy(column)).toBe(scheme);
  });
});
