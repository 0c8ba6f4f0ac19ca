import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { literalApp } from "../../../test/literal-app.ts";

const ORIGIN = "http://service.example";
const ROOT = fileURLToPath(new URL("../../../../../", import.meta.url));
const REPOSITORY = "https://github.com/groundrule/groundrule/blob/main/";

/** The documentation, page by page, as a reader comes by its links. */
class Walk {
  readonly #app = literalApp();
  readonly #pages = new Map<string, Promise<Page>>();
  /** Pages of the documentation that were read. */
  readonly read: string[] = [];
  /** Links that lead nowhere. */
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
