import { type Html, type HtmlPart, html } from "../html.ts";

/** A term and its description, for a list of facts. */
export function renderTermDescription(term: string, value: HtmlPart): Html {
  return html`<dt>${term}</dt><dd>${value}</dd>`;
}

/** Like {@link renderTermDescription}, over the whole width. */
export function renderWideFact(term: string, value: HtmlPart): Html {
  return html`<dt class="wide">${term}</dt><dd class="wide">${value}</dd>`;
}

/** A part of the page under a heading that names it as a landmark does. */
export function renderSection(id: string, title: HtmlPart, content: HtmlPart): Html {
  return html`<section aria-labelledby="${id}"><h2 id="${id}">${title}</h2>
${content}
</section>`;
}

/** Text that programs wrote, which is English in every language of the page. */
export function renderEnglishText(text: HtmlPart): Html {
  return html`<span lang="en" dir="ltr">${text}</span>`;
}

/** A digest in groups of eight, which stand apart to the eye alone: what is copied is the digest. */
export function renderDigest(digest: string): Html {
  return html`<span class="mono digest">${(digest.match(/.{1,8}/g) ?? []).map((group) => html`<i>${group}</i>`)}</span>`;
}
