import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { html } from "./html.ts";
import { type NavLink, renderPage } from "./layout.ts";
import { renderMarkdown } from "./markdown.ts";

/** Where what the guides link to lies, if it is no guide. */
const REPOSITORY = "https://github.com/groundrule/groundrule/blob/main/";

const MARKDOWN = /^[a-z0-9-]+\.md$/;

/**
 * The guides of a folder as pages: what renders the one of a name, or the list of all for none.
 *
 * @param folder with Markdown files, of which `README.md` lists the others; absent, or not there: there are no guides
 */
export function guidesIn(folder: string | undefined): (name: string | undefined) => string | undefined {
  if (folder === undefined) return () => undefined;
  const guides = new Guides(folder);
  return (name) => (name === undefined ? guides.index() : guides.page(name));
}

class Guides {
  readonly #folder: string;
  /** Names of the pages, without their ending. */
  readonly names: readonly string[];

  constructor(folder: string) {
    this.#folder = folder;
    const files = existsSync(folder) ? readdirSync(folder) : [];
    this.names = files
      .filter((file) => MARKDOWN.test(file))
      .map((file) => file.slice(0, -".md".length))
      .sort();
  }

  /** The page that lists the guides; undefined where there are none. */
  index(): string | undefined {
    return existsSync(join(this.#folder, "README.md")) ? this.#render("README", "/docs/guides") : undefined;
  }

  /** The page of a guide; undefined where there is none of that name. */
  page(name: string): string | undefined {
    return this.names.includes(name) ? this.#render(name, `/docs/guides/${name}`) : undefined;
  }

  #render(name: string, path: string): string {
    const markdown = readFileSync(join(this.#folder, `${name}.md`), "utf8");
    const { title, html: text, contents } = renderMarkdown(markdown, (href) => this.#linkOf(href));
    const all: NavLink[] = [{ href: "/docs/guides", text: "All guides" }, ...contents];
    return renderPage({ title, path, contents: all, main: html`${text}` });
  }

  /** Where a link of a guide leads from the service: to another guide, or into the repository. */
  #linkOf(href: string): string {
    if (/^(?:[a-z]+:|#|\/)/.test(href)) return href;
    const [file = "", anchor] = href.split("#");
    const hash = anchor === undefined ? "" : `#${anchor}`;
    const name = file.replace(/\.md$/, "");
    if (this.names.includes(name)) return `/docs/guides/${name}${hash}`;
    if (file === "README.md") return `/docs/guides${hash}`;
    if (file === "../errors.md") return `/docs/errors${hash}`;
    return new URL(href, `${REPOSITORY}docs/guides/`).href;
  }
}
