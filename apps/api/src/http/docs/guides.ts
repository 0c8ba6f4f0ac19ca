import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { lexer, type Tokens } from "marked";
import { html } from "./html.ts";
import { type NavLink, renderDocsPage } from "./layout.ts";
import { renderMarkdown } from "./markdown.ts";

/** Base of links from guides to anything that is not a guide. */
const REPOSITORY = "https://github.com/groundrule/groundrule/blob/main/";

const MARKDOWN = /^[a-z0-9-]+\.md$/;

/**
 * The guides of a folder as pages: returns a function that renders the named one, or the list of all without a name.
 *
 * @param folder with Markdown files, of which `README.md` lists the others; absent or missing: there are no guides
 */
export function createGuideRenderer(
  folder: string | undefined,
): (name: string | undefined) => string | undefined {
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

  /** The page that lists the guides; undefined if there are none. */
  index(): string | undefined {
    return existsSync(join(this.#folder, "README.md")) ? this.#render("README", "/docs/guides") : undefined;
  }

  /** The page of a guide; undefined if there is none of that name. */
  page(name: string): string | undefined {
    return this.names.includes(name) ? this.#render(name, `/docs/guides/${name}`) : undefined;
  }

  #render(name: string, path: string): string {
    const { title, html: text, contents } = renderMarkdown(this.#read(name), (href) => this.#linkOf(href));
    const sections = contents.map(({ below: _, ...section }) => section);
    const side = { name: "Guides", links: [{ href: "/docs/guides", text: "All guides" }, ...this.#groups()] };
    return renderDocsPage({
      title,
      path,
      side,
      contents: name === "README" ? [] : sections,
      main: html`${text}`,
    });
  }

  /** The guides by title, in the sections of the list page. */
  #groups(): NavLink[] {
    const groups: { readonly text: string; readonly below: NavLink[] }[] = [];
    for (const token of existsSync(join(this.#folder, "README.md")) ? lexer(this.#read("README")) : []) {
      if (token.type === "heading" && token.depth === 2) groups.push({ text: token.text, below: [] });
      if (token.type !== "table") continue;
      for (const [cell] of (token as Tokens.Table).rows) {
        const link = cell?.tokens[0] as Tokens.Link | undefined;
        if (link?.type === "link")
          groups.at(-1)?.below.push({ href: this.#linkOf(link.href), text: link.text });
      }
    }
    return groups;
  }

  #read(name: string): string {
    return readFileSync(join(this.#folder, `${name}.md`), "utf8");
  }

  /** The target of a guide's link as served: another guide, or a file in the repository. */
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
