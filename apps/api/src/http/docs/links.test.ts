import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { makeLiteralApp } from "../../../test/literal-app.ts";
import { renderCodeBlock } from "./code.ts";

const ORIGIN = "http://service.example";
const ROOT = fileURLToPath(new URL("../../../../../", import.meta.url));
const REPOSITORY = "https://github.com/groundrule/groundrule/blob/main/";

/** Follows the links of the documentation page by page, as a reader would. */
class Walk {
  readonly #app = makeLiteralApp();
  readonly #pages = new Map<string, Promise<Page>>();
  /** Pages that were read. */
  readonly read: string[] = [];
  /** Links without a target. */
  readonly broken: string[] = [];

  async from(path: string): Promise<void> {
    if (this.read.includes(path)) return;
    this.read.push(path);
    const { text, anchors } = await this.#page(path);
    if (new Set(anchors).size !== anchors.length) this.broken.push(`${path} has an anchor twice`);
    for (const [, href] of text.matchAll(/ (?:href|src)="([^"]+)"/g)) {
      if (!(await this.#leadsSomewhere(new URL(href!, ORIGIN + path)))) this.broken.push(`${path}: ${href}`);
    }
  }

  async #leadsSomewhere(url: URL): Promise<boolean> {
    if (url.href.startsWith(REPOSITORY))
      return existsSync(ROOT + url.pathname.slice(new URL(REPOSITORY).pathname.length));
    if (url.origin !== ORIGIN || url.pathname === "/console") return true;
    const { status, isHtml, anchors } = await this.#page(url.pathname);
    if (status !== 200) return false;
    if (isHtml) await this.from(url.pathname);
    return url.hash === "" || anchors.includes(decodeURIComponent(url.hash.slice(1)));
  }

  #page(path: string): Promise<Page> {
    const known = this.#pages.get(path) ?? this.#fetch(path);
    this.#pages.set(path, known);
    return known;
  }

  async #fetch(path: string): Promise<Page> {
    const response = await this.#app.request(path);
    const text = await response.text();
    const isHtml = (response.headers.get("Content-Type") ?? "").startsWith("text/html");
    return {
      status: response.status,
      isHtml,
      text,
      anchors: [...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id!),
    };
  }
}

interface Page {
  readonly status: number;
  readonly isHtml: boolean;
  readonly text: string;
  readonly anchors: readonly string[];
}

it("leads somewhere with every link of the documentation, and to every guide", async () => {
  const walk = new Walk();
  await walk.from("/docs");
  expect(walk.broken).toEqual([]);
  expect(walk.read.length).toBeGreaterThan(20);
});

it("lists every guide at the left of each, by the title that it has, and marks the one that is read", async () => {
  const folder = `${ROOT}docs/guides/`;
  const text = await (await makeLiteralApp().request("/docs/guides/settings")).text();
  const [side = ""] = /<nav class="contents" aria-label="Guides">[\s\S]*?<\/nav>/.exec(text) ?? [];
  for (const file of readdirSync(folder)) {
    if (file === "README.md") continue;
    const name = file.replace(".md", "");
    const current = name === "settings" ? ' aria-current="page"' : "";
    const [title] = readFileSync(folder + file, "utf8").split("\n");
    expect(side).toContain(
      `<a href="/docs/guides/${name}"${current}>${title!.slice(2).replaceAll("'", "&#39;")}</a>`,
    );
  }
});

it("keeps on one page the anchors that links to the reference name, each operation also on the page of its group", async () => {
  const app = makeLiteralApp();
  const textOf = async (path: string) => (await app.request(path)).text();
  const all = await textOf("/docs/reference/one-page");
  const ids = [...all.matchAll(/<(?:article|section[^>]*) id="([^"]+)"/g)].map(([, id]) => id!);
  expect(ids).toEqual(expect.arrayContaining(["evaluate", "schemas", "schema-EvaluateRequest"]));
  const groups = [...all.matchAll(/<section id="group-([a-z-]+)"/g)].map(
    ([, name]) => `/docs/reference/${name}`,
  );
  const pages = (await Promise.all([...groups, "/docs/reference/schemas"].map(textOf))).join("");
  expect(ids.filter((id) => !pages.includes(` id="${id}"`))).toEqual([]);
});

it.each([
  ["json", '{"a": ["b", -1.5]} // c', 'key:"a" string:"b" number:-1.5 comment:// c'],
  ["sh", "curl -s 'a # b' --x 1 # c", "key:-s string:'a # b' key:--x number:1 comment:# c"],
  ["ts", "const a = { b: 2 }; // 3", "key:const key:b number:2 comment:// 3"],
  ["yaml", "- name: 3 # c", "key:name number:3 comment:# c"],
  ["text", '"a" 1', ""],
])("colours the tokens of %s, and changes no letter of it", (language, code, expected) => {
  const { text } = renderCodeBlock(code, language);
  const read = (part: string) => part.replaceAll("&quot;", '"').replaceAll("&#39;", "'");
  const tokens = [...text.matchAll(/<span class="(\w+)">(.*?)<\/span>/g)];
  expect(tokens.map(([, kind, part]) => `${kind}:${read(part!)}`).join(" ")).toBe(expected);
  expect(read(text.replaceAll(/<[^>]*>/g, ""))).toBe(code);
});
