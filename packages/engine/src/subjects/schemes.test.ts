import { catchRefusal } from "@groundrule/testing/refusal";
import { describe, expect, it } from "vitest";
import { parseSchemes } from "./schemes.ts";

describe("parseSchemes", () => {
  it("reads none, one or several, with canonical values and a warning where digits do not fit", () => {
    expect(parseSchemes(undefined, "/scheme").schemes).toEqual([]);
    expect(parseSchemes({ type: "us:ein", value: "12-3456789", role: null }, "/scheme").schemes).toEqual([
      { type: "us:ein", value: "123456789" },
    ]);
    const { schemes, warnings } = parseSchemes(
      [
        { type: "br:cpf", value: "111.444.777-35", role: "owner" },
        { type: "br:cpf", value: "111.444.777-36" },
      ],
      "/scheme",
    );
    expect(schemes[0]).toEqual({ type: "br:cpf", value: "11144477735", role: "owner" });
    expect(warnings).toEqual([
      expect.objectContaining({ pointer: "/scheme/1/value", code: "CHECK_DIGITS_WRONG" }),
    ]);
  });

  it("reports every fault at once, each with its place", () => {
    const sent = [{ type: "CNPJ", value: "--", roll: "owner" }, 7, { type: "a:b", value: 1, role: "Owner" }];
    expect(() => parseSchemes(sent, "/scheme")).toThrow(
      expect.objectContaining({
        code: "VALIDATION_FAILED",
        details: {
          faults: [
            "/scheme/0/roll",
            "/scheme/0/type",
            "/scheme/0/value",
            "/scheme/1",
            "/scheme/2/value",
            "/scheme/2/role",
          ].map((pointer) => expect.objectContaining({ pointer })),
        },
      }),
    );
  });
});

describe("an identifier that is not in its form", () => {
  it("is refused with the scheme that its type most likely means", () => {
    const { details } = catchRefusal(() => parseSchemes({ type: "cnpj", value: "1" }, "/scheme"));
    expect(details.faults).toEqual([
      {
        pointer: "/scheme/type",
        code: "VALUE_INVALID",
        message:
          'found "cnpj", expected <authority>:<name>, lowercase, at most 65 characters; did you mean "br:cnpj"?',
      },
    ]);
  });

  it("is refused with every fault at its place, in the words of every other input", () => {
    const input = { type: "br:cnpj", value: 7, "a/b": 1, role: ["owner"] };
    const { message, details } = catchRefusal(() => parseSchemes([input, [1, 2]], "/scheme"));
    expect(details.faults?.map((fault) => `${fault.pointer}: ${fault.message}`)).toEqual([
      '/scheme/0/a~1b: unknown member "a/b"; expected one of "type", "value", "role"',
      "/scheme/0/value: found 7, expected a string",
      "/scheme/0/role: found an array of length 1, expected a role of a-z, 0-9 and _, beginning with a letter",
      "/scheme/1: found an array of length 2, expected an identifier {type, value}",
    ]);
    expect(message).toMatch(/^unknown member "a\/b".* \(at "\/scheme\/0\/a~1b", and 3 more\)$/);
  });
});
