import { type Html, html } from "./html.ts";

/** A link of the side navigation, with its sublinks. */
export interface NavLink {
  /** Absent: a title without a link. */
  readonly href?: string;
  readonly text: string | Html;
  readonly below?: readonly NavLink[];
}

/** The parts of a documentation page. */
export interface DocsPage {
  readonly title: string;
  /** The page's path, which the navigation marks. */
  readonly path: string;
  /** Links on the left, with their title. */
  readonly side: { readonly name: string; readonly links: readonly NavLink[] };
  /** Links within the page, on the right, if those on the left lead to other pages. */
  readonly contents?: readonly NavLink[];
  readonly main: Html;
}

/** The pages that every page links to. */
export const PAGES: readonly { readonly href: string; readonly text: string }[] = [
  { href: "/docs", text: "Reference" },
  { href: "/docs/guides", text: "Guides" },
  { href: "/docs/errors", text: "Errors" },
];

/** Renders a documentation page: it loads its style and script from the service, and nothing else. */
export function renderDocsPage({ title, path, side, contents = [], main }: DocsPage): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · groundrule</title>
<link rel="icon" href="/docs/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/docs/docs.css">
</head>
<body>
<a class="skip" href="#main">Skip to the text</a>
<header><div class="inner">
<a class="name" href="/docs">groundrule</a>
<nav aria-label="Documentation">
<ul>${PAGES.map(({ href, text }) => html`<li><a href="${href}"${isCurrent(href, path) ? html` aria-current="page"` : undefined}>${text}</a></li>`)}<li><a href="/console">Console</a></li></ul>
</nav>
</div></header>
<div class="columns">
${renderNavigation("contents", side.name, side.links, path)}
${contents.length > 0 ? renderNavigation("contents page", "On this page", contents, path) : undefined}
<main id="main" tabindex="-1">
${main}
</main>
</div>
<script src="/docs/docs.js"></script>
</body>
</html>
`.text;
}

function isCurrent(href: string, path: string): boolean {
  return href === "/docs" ? path === href || path.startsWith("/docs/reference/") : path.startsWith(href);
}

function renderNavigation(className: string, name: string, all: readonly NavLink[], path: string): Html {
  return html`<nav class="${className}" aria-label="${name}"><details open><summary>${name}</summary>${renderNavLinks(all, path)}</details></nav>`;
}

function renderNavLinks(all: readonly NavLink[], path: string): Html {
  return html`<ul>${all.map(
    ({ href, text, below = [] }) =>
      html`<li>${
        href === undefined
          ? html`<span class="title">${text}</span>`
          : html`<a href="${href}"${href === path ? html` aria-current="page"` : undefined}>${text}</a>`
      }${below.length > 0 ? renderNavLinks(below, path) : undefined}</li>`,
  )}</ul>`;
}
