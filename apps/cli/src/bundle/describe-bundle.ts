import { createHash } from "node:crypto";
import { VERSION } from "../version.ts";
import { type BundleFile, type CountedFile, createTextFile } from "./bundle-file.ts";
import type { PinnedData } from "./pinned-data.ts";

/** The Node of a bundle, and its platform. */
export interface BundledNode {
  /** E.g. `26.10.0`. */
  readonly version: string;
  /** E.g. `linux-x64`. */
  readonly platform: string;
}

/** The content of `bundle.json`. */
export interface BundleDescription {
  /** Version of this description. */
  readonly bundle: 1;
  /** SHA-256 of the members that follow, as JSON without white space. */
  readonly digest: string;
  readonly engine_version: string;
  readonly semantics: number;
  /** Version of its Node; null: it uses the one on the path. */
  readonly node: string | null;
  /** Platform of its Node; null: it has none. */
  readonly platform: string | null;
  readonly ruleset: { readonly name: string | null; readonly digest: string };
  readonly editions: readonly { readonly source_name: string; readonly edition: string }[];
  /** Every other file, ascending by path. */
  readonly files: readonly { readonly path: string; readonly bytes: number; readonly sha256: string }[];
}

/** The description of a bundle, with the digest of everything in it. */
export function describeBundle(
  { policy, semantics, editions }: PinnedData,
  node: BundledNode | undefined,
  files: readonly CountedFile[],
): BundleDescription {
  const described = {
    engine_version: VERSION,
    semantics,
    node: node?.version ?? null,
    platform: node?.platform ?? null,
    ruleset: { name: policy.ruleset.name ?? null, digest: policy.digest },
    editions,
    files: files.map(({ path, bytes, sha256 }) => ({ path, bytes, sha256 })),
  };
  const digest = createHash("sha256").update(JSON.stringify(described)).digest("hex");
  return { bundle: 1, digest, ...described };
}

/** The description as the file that readers open first. */
export function createDescriptionFile(description: BundleDescription): BundleFile {
  return createTextFile("bundle.json", `${JSON.stringify(description, undefined, 2)}\n`);
}
