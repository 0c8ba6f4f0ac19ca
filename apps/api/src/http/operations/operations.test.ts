import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { DEFAULT_LIMITS } from "@groundrule/contract";
import { listQuestions } from "@groundrule/service";
import { describe, expect, it } from "vitest";
import { buildLongestPath } from "../../../test/operations.ts";
import { OPERATIONS } from "./operations.ts";
import { defineOperation, TEXT } from "./record/operation.ts";

const http = join(import.meta.dirname, "..");

describe("the table of operations", () => {
  it("has each name, and each method of a path, once", () => {
    const names = OPERATIONS.map(({ id }) => id);
    const places = OPERATIONS.map(({ method, path }) => `${method} ${path}`);
    expect(names.length).toBeGreaterThan(25);
    expect(new Set(names).size).toBe(names.length);
    expect(new Set(places).size).toBe(places.length);
  });

  it("is the only place of the HTTP layer that names a path, but for the pages that show calls", () => {
    const files = execFileSync("git", ["ls-files", "."], { cwd: http, encoding: "utf8" }).split("\n");
    const others = files.filter(
      (file) => file.endsWith(".ts") && !/\.test\.ts$|^(?:operations|docs)\//.test(file),
    );
    expect(others.length).toBeGreaterThan(40);
    const paths = OPERATIONS.map(({ path }) => path);
    const naming = others.filter((file) => {
      const text = readFileSync(join(http, file), "utf8");
      return paths.some((path) => text.includes(`"${path}"`));
    });
    expect(naming).toEqual([]);
  });

  it("offers the media types of a question, the default first", () => {
    for (const { path, mediaTypes } of listQuestions(DEFAULT_LIMITS)) {
      const { answer } = OPERATIONS.find((each) => each.path === path)!;
      expect(Object.keys(answer.content), path).toEqual(mediaTypes);
    }
  });

  it("lets every list with pages queue among the reads that take longer with what is stored", () => {
    const paged = OPERATIONS.filter((each) => each.method === "GET" && buildLongestPath(each) !== each.path);
    expect(paged.map(({ id }) => id)).toEqual(["jobs", "listRulesets", "decisions"]);
    for (const { id, room } of paged) expect(room, id).toBe("reads");
  });
});

const RECORD = {
  id: "none",
  method: "GET",
  tag: "Metering",
  summary: "Nothing",
  query: "none",
  answer: { content: { "text/plain": TEXT } },
  codes: [],
  handler: () => () => new Response(),
} as const;

/** Records that the compiler refuses. */
export const REFUSED: readonly unknown[] = [
  // @ts-expect-error a parameter of the path is not described
  defineOperation({ ...RECORD, key: "any", room: "work", path: "/v1/none/:id" }),
  // @ts-expect-error a parameter is described that is not in the path
  defineOperation({ ...RECORD, key: "none", path: "/none", parameters: { id: { schema: {}, sample: "1" } } }),
  // @ts-expect-error a key needs a place to work
  defineOperation({ ...RECORD, key: "usage:read", path: "/v1/none" }),
  // @ts-expect-error no key has this scope
  defineOperation({ ...RECORD, key: "usage:write", room: "work", path: "/v1/none" }),
  // @ts-expect-error without codes
  defineOperation({ ...RECORD, codes: undefined, key: "none", path: "/none" }),
];
