import type { Json } from "../openapi/json.ts";
import { type Html, html, inline } from "./html.ts";
import { type NavLink, renderPage } from "./layout.ts";
import { renderMarkdown } from "./markdown.ts";
import { memberEntry, schemaMembers } from "./schema-html.ts";
import { startHtml } from "./start.ts";

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

/** The page of `GET /docs`: how to begin, and every operation, field, limit, answer and error of the description. */
export function renderReference(document: Json): string {
  const { info, tags, paths, components } = document as unknown as Described;
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      path,
      method: method.toUpperCase(),
      ...operation,
    })),
  );
  const groups = tags.map((tag) => ({
    ...tag,
    operations: operations.filter((operation) => operation.tags.includes(tag.name)),
  }));
  const contents: NavLink[] = [
    { href: "#start", text: "Start with three calls" },
    { href: "#rules", text: "Rules for every call" },
    ...groups.map(({ name, operations: below }) => ({
      href: `#${anchor(name)}`,
      text: name,
      below: below.map(({ operationId, method, path }) => ({
        href: `#${operationId}`,
        text: `${method} ${path}`,
      })),
    })),
    { href: "#schemas", text: "Schemas" },
  ];
  const rules = renderMarkdown(info.description, (href) => href);
  const main = html`<h1>groundrule</h1>
<p class="lead">Send a plot of land, and get a verdict on whether it complies with a ruleset, with the evidence. Every number is
measured on the ellipsoid, and land that no source covers is never called compliant.</p>
${startHtml()}
<section id="rules"><h2>Rules for every call</h2>${rules.html}
<p>The description is <a href="/openapi.json">/openapi.json</a>, in OpenAPI 3.1. The client for JavaScript,
<code>@groundrule/client</code>, has the retry rules built in. The <a href="/docs/guides">guides</a> explain how things are
done, <a href="/docs/errors">errors</a> explains each code, and the <a href="/console">console</a> shows plots on a map.</p></section>
${groups.map(
  ({ name, description, operations: all }) => html`<section id="${anchor(name)}"><h2>${name}</h2>
<p>${inline(description)}</p>${all.map(operationHtml)}</section>`,
)}
<section id="schemas"><h2>Schemas</h2>${Object.entries(components.schemas).map(
    ([name, schema]) =>
      html`<section class="schema" id="schema-${name}"><h3><code>${name}</code></h3>${
        typeof schema.description === "string" ? html`<p>${inline(schema.description)}</p>` : undefined
      }${schemaMembers(schema)}</section>`,
  )}</section>`;
  return renderPage({ title: "Reference", path: "/docs", contents, main });
}

function operationHtml({
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
  return html`<article id="${operationId}"><h3><span class="method">${method}</span> <code>${path}</code></h3>
<p>${inline(summary)}.${isOpen ? " It needs no API key." : undefined}</p>
${
  parameters.length === 0
    ? undefined
    : html`<h4>Parameters</h4><dl class="members">${parameters.map(
        ({ name, in: place, required, description, schema }) =>
          memberEntry(name, schema, required === true, `In the ${place}. ${description ?? ""}`),
      )}</dl>`
}
${requestBody === undefined ? undefined : html`<h4>Body</h4>${contentHtml(requestBody.content)}`}
${successes.map(
  ([status, { description, content = {} }]) =>
    html`<h4>Answer ${status}</h4><p>${inline(description)}.</p>${contentHtml(content)}`,
)}
<h4>Errors</h4>
<div class="errors">${problems.map(([status, { content = {} }]) => errorsHtml(operationId, status, content))}</div>
</article>`;
}

function contentHtml(content: Content): Html {
  return html`${Object.entries(content).map(
    ([type, { schema, example, examples = {} }]) =>
      html`<p class="type"><code>${type}</code></p>${
        typeof schema.$ref === "string"
          ? html`<p>${schemaLink(schema.$ref)}</p>`
          : schema.properties !== undefined || schema.anyOf !== undefined
            ? schemaMembers(schema)
            : undefined
      }${Object.values(examples).map(({ summary, value }) => exampleHtml(summary ?? "Example", value))}${
        example === undefined ? undefined : exampleHtml("Example", example)
      }`,
  )}`;
}

function schemaLink(ref: string): Html {
  const name = ref.slice(ref.lastIndexOf("/") + 1);
  return html`Its members: <a href="#schema-${name}">${name}</a>`;
}

function errorsHtml(operationId: string, status: string, content: Content): Html {
  const examples = Object.values(content).flatMap((each) => Object.entries(each.examples ?? {}));
  return html`${examples.map(
    ([code, { summary, value }]) =>
      html`<details id="${operationId}-${code}"><summary>${status} <code>${code}</code> <span>${
        summary ?? ""
      }</span></summary>${pre(value)}<p><a href="/docs/errors#${code.toLowerCase()}">What it means, and what to do</a></p></details>`,
  )}`;
}

function exampleHtml(summary: string, value: unknown): Html {
  return html`<details class="example"><summary>${summary}</summary>${pre(value)}</details>`;
}

function pre(value: unknown): Html {
  const text = typeof value === "string" ? value : JSON.stringify(value, undefined, 2);
  return html`<pre tabindex="0"><code>${text}</code></pre>`;
}

function anchor(name: string): string {
  return `group-${name.toLowerCase().replaceAll(" ", "-")}`;
}
