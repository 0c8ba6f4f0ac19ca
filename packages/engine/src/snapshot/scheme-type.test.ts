import { describe, expect, it } from "vitest";
import { findKnownScheme, formatSchemeSuggestion, KNOWN_SCHEMES } from "./scheme-type.ts";

describe("knownSchemeFor", () => {
  it.each([
    ["cnpj", "br:cnpj"],
    ["CNPJ", "br:cnpj"],
    [" Br:Cnpj ", "br:cnpj"],
    ["br-cnpj", "br:cnpj"],
    ["cnpj:owner", "br:cnpj"],
    ["cnjp", "br:cnpj"],
    ["car", "br:car"],
    ["cpf", "br:cpf"],
    ["lei", "iso:lei"],
    ["ein", "us:ein"],
    ["us:ien", "us:ein"],
    ["passport", undefined],
    ["", undefined],
    ["ofac:tax_id_no", undefined],
  ])("finds for %j %j", (written, scheme) => {
    expect(findKnownScheme(written)).toBe(scheme);
  });

  it("proposes nothing in place of a known scheme", () => {
    for (const scheme of KNOWN_SCHEMES) expect(formatSchemeSuggestion(scheme)).toBe("");
    expect([formatSchemeSuggestion("lei"), formatSchemeSuggestion(7)]).toEqual([
      '; did you mean "iso:lei"?',
      "",
    ]);
  });
});
