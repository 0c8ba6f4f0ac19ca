import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { DEFAULT_LIMITS, ERRORS } from "@groundrule/contract";
import openapiTS, { astToString } from "openapi-typescript";
import { describe, expect, it } from "vitest";
import { withDemoService } from "../../../test/demo-service.ts";
import { createSchemaValidator } from "../../../test/described.ts";
import { runAllExamples } from "../../../test/run-examples.ts";
import { withTemporaryFolder } from "../../../test/temporary-folder.ts";
import { openApiDocument } from "./document.ts";

interface Described {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}
interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly tags: readonly string[];
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly schema: Schema }[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly headers: object; readonly content?: Content }>>;
}
type Content = Readonly<
  Record<string, { schema: Schema; example?: unknown; examples?: Record<string, { value: unknown }> }>
>;
type Schema = Readonly<Record<string, unknown>>;

const document = openApiDocument(DEFAULT_LIMITS);
const { paths } = document as unknown as Described;
const operations = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    at: ["paths", path, method],
    path,
    method,
    ...operation,
  })),
);
const validate = createSchemaValidator(document);

/** Keywords whose schemas say when a value fits, not what its members mean. */
const CONDITIONS = new Set(["if", "then", "else", "not", "dependentSchemas"]);

/** Every place where a member has no description: `Schema/member/…`. A constant describes itself. */
function listUndescribedMembers(value: unknown, place = ""): string[] {
  if (value === null || typeof value !== "object") return [];
  return Object.entries(value).flatMap(([key, inner]: [string, unknown]) => {
    const here = place === "" ? key : `${place}/${key}`;
    if (CONDITIONS.has(key)) return [];
    const isMember = place.endsWith("/properties") && !place.endsWith("/properties/properties");
    const isDescribed = ["description", "$ref", "const"].some((each) => Object.hasOwn(inner as object, each));
    return [...(isMember && !isDescribed ? [here] : []), ...listUndescribedMembers(inner, here)];
  });
}

describe("the description of the service", () => {
  it("gives every operation a tag it explains, a summary and a name of its own", () => {
    const { tags } = document as { tags: { name: string; description: string }[] };
    const known = tags.map(({ name }) => name);
    for (const { summary, tags } of operations) {
      expect(summary.length).toBeGreaterThan(10);
      expect(known).toEqual(expect.arrayContaining([...tags]));
    }
    expect(new Set(operations.flatMap(({ tags }) => tags))).toEqual(new Set(known));
    expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);
  });

  it("states how presets are found, and only such details of a 415 as each one has", () => {
    expect(JSON.stringify(paths["/v1/rulesets"]!.get)).toContain("`preset.` lists the presets");
    const { headers } = paths["/v1/evaluate"]!.post!.responses["415"]!;
    expect(headers).toMatchObject({ "X-Request-Id": { required: true } });
    for (const name of ["Accept-Encoding", "Accept-Post"]) {
      expect(headers).toHaveProperty(name);
      expect(headers).not.toHaveProperty([name, "required"], true);
    }
  });

  it("describes every member of its schemas, and every parameter", () => {
    const { components } = document as unknown as {
      components: { schemas: Readonly<Record<string, Schema>> };
    };
    expect(listUndescribedMembers(components.schemas)).toEqual([]);
    const parameters = operations.flatMap(({ operationId, parameters = [] }) =>
      parameters.filter((each) => !("description" in each)).map(({ name }) => `${operationId} ${name}`),
    );
    expect(parameters).toEqual([]);
  });

  it("has a shape for every value, but for those that are open on purpose", () => {
    const { components } = document as unknown as {
      components: { schemas: Readonly<Record<string, Schema>> };
    };
    const described = Object.fromEntries(operations.map(({ operationId, ...rest }) => [operationId, rest]));
    expect(listShapelessPlaces({ ...components.schemas, ...described }).sort()).toEqual(
      Object.keys(OPEN).sort(),
    );
    const sample = { A: { type: "object", properties: { b: { type: "array" }, c: {} } } };
    expect(listShapelessPlaces(sample)).toEqual(["A/properties/b", "A/properties/c"]);
  });

  it("describes each line of a job's results by a component", () => {
    const { example } =
      paths["/v1/jobs/{id}/results"]!.get!.responses["200"]!.content!["application/x-ndjson"]!;
    const lines = String(example).trimEnd().split("\n");
    for (const line of lines) {
      expect(validate(["components", "schemas", "JobResult"], JSON.parse(line))).toBeUndefined();
    }
    expect(lines.length).toBeGreaterThan(0);
  });

  it("holds its own examples to their schemas, of requests and of answers", () => {
    const checked: string[] = [];
    for (const { at, operationId, requestBody, responses } of operations) {
      const contents = [
        [[...at, "requestBody", "content"], requestBody?.content ?? {}] as const,
        ...Object.entries(responses).map(
          ([status, { content = {} }]) => [[...at, "responses", status, "content"], content] as const,
        ),
      ];
      for (const [where, content] of contents) {
        for (const [type, { example, examples = {} }] of Object.entries(content)) {
          const values = [...Object.values(examples).map(({ value }) => value), example];
          for (const value of values.filter((each) => each !== undefined)) {
            expect(validate([...where, type, "schema"], value), `${operationId} ${type}`).toBeUndefined();
            if (type !== "application/problem+json") checked.push(operationId);
          }
        }
      }
    }
    const keyed = operations
      // A tile is no text that could stand here.
      .filter(({ path, operationId }) => path.startsWith("/v1/") && operationId !== "sourceTile")
      .map(({ operationId }) => operationId);
    expect(new Set(checked)).toEqual(new Set(keyed));
  });

  it("has examples that the demo answers as it describes", async () => {
    for (const { operation, status, body } of await withDemoService(runAllExamples)) {
      const { at } = operations.find(({ operationId }) => operationId === operation.id)!;
      const [type = ""] = Object.keys(operation.answer.content);
      const schema = [...at, "responses", status, "content", type, "schema"];
      expect(validate(schema, body), operation.id).toBeUndefined();
    }
  });

  it("declares numbers and flags of a query as such, with their bounds and defaults", () => {
    const parameter = (path: string, method: string, name: string) =>
      paths[path]?.[method]?.parameters?.find((candidate) => candidate.name === name)?.schema;
    const page = { type: "integer", minimum: 1 };
    expect(parameter("/v1/rulesets", "get", "page")).toEqual({ ...page, maximum: 2_147_483_647, default: 1 });
    expect(parameter("/v1/decisions", "get", "page_size")).toEqual({ ...page, maximum: 200, default: 25 });
    expect(parameter("/v1/evaluate", "post", "evidence_limit")).toEqual({
      ...page,
      maximum: 200,
      default: 20,
    });
    expect(parameter("/v1/evaluate", "post", "explain")).toEqual({ type: "boolean", default: false });
    expect(parameter("/v1/rulesets", "post", "lint")).toEqual({ type: "boolean", default: false });
    expect(parameter("/v1/rulesets/{name}/{version}", "get", "version")).toEqual({
      ...page,
      maximum: 2 ** 31 - 1,
    });
  });

  it("has for every refusal its codes, its request id, and the headers for a retry", () => {
    for (const { operationId, responses } of operations) {
      for (const [status, { headers, content = {} }] of Object.entries(responses)) {
        expect(headers, `${operationId} ${status}`).toHaveProperty("X-Request-Id");
        if (Number(status) < 400 || operationId === "ready") continue;
        expect(Object.keys(content)).toEqual(["application/problem+json"]);
        const needed = { 401: "WWW-Authenticate", 429: "Retry-After", 503: "Retry-After" }[status];
        if (needed !== undefined)
          expect(headers, `${operationId} ${status}`).toHaveProperty([needed, "required"], true);
        if (status === "429")
          for (const name of ["X-RateLimit-Limit", "X-RateLimit-Remaining"])
            expect(headers, operationId).toHaveProperty(name);
      }
    }
  });

  it("lists every code, but for those that no answer to an operation has", () => {
    const described = JSON.stringify(operations);
    const undescribed = Object.keys(ERRORS).filter((code) => !described.includes(code));
    // 405 is the answer where there is no operation; a snapshot of another version makes its source `failed`.
    expect(undescribed).toEqual(["METHOD_NOT_ALLOWED", "SNAPSHOT_VERSION_UNSUPPORTED"]);
  });
});

/** Schemas that say nothing of what is inside, and why. */
const OPEN: Readonly<Record<string, string>> = {
  "PlotFeature/properties/properties/anyOf/0": "columns of the caller's own",
  "Problem/properties/details": "facts that differ by code",
  "DecisionRecord/properties/request": "the request as any release took it, of any question",
  "DecisionRecord/properties/response": "the answer as any release gave it",
  "InvalidGeometry/properties/details": "facts that differ by code",
  "openapi/responses/200/content/application/json/schema": "this description, whose form is OpenAPI's",
};

/** Places of schemas that tell neither a type nor what is inside of an object or an array. */
function listShapelessPlaces(schemas: Readonly<Record<string, unknown>>): string[] {
  const found: string[] = [];
  const visit = (value: unknown, place: string, isSchema: boolean): void => {
    if (value === null || typeof value !== "object") return;
    const schema = value as Schema;
    if (isSchema && !isShaped(schema)) found.push(place);
    for (const [key, inner] of Object.entries(schema)) {
      const at = `${place}/${key}`;
      if (NO_SCHEMAS.has(key)) continue;
      if (key === "properties") {
        for (const [name, of] of Object.entries(inner as Schema)) visit(of, `${at}/${name}`, true);
      } else if (Array.isArray(inner)) {
        for (const [index, of] of inner.entries()) visit(of, `${at}/${index}`, ALTERNATIVES.has(key));
      } else {
        visit(inner, at, SCHEMAS.has(key));
      }
    }
  };
  for (const [name, schema] of Object.entries(schemas)) visit(schema, name, /^[A-Z]/.test(name));
  return found;
}

const ALTERNATIVES: ReadonlySet<string> = new Set(["anyOf", "oneOf", "allOf", "prefixItems"]);
const SCHEMAS: ReadonlySet<string> = new Set(["items", "additionalProperties", "schema"]);
/** Keywords that limit a value whose shape is given elsewhere, and keywords that list values. */
const NO_SCHEMAS: ReadonlySet<string> = new Set([
  ...["if", "then", "else", "not", "dependentSchemas", "propertyNames", "discriminator"],
  ...["enum", "const", "default", "example", "examples"],
]);

function isShaped(schema: Schema): boolean {
  const { type, properties, additionalProperties, items } = schema;
  const types = Array.isArray(type) ? type : [type];
  if (types.includes("object") && properties === undefined) return isObject(additionalProperties);
  if (types.includes("array")) return isObject(items);
  const telling = ["type", "$ref", "enum", "const", "not", ...ALTERNATIVES];
  return telling.some((keyword) => keyword in schema);
}

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length > 0;
}

/** Code that a caller writes against the generated types. */
const CALLER = `
import type { components, operations, paths } from "./service.d.ts";

type Schemas = components["schemas"];
const plot: Schemas["Plot"] = { type: "Polygon", coordinates: [[[0, 0], [1, 0], [1, 1], [0, 0]]] };
const saved: Schemas["EvaluateRequest"] = { input: { geometry: plot }, ruleset_id: "forest-plots@1" };
const inline: Schemas["EvaluateRequest"] = {
  input: { geometry: plot, scheme: { type: "br:cnpj", value: "1" } },
  ruleset: { sets: { a: { sources: ["demo:parks"] } }, checks: [{ id: "a", set: "a", outcome: "WARNING" }] },
};
const plots: Schemas["ValidateRequest"] = {
  plots: { type: "FeatureCollection", features: [{ type: "Feature", id: 17, geometry: plot, properties: { Area: 4 } }] },
};
// @ts-expect-error a plot is no line
const line: Schemas["PlotFeature"] = { type: "Feature", geometry: { type: "LineString", coordinates: [[0, 0], [1, 1]] } };
// @ts-expect-error a check has a form in the ruleset of an answer too
const misread: (saved: Schemas["SavedRuleset"]) => number = ({ body }) => body.checks[0]!.id;
const facts: Schemas["Problem"]["details"] = { crs: "EPSG:99" };
export const editionOf = ({ digests }: Schemas["Decision"], source: string): string | undefined =>
  digests.editions?.[source];
// @ts-expect-error a typo in a request
const typo: Schemas["IntersectionsRequest"] = { input: { geometri: plot } };

type Question = operations["evaluate"];
const query: Question["parameters"]["query"] = { evidence_limit: 20, explain: false };
// @ts-expect-error a flag is no text
const wrong: Question["parameters"]["query"] = { explain: "yes" };

export function outcomeOf(
  answer: Question["responses"][200]["content"]["application/json"],
): "COMPLIANT" | "WARNING" | "NON_COMPLIANT" | "DEGRADED" | "a plan" {
  return "plan" in answer.data ? "a plan" : answer.data.verdict;
}

/** Seconds until a call is worth it again. */
export function waitOf(refusal: Question["responses"][429]): number {
  const problem = refusal.content["application/problem+json"];
  if (problem.code === "QUOTA_EXCEEDED") {
    const ends: string = problem.period_ends_at;
    return (Date.parse(ends) - Date.now()) / 1000;
  }
  const wait: number = refusal.headers["Retry-After"];
  const code: "RATE_LIMIT_EXCEEDED" | "IDEMPOTENCY_KEY_EXHAUSTED" | "UNCHARGED_LIMIT_REACHED" = problem.code;
  return code === "RATE_LIMIT_EXCEEDED" ? wait : Number.POSITIVE_INFINITY;
}

export const known: readonly unknown[] = [saved, inline, plots, facts, line, misread, typo, query, wrong];
export type Path = keyof paths;
`;

describe("openapi-typescript", () => {
  it("makes types of the description as it is, that a caller's code is checked by", async () => {
    const generated = astToString(await openapiTS(JSON.stringify(document)));
    await withTemporaryFolder(async (dir) => {
      await writeFile(join(dir, "service.d.ts"), generated);
      await writeFile(join(dir, "caller.ts"), CALLER);
      const options = ["--noEmit", "--strict", "--module", "nodenext", "--allowImportingTsExtensions"];
      const root = createRequire(new URL("../../../../../package.json", import.meta.url));
      const tsc = join(dirname(root.resolve("typescript/package.json")), "bin/tsc");
      const checked = promisify(execFile)(
        process.execPath,
        [tsc, ...options, "--lib", "es2023,dom", "--types", "", join(dir, "caller.ts")],
        { cwd: dir },
      );
      await expect(checked.catch(({ stdout, stderr }) => `${stdout}${stderr}`)).resolves.toEqual({
        stdout: "",
        stderr: "",
      });
    });
  });
});
