import { type ErrorCode, JSON_TYPE, type Limits } from "@groundrule/contract";
import type { AnyShape } from "@groundrule/engine/internal";
import type { Handler } from "hono";
import type { ZodType } from "zod";
import type { KeyScope } from "../../../keys/key-scopes.ts";
import type { ApiEnv } from "../../exchange/env.ts";
import type { ServiceParts } from "./service-parts.ts";

/**
 * All that is known of one HTTP operation. Routes, gates, the OpenAPI description, its examples and the tests over every
 * operation read it from the table (`operations.ts`), and repeat none of it.
 */
export type Operation = Described & Access;

interface Described {
  /** Its name in the description and in generated clients. */
  readonly id: string;
  readonly method: "GET" | "POST";
  /** The template as the router, the metrics and the log have it: `/v1/jobs/:id`. */
  readonly path: string;
  readonly tag: Tag;
  readonly summary: string;
  readonly description?: string;
  /** Parameters of the path, in its order. */
  readonly parameters: Readonly<Record<string, PathParameter>>;
  /** `none` refuses every query, `ignored` lets any pass; the handler reads what a schema describes. */
  readonly query: ZodType | "none" | "ignored";
  /** The query of its example. */
  readonly exampleQuery?: string;
  /** Headers of the request that this operation reads. */
  readonly headers?: readonly HeaderParameter[];
  readonly request?: RequestBody;
  readonly answer: Answer;
  /** Answers by status that are neither the answer nor a problem. */
  readonly otherAnswers?: Readonly<Record<number, OtherAnswer>>;
  /** Codes beside those that follow from the key, the body and the charge (`codes.ts`). */
  readonly codes: readonly ErrorCode[];
  /** Makes the handler, once a service. */
  readonly handler: (service: ServiceParts) => Handler<ApiEnv>;
}

/** The gates before the handler. */
type Access =
  | { readonly key: "none"; readonly room?: undefined; readonly isCharged?: undefined }
  | {
      /** The scope that the API key needs; `any`: a key in force is enough. */
      readonly key: KeyScope | "any";
      /** Where it queues: `reads` for what takes longer with what is stored. */
      readonly room: "work" | "reads" | "tiles";
      /** Each answer counts against the quota. */
      readonly isCharged?: true;
    };

/** Groups of operations, with what the description says of them. */
export const TAGS = {
  Verdicts: "Apply a ruleset to a plot",
  Discovery: "Query areas and registers directly",
  Jobs: "Apply a ruleset to thousands of plots",
  Catalog: "Sources and saved rulesets. Never billed",
  Metering: "The API key, its usage and its charges. Never billed",
  Operations: "The service itself; requires no API key",
} as const;
export type Tag = keyof typeof TAGS;

/** A schema, as data. */
type Schema = Readonly<Record<string, unknown>>;

export interface PathParameter {
  readonly schema: Schema;
  /** A value for tests and examples. In place of an id that the service mints it is one that names nothing. */
  readonly sample: string;
  readonly description: string;
  readonly example?: unknown;
}

export interface HeaderParameter {
  readonly name: string;
  readonly required?: boolean;
  readonly description: string;
  readonly schema: Schema;
}

/** A schema that has a name in the description. */
export interface Component<Of> {
  readonly name: string;
  readonly of: Of;
}

export interface RequestBody {
  readonly schema: Component<ZodType | ((limits: Limits) => ZodType)>;
  /** By name. The demo takes each of them; the first has its answer in the description. */
  readonly examples: Readonly<Record<string, { readonly summary: string; readonly value: Schema }>>;
  /** The same in other media types. */
  readonly more?: Readonly<Record<string, Schema>>;
}

export interface Answer {
  /** Default 200. */
  readonly status?: 201 | 202;
  /** By media type, the default first. */
  readonly content: Readonly<Record<string, Component<AnyShape> | Text>>;
  /** Headers that it always has. With an `ETag` it is also answered 304. */
  readonly always?: readonly AnswerHeader[];
  readonly sometimes?: readonly AnswerHeader[];
  readonly links?: Schema;
}

/** Content without a component of its own. */
export interface Text {
  readonly schema: Schema;
  /** The schema of each line, for lines of JSON. */
  readonly line?: Component<AnyShape>;
}

export interface OtherAnswer {
  readonly description: string;
  readonly headers?: readonly AnswerHeader[];
  readonly content?: Answer["content"];
}

/** Headers that an answer names itself; those of charges, codings and problems follow from the rest. */
export type AnswerHeader =
  | "Content-Language"
  | "ETag"
  | "Idempotent-Replayed"
  | "Location"
  | "Vary"
  | "X-Next-From"
  | "X-Total-Count";

/** Parameters by the names in a path. */
type ParametersIn<Path extends string> = Readonly<Record<NamesIn<Path>, PathParameter>>;
type NamesIn<Path extends string> = Path extends `${string}/:${infer Name}/${infer Rest}`
  ? Name | NamesIn<`/${Rest}`>
  : Path extends `${string}/:${infer Name}`
    ? Name
    : never;

/** A record whose parameters are those of its path, which the compiler checks. */
export function defineOperation<const Path extends string>(
  record: Omit<Described, "parameters"> &
    Access & { readonly path: Path } & ([NamesIn<Path>] extends [never]
      ? { readonly parameters?: undefined }
      : { readonly parameters: ParametersIn<Path> }),
): Operation {
  return { ...record, parameters: record.parameters ?? {} };
}

/** Content as JSON with a component of its own. */
export function defineJsonContent(name: string, of: AnyShape): Readonly<Record<string, Component<AnyShape>>> {
  return { [JSON_TYPE]: { name, of } };
}

/** Content that is a text without a form. */
export const TEXT: Text = { schema: { type: "string" } };
