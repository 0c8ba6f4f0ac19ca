import { Hono } from "hono";
import { expect, it } from "vitest";
import { negotiateLanguage } from "./accepted-language.ts";

const app = new Hono().get("/", (c) => c.text(negotiateLanguage(c, ["en", "pt", "es"])));

async function requestLanguage(accept: string | undefined): Promise<string> {
  const headers = accept === undefined ? {} : { "Accept-Language": accept };
  return (await app.request("/", { headers })).text();
}

it.each([
  [undefined, "en"],
  ["", "en"],
  ["pt", "pt"],
  ["PT-br", "pt"],
  ["es-419,es;q=0.9,en;q=0.8", "es"],
  ["en;q=0.5, pt;q=0.8, es;q=0.7", "pt"],
  ["en;q=0.5,es;q=0.5", "en"],
  ["es;q=0.5,en;q=0.5", "es"],
  ["de, fr;q=0.9, pt;q=0.1", "pt"],
  ["de", "en"],
  ["*", "en"],
  ["en;q=0, *;q=0.5", "pt"],
  ["pt;q=0.2, *;q=0.5", "en"],
  ["en;q=0", "en"],
  ["pt;q=0, es;q=0.001", "es"],
  ["ptx, es-", "es"],
  ["-pt, espanol", "en"],
  ["pt;q=nonsense;level=1", "pt"],
  [";q=1,,;,*;", "en"],
  [`${"xx,".repeat(2_000)}pt`, "pt"],
  ["constructor, __proto__", "en"],
])("to %j the answer is in %s", async (accept, language) => {
  expect(await requestLanguage(accept)).toBe(language);
});
