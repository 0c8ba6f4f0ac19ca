import { fileURLToPath } from "node:url";

/** The folders with the manifests of real sources, for `groundrule sources sync`: vectors and registers, and rasters. */
export const MANIFEST_FOLDERS: readonly string[] = ["./", "./rasters/"].map((folder) =>
  fileURLToPath(new URL(folder, import.meta.url)),
);
