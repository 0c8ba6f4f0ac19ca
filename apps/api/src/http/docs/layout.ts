import { type Html, html } from "./html.ts";

/** A link of the side navigation, with those below it. */
export interface NavLink {
  readonly href: string;
  readonly text: string;
  readonly below?: readonly NavLink[];
}

/** What a page of the documentation is made of. */
export interface DocsPage {
  readonly title: string;
  /** Where it is, which the navigation marks. */
  readonly path: string;
  /** Links of the page itself. */
  readonly contents: readonly NavLink[];
  readonly main: Html;
}

const PAGES: readonly NavLink[] = [
  { href: "/docs", text: "Reference" },
  { href: "/docs/guides", text: "Guides" },
  { href: "/docs/errors", text: "Errors" },
];

/** A page of the documentation: it loads its style and its script from the service, and nothing else. */
export function renderPage({ title, path, contents, main }: DocsPage): string {
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
<header>
<a class="name" href="/docs">groundrule</a>
<nav aria-label="Documentation">
<ul>${PAGES.map(({ href, text }) => html`<li><a href="${href}"${isCurrent(href, path) ? html` aria-current="page"` : undefined}>${text}</a></li>`)}<li><a href="/console">Console</a></li></ul>
</nav>
</header>
<div class="columns">
<nav class="contents" aria-label="On this page"><details open><summary>On this page</summary>${links(contents)}</details></nav>
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
  return href === "/docs" ? path === href : path.startsWith(href);
}

function links(all: readonly NavLink[]): Html {
  return html`<ul>${all.map(
    ({ href, text, below = [] }) =>
      html`<li><a href="${href}">${text}</a>${below.length > 0 ? links(below) : undefined}</li>`,
  )}</ul>`;
}
