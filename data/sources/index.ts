import { fileURLToPath } from "node:url";

/**
 * The folders with the manifests of real sources, for `groundrule sources sync`: vectors and registers, rasters, and
 * the sources of rulesets on laws.
 */
export const MANIFEST_FOLDERS: readonly string[] = ["./", "./rasters/", "./law/"].map((folder) =>
  fileURLToPath(new URL(folder, import.meta.url)),
);
