import { readFileSync } from "node:fs";
import { ERRORS } from "@groundrule/contract";
import { ENGINE_ERROR_CODES } from "@groundrule/engine";
import { describe, expect, it } from "vitest";

describe("docs/errors.md", () => {
  it("explains every code with its status, and no other", () => {
    const page = readFileSync(new URL("../../../docs/errors.md", import.meta.url), "utf8");
    const rows = [...page.matchAll(/^\| `([A-Z_]+)` +\| (\d+) +\| .+ \| .+ \|$/gm)];
    const documented = rows.map(([, code, status]) => [code, Number(status)]);
    const known = Object.entries(ERRORS).map(([code, { status }]) => [code, status]);
    expect(documented.sort()).toEqual(known.sort());
    for (const code of ENGINE_ERROR_CODES) expect(documented.flat()).toContain(code);
  });
});
