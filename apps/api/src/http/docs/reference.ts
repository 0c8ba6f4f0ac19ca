import type { Json } from "../openapi/json.ts";
import { renderCodeBlock } from "./code.ts";
import { type Html, html, markTrustedHtml, renderInlineCode } from "./html.ts";
import { type NavLink, renderDocsPage } from "./layout.ts";
import { renderMarkdown } from "./markdown.ts";
import { renderSchemaMember, renderSchemaMembers } from "./schema-html.ts";
import { renderStartSection } from "./start.ts";

interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly security?: readonly object[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly description: string; readonly content?: Content }>>;
}
interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Json;
}
type Content = Readonly<Record<string, MediaType>>;
interface MediaType {
  readonly schema: Json;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly summary?: string; readonly value: unknown }>>;
}
interface Described {
  readonly info: { readonly description: string };
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Json>> };
}

/** Base path of the pages of operation groups. */
const PAGES = "/docs/reference/";

/**
 * The reference as pages: returns a function that renders the named page, or the start page without a name; undefined
 * for an unknown name. There is a page for each group of operations, one for the schemas, and one with everything
 * (`one-page`).
 */
export function createReferenceRenderer(document: Json): (name: string | undefined) => string | undefined {
  const { info, tags, paths, components } = document as unknown as Described;
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      path,
      method: method.toUpperCase(),
      ...operation,
    })),
  );
  const sections: readonly Section[] = [
    ...tags.map(({ name, description }) => {
      const own = operations.filter((operation) => operation.tags.includes(name));
      return {
        page: toPageName(name),
        id: `group-${toPageName(name)}`,
        title: name,
        below: own.map(({ operationId, method, path }) => ({
          href: `#${operationId}`,
          text: html`${renderMethodBadge(method)} <span>${renderWrappingPath(path)}</span>`,
        })),
        body: () => html`<p>${renderInlineCode(description)}</p>${own.map(renderOperation)}`,
      };
    }),
    {
      page: "schemas",
      id: "schemas",
      title: "Schemas",
      below: Object.keys(components.schemas).map((name) => ({ href: `#schema-${name}`, text: name })),
      body: () => html`${Object.entries(components.schemas).map(renderSchemaSection)}`,
    },
  ];
  const render = (title: string, path: string, body: Html): string => {
    const links: NavLink[] = [
      {
        href: "/docs",
        text: "Begin",
        ...(path === "/docs" && {
          below: [
            { href: "#start", text: "Start with three calls" },
            { href: "#rules", text: "Rules for every call" },
            { href: "#operations", text: "Every operation" },
          ],
        }),
      },
      ...sections.map(({ page, id, title: text, below }) => {
        const isOnOnePage = path === `${PAGES}one-page`;
        return {
          href: isOnOnePage ? `#${id}` : PAGES + page,
          text,
          ...((isOnOnePage || path === PAGES + page) && { below }),
        };
      }),
      { href: `${PAGES}one-page`, text: "One page" },
    ];
    return renderDocsPage({ title, path, side: { name: "Reference", links }, main: body });
  };
  return (name) => {
    if (name === undefined)
      return render("API reference", "/docs", renderStartPageMain(info.description, sections));
    if (name === "one-page") {
      const all = sections.map(
        ({ id, title, body }) => html`<section id="${id}"><h2>${title}</h2>${body()}</section>`,
      );
      return render("API reference", `${PAGES}one-page`, html`<h1>API reference</h1>${all}`);
    }
    const section = sections.find(({ page }) => page === name);
    if (section === undefined) return undefined;
    const body =
      name === "schemas"
        ? section.body()
        : markTrustedHtml(section.body().text.replaceAll('href="#schema-', `href="${PAGES}schemas#schema-`));
    return render(
      `${section.title} · API reference`,
      PAGES + name,
      html`<h1 id="${section.id}">${section.title}</h1>
<h2 class="unseen">${name === "schemas" ? "All schemas" : "Operations"}</h2>${body}`,
    );
  };
}

/** A part of the reference with its own page. */
interface Section {
  readonly page: string;
  readonly id: string;
  readonly title: string;
  readonly below: readonly NavLink[];
  readonly body: () => Html;
}

function renderStartPageMain(rules: string, sections: readonly Section[]): Html {
  return html`<h1>API reference</h1>
<p class="lead">Send a plot of land, and get a verdict on whether it complies with a ruleset, with the evidence. Every number is
measured on the ellipsoid, and land that no source covers is never called compliant.</p>
${renderStartSection()}
<section id="rules"><h2>Rules for every call</h2>${renderMarkdown(rules, (href) => href).html}
<p>The description is <a href="/openapi.json">/openapi.json</a>, in OpenAPI 3.1. The client for JavaScript,
<code>@groundrule/client</code>, has the retry rules built in. The <a href="/docs/guides">guides</a> explain how things are
done, <a href="/docs/errors">errors</a> explains each code, and the <a href="/console">console</a> shows plots on a map.</p></section>
<section id="operations"><h2>Every operation</h2>${sections.map(
    ({ page, title, below }) =>
      html`<h3><a href="${PAGES}${page}">${title}</a></h3>${
        page === "schemas"
          ? undefined
          : html`<ul class="operations">${below.map(({ href, text }) => html`<li><a href="${PAGES}${page}${href}">${text}</a></li>`)}</ul>`
      }`,
  )}<p>All of it on <a href="${PAGES}one-page">one page</a>, to search in.</p></section>`;
}

function renderSchemaSection([name, schema]: [string, Json]): Html {
  const said =
    typeof schema.description === "string" ? html`<p>${renderInlineCode(schema.description)}</p>` : undefined;
  return html`<section class="schema" id="schema-${name}"><h3><code>${name}</code></h3>${said}${renderSchemaMembers(schema)}</section>`;
}

function renderMethodBadge(method: string): Html {
  return html`<span class="method ${method.toLowerCase()}">${method}</span>`;
}

/** A path that wraps only after slashes. */
function renderWrappingPath(path: string): Html {
  return html`<code class="path">${path.split(/(?<=\/)(?=.)/).map((part, i) => (i < 2 ? part : html`<wbr>${part}`))}</code>`;
}

function renderOperation({
  operationId,
  method,
  path,
  summary,
  security,
  parameters = [],
  requestBody,
  responses,
}: Operation & { readonly path: string; readonly method: string }): Html {
  const isOpen = security?.length === 0;
  const answers = Object.entries(responses);
  const successes = answers.filter(([status]) => Number(status) < 400);
  const problems = answers.filter(([status]) => Number(status) >= 400);
  return html`<article id="${operationId}"><h3>${renderMethodBadge(method)} ${renderWrappingPath(path)}</h3>
<p>${renderInlineCode(summary)}.${isOpen ? " It needs no API key." : undefined}</p>
${
  parameters.length === 0
    ? undefined
    : html`<h4>Parameters</h4><dl class="members">${parameters.map(
        ({ name, in: place, required, description, schema }) =>
          renderSchemaMember(name, schema, required === true, `In the ${place}. ${description ?? ""}`),
      )}</dl>`
}
${requestBody === undefined ? undefined : html`<h4>Body</h4>${renderContentByType(requestBody.content)}`}
${successes.map(
  ([status, { description, content = {} }]) =>
    html`<h4>Answer ${status}</h4><p>${renderInlineCode(description)}.</p>${renderContentByType(content)}`,
)}
<h4>Errors</h4>
<div class="errors">${problems.map(([status, { content = {} }]) => renderErrorExamples(operationId, status, content))}</div>
</article>`;
}

function renderContentByType(content: Content): Html {
  return html`${Object.entries(content).map(
    ([type, { schema, example, examples = {} }]) =>
      html`<p class="type"><code>${type}</code></p>${
        typeof schema.$ref === "string"
          ? html`<p>${renderSchemaLink(schema.$ref)}</p>`
          : schema.properties !== undefined || schema.anyOf !== undefined
            ? renderSchemaMembers(schema)
            : undefined
      }${Object.values(examples).map(({ summary, value }, i) => renderExample(summary ?? "Example", value, i === 0))}${
        example === undefined ? undefined : renderExample("Example", example, true)
      }`,
  )}`;
}

function renderSchemaLink(ref: string): Html {
  const name = ref.slice(ref.lastIndexOf("/") + 1);
  return html`Its members: <a href="#schema-${name}">${name}</a>`;
}

function renderErrorExamples(operationId: string, status: string, content: Content): Html {
  const examples = Object.values(content).flatMap((each) => Object.entries(each.examples ?? {}));
  return html`${examples.map(
    ([code, { summary, value }]) =>
      html`<details id="${operationId}-${code}"><summary>${status} <code>${code}</code> <span>${
        summary ?? ""
      }</span></summary>${renderExampleValue(value)}<p><a href="/docs/errors#${code.toLowerCase()}">What it means, and what to do</a></p></details>`,
  )}`;
}

function renderExample(summary: string, value: unknown, isOpen: boolean): Html {
  return html`<details class="example"${isOpen ? html` open` : undefined}><summary>${summary}</summary>${renderExampleValue(value)}</details>`;
}

function renderExampleValue(value: unknown): Html {
  return typeof value === "string"
    ? renderCodeBlock(value)
    : renderCodeBlock(JSON.stringify(value, undefined, 2).replace(POSITION, "[$1, $2]"), "json");
}

/** A position printed over four lines; texts contain no line breaks. */
const POSITION = /\[\n\s+(-?[\d.]+),\n\s+(-?[\d.]+)\n\s+\]/g;

/** The page's name: `Metering` is at `metering`. */
function toPageName(group: string): string {
  return group.toLowerCase().replaceAll(" ", "-");
}
