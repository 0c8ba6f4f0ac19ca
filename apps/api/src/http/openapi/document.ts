import type { Limits } from "@groundrule/contract";
import { OPERATIONS } from "../operations/operations.ts";
import { TAGS } from "../operations/record/operation.ts";
import { buildComponentSchemas } from "./components.ts";
import type { Json } from "./json.ts";
import { extractNamedParts } from "./named-parts.ts";
import { buildOperationPaths } from "./operation-paths.ts";
import { extractProblemSchemas } from "./problems.ts";

/** The OpenAPI 3.1 description of the service, from the schemas that requests are checked with. */
export function openApiDocument(limits: Limits): Json {
  const known = described.get(limits);
  if (known !== undefined) return known;
  const document = buildOpenApiDocument(limits);
  described.set(limits, document);
  return document;
}

/** A process has one, unless it is a test. */
const described = new WeakMap<Limits, Json>();

function buildOpenApiDocument(limits: Limits): Json {
  const problems = extractProblemSchemas(buildOperationPaths(OPERATIONS));
  return {
    openapi: "3.1.0",
    info: {
      title: "groundrule",
      version: "1",
      summary:
        "Evaluates whether a plot of land, and the company behind it, complies with a ruleset, and shows the evidence",
      description: DESCRIPTION,
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: "/", description: "The service that serves this description" }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    security: [{ apiKey: [] }],
    paths: problems.paths,
    components: {
      securitySchemes: {
        apiKey: { type: "http", scheme: "bearer", description: "An API key: `gr_live_…` or `gr_test_…`" },
      },
      schemas: {
        ...extractNamedParts(buildComponentSchemas(OPERATIONS, limits)),
        ...problems.schemas,
      },
    },
  };
}

const DESCRIPTION = `Evaluates whether a plot of land, and the company behind it, complies with a ruleset, and shows the evidence.

Bodies are I-JSON (RFC 7493): UTF-8, no duplicate members, no number beyond ±(2⁵³ − 1), and no U+0000 in a string. Members and parameters that are not described here are refused, except inside GeoJSON. A member that is \`null\` counts as absent.

A body may be sent as gzip (\`Content-Encoding: gzip\`); the limits apply to its size after decompression. A long answer is sent as gzip to clients that accept it (\`Accept-Encoding\`).

Every error is a problem (RFC 9457) with a stable \`code\`. A known path answers other methods with 405 \`METHOD_NOT_ALLOWED\` and the header \`Allow\`. A verdict is never an error: NON_COMPLIANT and DEGRADED have status 200.

A web page of another origin can call the service if the operator has named that origin (\`cors_origins\`). Every answer to it, also a refusal, then has the CORS headers, which let the page read the headers that are described here.`;
