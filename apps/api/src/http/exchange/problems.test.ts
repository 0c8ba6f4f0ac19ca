import { readFileSync } from "node:fs";
import { ERRORS, ERRORS_PATH, type ErrorCode, toProblemType } from "@groundrule/contract";
import { ENGINE_ERROR_CODES } from "@groundrule/engine";
import { FORMAT_ERROR_CODES } from "@groundrule/formats";
import { INGEST_ERROR_CODES } from "@groundrule/ingest";
import type { DataErrorCode, PoolErrorCode } from "@groundrule/node";
import { PROVIDER_ERROR_CODES } from "@groundrule/postgis";
import { SYNC_ERROR_CODES } from "@groundrule/sync";
import { describe, expect, it } from "vitest";
import { makeLiteralApp } from "../../../test/literal-app.ts";
import type { StoreErrorCode } from "../../store/port/store-error.ts";

const page = readFileSync(new URL("../../../../../docs/errors.md", import.meta.url), "utf8");
const [, overHttp = "", ...elsewhere] = page.split("\n## ");

/** Code and status of each entry. Each entry has the code's meaning and a remedy. */
function parseErrorEntries(part: string): (readonly [code: string, status: number])[] {
  const form = /^### `([A-Z0-9_]+)`\n\nStatus (\d+)\. .+\n\n\*\*What to do\.\*\* .+$/gm;
  return [...part.matchAll(form)].map(([, code, status]) => [code!, Number(status)]);
}

/** Codes that the Python package and `groundrule stdio` give, as their sources name them. */
const CALL_CODES = [
  ...["_child.py", "_data.py", "_errors.py", "_frames.py", "_program.py"].map(
    (name) => `python/src/groundrule/${name}`,
  ),
  "cli/src/commands/stdio/answer-calls.ts",
].flatMap((path) => {
  const source = readFileSync(new URL(`../../../../../apps/${path}`, import.meta.url), "utf8");
  const pattern = /(?:(?:GroundruleError|ChildEnded)\(\s*|code: )"([A-Z]+(?:_[A-Z]+)+)"/g;
  return [...source.matchAll(pattern)].map(([, code]) => code!);
});

/** Codes of the data folder, the workers and the store. A new code does not compile until it is listed here. */
const RUN_CODES = [
  "FACT_UNKNOWN",
  "OUTPUT_INVALID",
  "OUTPUT_LOCKED",
  "OUTPUT_UNWRITABLE",
  "RUN_DIFFERS",
  "RUN_UNFINISHED",
  "SHARD_DAMAGED",
  "SHARD_DIFFERS",
  "SHARD_DUPLICATE",
  "SHARD_MISSING",
];

const OTHERS: Readonly<Record<DataErrorCode | PoolErrorCode | StoreErrorCode, true>> = {
  BACKUP_INVALID: true,
  CATALOG_CORRUPT: true,
  CATALOG_VERSION_UNSUPPORTED: true,
  CLOCK_UNTRUSTED: true,
  DATA_FOLDER_LOCKED: true,
  DATA_FOLDER_MISSING: true,
  EDITION_AMBIGUOUS: true,
  EDITION_DAMAGED: true,
  EDITION_IN_USE: true,
  EDITION_MISSING: true,
  EDITION_UNEXPECTED: true,
  EVALUATION_ABORTED: true,
  GROUP_INVALID: true,
  KIND_CHANGED: true,
  KEY_LIMIT_REACHED: true,
  KEY_UNKNOWN: true,
  ORGANIZATION_EXISTS: true,
  ORGANIZATION_UNKNOWN: true,
  OUTCOME_UNKNOWN: true,
  OVERLOADED: true,
  PEPPER_MISMATCH: true,
  PEPPER_MISSING: true,
  POOL_CLOSED: true,
  SCHEMA_TOO_NEW: true,
  SOURCE_LIVE: true,
  SOURCE_MISSING: true,
  SOURCE_NAME_CLASH: true,
  STORAGE_UNAVAILABLE: true,
  STORE_FILE_SHARED: true,
  STORE_IN_USE: true,
  STORE_MISSING: true,
  STORE_NOT_EMPTY: true,
  VALUE_INVALID: true,
  WORKER_UNAVAILABLE: true,
  WRITE_UNREADABLE: true,
};

describe("docs/errors.md", () => {
  it("has an entry for every code of a problem with its status, and no other", () => {
    const known = Object.entries(ERRORS).map(([code, { status }]) => [code, status]);
    expect(parseErrorEntries(overHttp).sort()).toEqual(known.sort());
    for (const code of ENGINE_ERROR_CODES) expect(Object.keys(ERRORS)).toContain(code);
  });

  it("is the page that the service serves, where the type of every problem leads", async () => {
    const response = await makeLiteralApp().request(ERRORS_PATH);
    expect(response.status).toBe(200);
    expect(response.headers.get("Content-Type")).toBe("text/html; charset=utf-8");
    const served = await response.text();
    for (const [code, { status }] of Object.entries(ERRORS) as [ErrorCode, { status: number }][]) {
      const [path, anchor] = toProblemType(code).split("#");
      expect(path).toBe(ERRORS_PATH);
      expect(served).toContain(
        `<h3 id="${anchor}"><code>${code}</code> <span class="pill">${status}</span></h3>\n<p><strong>What to do.`,
      );
    }
    expect(response.headers.get("Content-Security-Policy")).toContain("default-src 'none'");
    // The page may run only the script of the documentation's pages.
    expect(served).not.toMatch(/<script(?! src="\/docs\/docs\.js"><\/script>)|<style|\son\w+=/);
  });

  it("explains every other code that the command and the packages give, and no other", () => {
    const known = new Set(
      [
        ...FORMAT_ERROR_CODES,
        ...INGEST_ERROR_CODES,
        ...SYNC_ERROR_CODES,
        ...PROVIDER_ERROR_CODES,
        ...Object.keys(OTHERS),
        ...RUN_CODES,
        ...CALL_CODES,
      ].filter((code) => !(code in ERRORS)),
    );
    const rows = elsewhere.flatMap((table) => [...table.matchAll(/^\|((?: ?,? ?`[A-Z0-9_]+`)+) +\|/gm)]);
    const documented = rows.flatMap(([, codes = ""]) => codes.match(/[A-Z0-9_]+/g) ?? []);
    expect([...new Set(documented)].sort()).toEqual([...known].sort());
  });
});
