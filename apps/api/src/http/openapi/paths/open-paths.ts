import { JSON_TYPE } from "@groundrule/contract";
import { REFERENCE_FILES } from "../../operations/documentation.ts";
import { content, TEXT } from "../contents.ts";
import { headersOf } from "../headers.ts";
import type { Json } from "../json.ts";
import { problems } from "../problems.ts";
import { lasting, open } from "./operation.ts";
import { IF_NONE_MATCH, inPath } from "./parameters.ts";

/** The service itself: its documentation, metrics and probes. They take no key. */
export function openPaths(): Readonly<Record<string, Json>> {
  return {
    "/openapi.json": {
      get: lasting("openapi", "This description", {
        [JSON_TYPE]: { schema: { type: "object", additionalProperties: true } },
      }),
    },
    "/docs": {
      get: lasting("reference", "How to begin with this API, as a web page", { "text/html": TEXT }),
    },
    "/docs/reference/{group}": {
      get: {
        ...lasting(
          "referenceGroup",
          "This description as a web page: a group of operations, the schemas, or all of it",
          { "text/html": TEXT },
          problems("referenceGroup", ["NOT_FOUND"]),
        ),
        parameters: [
          {
            ...inPath("group", { type: "string", examples: ["verdicts", "schemas", "one-page"] }),
            description: "Name of the group in small letters, `schemas` or `one-page`",
          },
          IF_NONE_MATCH,
        ],
      },
    },
    "/docs/errors": {
      get: lasting("errors", "The meaning of each error code, as a web page", { "text/html": TEXT }),
    },
    "/docs/guides": {
      get: lasting(
        "guides",
        "The list of guides, as a web page, if this service has them",
        { "text/html": TEXT },
        problems("guides", ["NOT_FOUND"]),
      ),
    },
    "/docs/guides/{page}": {
      get: {
        ...lasting(
          "guide",
          "A guide, as a web page",
          { "text/html": TEXT },
          problems("guide", ["NOT_FOUND"]),
        ),
        parameters: [
          { ...inPath("page", { type: "string", examples: ["embed"] }), description: "Name of the guide" },
          IF_NONE_MATCH,
        ],
      },
    },
    "/docs/{file}": {
      get: {
        ...lasting(
          "referenceFile",
          "A file of that page",
          { "image/svg+xml": TEXT, "text/css": TEXT, "text/javascript": TEXT },
          problems("referenceFile", ["NOT_FOUND"]),
        ),
        parameters: [inPath("file", { type: "string", enum: REFERENCE_FILES }), IF_NONE_MATCH],
      },
    },
    "/metrics": {
      get: open("metrics", "Metrics in the text format of Prometheus", { "text/plain": TEXT }),
    },
    "/healthz": {
      get: open("health", "Whether the process is running", content({ [JSON_TYPE]: "HealthResponse" })),
    },
    "/readyz": {
      get: open(
        "ready",
        "Whether the service is ready for requests, and how many sources cannot be queried",
        content({ [JSON_TYPE]: "ReadyResponse" }),
        {
          503: {
            description: "The service is stopping, or cannot reach its storage",
            headers: headersOf(["X-Request-Id"], true),
            content: content({ [JSON_TYPE]: "ReadyResponse" }),
          },
        },
      ),
    },
  };
}
