import { TrieRouter } from "hono/router/trie-router";
import { expect, it } from "vitest";
import { KnownPathsRouter } from "./known-paths.ts";

const ROUTES = [
  "/*",
  "/v1/rulesets",
  "/v1/rulesets/:name",
  "/v1/rulesets/:name/:version",
  "/docs",
  "/docs/errors",
];
const METHODS = ["GET", "POST", "HEAD", "PURGE"];
const PATHS = [...ROUTES, "/", "/v1", "/v1/rulesets/a", "/v1/rulesets/a/1", "/docs/", "/docs/other", "/%00"];

it("finds what Hono's own router finds, once and again", () => {
  const own = new KnownPathsRouter<string>();
  const trie = new TrieRouter<string>();
  for (const path of [...ROUTES, "/docs/:file"]) {
    for (const method of ["GET", "ALL"]) {
      own.add(method, path, `${method} ${path}`);
      trie.add(method, path, `${method} ${path}`);
    }
    for (let time = 0; time < 2; time++) {
      for (const method of METHODS) {
        for (const at of PATHS) expect(own.match(method, at)).toEqual(trie.match(method, at));
      }
    }
  }
});
