import { html } from "./html.ts";
import { PAGES, renderDocsPage } from "./layout.ts";

/** Renders the page in place of one that does not exist. @param message the reason, for people */
export function renderMissingPage(message: string): string {
  return renderDocsPage({
    title: "Not found",
    path: "",
    side: { name: "Documentation", links: PAGES },
    main: html`<h1>Not found</h1>\n<p>${message}</p>`,
  });
}
