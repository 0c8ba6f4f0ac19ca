import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { VerdictStatus } from "@groundrule/engine";
import {
  array,
  boolean,
  checkShape,
  choice,
  editionShape,
  instantShape,
  type JsonSchema,
  nullable,
  number,
  object,
  optional,
  record,
  type Shape,
  text,
  toJsonSchema,
  union,
} from "@groundrule/engine/internal";
import { canonicalJson } from "@groundrule/engine/records";
import { writeReadableFile } from "@groundrule/node/internal";
import { RESULT_FORMATS } from "../screening/format-names.ts";
import { ATTRIBUTE_TYPES, type Attribute } from "../tables/attributes.ts";
import type { FileState } from "./aside-file.ts";
import type { InputIdentity, RunEdition, RunIdentity, Shard } from "./run.ts";
import { toWriteError } from "./run-error.ts";

/** A file of a finished run. */
export interface DescribedFile extends FileState {
  /** Its name, relative to the folder of the description. */
  readonly file: string;
}

/** The description of a finished run, in `<output>.run.json`. */
export interface RunDescription extends RunIdentity {
  /** Version of this form. */
  readonly run: 1;
  /** Plots of the shard that were answered or refused. */
  readonly plots: number;
  /** Plots of the whole input. */
  readonly read: number;
  /** Plots by verdict. */
  readonly counts: Partial<Readonly<Record<VerdictStatus, number>>>;
  /** Plots that were refused. */
  readonly errors: number;
  readonly output: DescribedFile;
  /** Attributes of plots for which the output has columns, in order; absent if its format has none. */
  readonly attributes?: readonly Attribute[];
  /** The file of error lines; absent if they are among the results. */
  readonly errors_output?: DescribedFile;
  /** SHA-256 of the canonical JSON (RFC 8785) of every other member, in hex. */
  readonly digest: string;
}

const count = number({ whole: true, min: 0 });

const fileShape: Shape<DescribedFile> = object<DescribedFile>({
  file: text({ min: 1 }),
  bytes: count,
  sha256: editionShape,
});

const identityMembers = {
  format: choice(...RESULT_FORMATS),
  evidence: choice("none", "triggered", "all"),
  ruleset: object<RunIdentity["ruleset"]>({
    name: nullable(text()),
    digest: editionShape,
    checks: array(text()),
  }),
  semantics: count,
  engine_version: text(),
  now: instantShape,
  editions: array(object<RunEdition>({ source_name: text(), edition: nullable(editionShape) })),
  options: record(text(), union([text(), number(), boolean()])),
  input: object<InputIdentity>({
    name: text(),
    bytes: optional(count),
    modified: optional(text()),
  }),
  shard: object<Shard>({ index: count, of: number({ whole: true, min: 1 }) }),
};

/** The members that determine the bytes of a run. */
export const runIdentityShape: Shape<RunIdentity> = object<RunIdentity>(identityMembers);

const runDescriptionShape: Shape<RunDescription> = object<RunDescription>({
  run: choice(1),
  ...identityMembers,
  plots: count,
  read: count,
  counts: object<RunDescription["counts"]>({
    COMPLIANT: optional(count),
    WARNING: optional(count),
    NON_COMPLIANT: optional(count),
    DEGRADED: optional(count),
  }),
  errors: count,
  output: fileShape,
  attributes: optional(
    array(object<Attribute>({ name: text(), type: choice(...ATTRIBUTE_TYPES), first: count })),
  ),
  errors_output: optional(fileShape),
  digest: editionShape,
});

/** JSON Schema (2020-12) of the description of a run. */
export function runDescriptionJsonSchema(): JsonSchema {
  const { schema, definitions } = toJsonSchema(runDescriptionShape);
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "groundrule screening run",
    ...schema,
    $defs: definitions,
  };
}

/** Adds the digest to a description. */
export function addDescriptionDigest(members: Omit<RunDescription, "digest">): RunDescription {
  return { ...members, digest: computeDescriptionDigest(members) };
}

function computeDescriptionDigest(members: object): string {
  return createHash("sha256").update(canonicalJson(members)).digest("hex");
}

/** The members of a description that determine the bytes of its run. */
export function selectRunIdentity(description: RunDescription): RunIdentity {
  const { format, evidence, ruleset, semantics, engine_version, now, editions, options, input, shard } =
    description;
  return { format, evidence, ruleset, semantics, engine_version, now, editions, options, input, shard };
}

/** Fails: `OUTPUT_UNWRITABLE`; `WRITE_UNREADABLE` for one that could not be read back. */
export function writeRunDescription(path: string, description: RunDescription): void {
  try {
    const text = `${JSON.stringify(description, null, 2)}\n`;
    writeReadableFile(path, text, (bytes) => parseRunDescription(bytes).fault);
  } catch (error) {
    throw toWriteError(error, path);
  }
}

/** A description that was read, or the reason why it is invalid. */
export type ReadDescription =
  | { readonly description: RunDescription; readonly fault?: never }
  | { readonly description?: never; readonly fault: string };

/** The description in a file; undefined if there is no such file. Fails: as reading the file does. */
export function readRunDescription(path: string): ReadDescription | undefined {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
  return parseRunDescription(bytes);
}

function parseRunDescription(bytes: Uint8Array): ReadDescription {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (error) {
    return { fault: (error as Error).message };
  }
  return checkRunDescription(value);
}

/** Checks a value as a description. */
export function checkRunDescription(value: unknown): ReadDescription {
  const checked = checkShape(runDescriptionShape, value);
  if (checked.faults !== undefined) {
    const [{ pointer, message }] = checked.faults;
    return { fault: `${message} at ${pointer || "the top level"}` };
  }
  const { digest, ...members } = checked.value;
  const expected = computeDescriptionDigest(members);
  if (digest !== expected) return { fault: `found digest ${digest}, expected ${expected}: it was changed` };
  return { description: checked.value };
}
