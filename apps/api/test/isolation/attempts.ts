import assert from "node:assert/strict";
import { createSquarePlot, LISTED_CNPJ } from "@groundrule/testing/small-world";

/** The service's description of itself, as far as it is read here. */
export interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

export interface Operation {
  readonly operationId: string;
  /** Empty where no key is needed. */
  readonly security?: readonly object[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Content>> };
}

interface Content {
  readonly schema: Schema;
  readonly examples?: Readonly<Record<string, { readonly value: object }>>;
}

interface Parameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly schema: Schema;
}

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
}

/** A request as it is sent, whoever sends it. */
export interface Request {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** A place of a request that takes a text of the caller's. */
export interface Place {
  /** For example `GET /v1/decisions/{id} path id`. */
  readonly name: string;
  readonly operationId: string;
  /** Sent with any text, it leaves nothing behind. */
  readonly isRead: boolean;
  /** True if the place names something that must exist for an answer other than a refusal or an empty list. */
  readonly names: boolean;
  requestWith(text: string): Request;
}

export const PLOT: object = createSquarePlot(0.05, 0.05);
export const SCHEME: object = { type: "br:cnpj", value: LISTED_CNPJ };

export function makeRuleset(source: string, register: string, description: string): object {
  return {
    description,
    sets: { areas: { sources: [source] }, listed: { registers: [register] } },
    checks: [
      { id: "areas", set: "areas", outcome: "NON_COMPLIANT" },
      { id: "listed", set: "listed", outcome: "NOTICE" },
    ],
  };
}

const OPEN = makeRuleset("demo:parks", "demo:sanctions", "Everybody's.");
const INPUT = { geometry: PLOT, crs: "OGC:CRS84" };

/** Bodies that are taken, with every member that holds a text; several where members exclude each other. */
export const BODIES: Readonly<Record<string, readonly object[]>> = {
  evaluate: [
    { input: { ...INPUT, scheme: SCHEME }, ruleset: OPEN, reference_id: "case" },
    { input: { ...INPUT, scheme: SCHEME }, ruleset_id: "shared" },
  ],
  intersections: [
    {
      input: INPUT,
      reference_areas_source: "demo:parks",
      reference_areas_country_iso3: "BRA",
      reference_id: "case",
    },
  ],
  distance: [
    {
      input: { ...INPUT, max_distance_m: 1_000 },
      reference_areas_source: "demo:parks",
      reference_areas_country_iso3: "BRA",
      reference_id: "case",
    },
  ],
  subjects: [
    { input: { scheme: SCHEME }, subject_source: "demo:sanctions", match_op: "equals", reference_id: "case" },
  ],
  validate: [
    { ...INPUT, ruleset: OPEN },
    { plots: { type: "FeatureCollection", features: [] }, profile: "eudr", commodity: "cattle" },
  ],
  createRuleset: [{ name: "created", ...OPEN }],
  // Without a plot, so that none is charged after its attempt.
  createJob: [
    { ruleset: OPEN, reference_id: "case", plots: { type: "FeatureCollection", features: [] } },
    { ruleset_id: "shared", plots: { type: "FeatureCollection", features: [] } },
  ],
};

/** Bodies' members that name something, by where they are. */
const NAMING = /\/(?:ruleset_id|reference_areas_source|subject_source|sources\/\d+|registers\/\d+)$/;
const READS = /^(?:validate|GET)$/;

/**
 * Every place of every described request that takes a text.
 *
 * @throws where no body of an operation, neither here nor among its examples, has one of its texts
 */
export function listTextPlaces(description: Description): Place[] {
  const places: Place[] = [];
  for (const [path, methods] of Object.entries(description.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      if (operation.security?.length === 0) continue;
      places.push(...listOperationPlaces(description, path, method.toUpperCase(), operation));
    }
  }
  return places;
}

function listOperationPlaces(
  description: Description,
  path: string,
  method: string,
  operation: Operation,
): Place[] {
  const { operationId, parameters = [], requestBody } = operation;
  const bodies = requestBody === undefined ? [undefined] : (BODIES[operationId] ?? listExamples(requestBody));
  const isRead = READS.test(method) || READS.test(operationId);
  const filled = (inPath: Readonly<Record<string, string>>) =>
    path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(inPath[name] ?? "1"));
  const named = (place: string) => `${method} ${path} ${place}`;
  const places = parameters.flatMap((parameter): Place[] => {
    const { name, schema } = parameter;
    if (!acceptsText(schema)) return [];
    return bodies.map((body) => ({
      name: named(`${parameter.in} ${name}`),
      operationId,
      isRead,
      names: parameter.in === "path",
      requestWith: (text) => ({
        method,
        path:
          parameter.in === "query"
            ? `${filled({})}?${name}=${encodeURIComponent(text)}`
            : filled(parameter.in === "path" ? { [name]: text } : {}),
        headers: parameter.in === "header" ? { [name]: text } : {},
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }),
    }));
  });
  if (requestBody === undefined) return places;
  const [content] = Object.values(requestBody.content);
  const schema = resolveSchemaReference(content!.schema, description);
  const covered = new Set<string>();
  for (const body of bodies as readonly object[]) {
    for (const place of listTextPaths(body)) {
      covered.add(place[0]!);
      const pointer = `/${place.join("/")}`;
      places.push({
        name: named(pointer),
        operationId,
        isRead,
        names: NAMING.test(pointer),
        requestWith: (text) => ({
          method,
          path: filled({}),
          headers: {},
          body: JSON.stringify(replaceAtPath(body, place, text)),
        }),
      });
    }
  }
  for (const [name, member] of Object.entries(schema.properties ?? {})) {
    if (acceptsText(member)) assert.ok(covered.has(name), `no body of ${operationId} has ${name}`);
  }
  return places;
}

function listExamples({ content }: { readonly content: Readonly<Record<string, Content>> }): object[] {
  return Object.values(Object.values(content)[0]!.examples ?? {}).map(({ value }) => value);
}

function acceptsText({ type, enum: values, anyOf = [] }: Schema): boolean {
  if (values !== undefined) return false;
  return type === "string" || (Array.isArray(type) && type.includes("string")) || anyOf.some(acceptsText);
}

function resolveSchemaReference(schema: Schema, description: Description): Schema {
  const name = schema.$ref?.split("/").at(-1);
  return name === undefined ? schema : description.components.schemas[name]!;
}

/** Paths to every text inside a value. */
function listTextPaths(value: unknown, path: readonly string[] = []): string[][] {
  if (typeof value === "string") return [[...path]];
  if (value === null || typeof value !== "object") return [];
  return Object.entries(value).flatMap(([name, member]) => listTextPaths(member, [...path, name]));
}

function replaceAtPath(value: unknown, [name, ...rest]: readonly string[], by: string): unknown {
  if (name === undefined) return by;
  if (Array.isArray(value)) {
    return value.map((item, i) => (String(i) === name ? replaceAtPath(item, rest, by) : item));
  }
  const members = value as Readonly<Record<string, unknown>>;
  return { ...members, [name]: replaceAtPath(members[name], rest, by) };
}
