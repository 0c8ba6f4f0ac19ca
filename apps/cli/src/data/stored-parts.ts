import { existsSync } from "node:fs";
import { editionPath, readCatalogOrEmpty } from "@groundrule/node/internal";

/** What the data folder says of a source besides what an answer tells of it. */
export interface StoredPart {
  readonly edition: string;
  readonly is_pinned: boolean;
  /** Why it does not answer, as far as a look at its file tells. */
  readonly failed?: string;
}

/** By source name; groups and live sources have no edition. */
export function storedParts(dir: string): Map<string, StoredPart> {
  const { sources, pins } = readCatalogOrEmpty(dir);
  return new Map(
    sources.map(({ manifest: { source_name }, edition }) => {
      const is_pinned = pins.some((pin) => pin.source_name === source_name);
      const isThere = existsSync(editionPath(dir, source_name, edition));
      const failed = isThere ? {} : { failed: "the file of its edition is missing" };
      return [source_name, { edition, is_pinned, ...failed }];
    }),
  );
}
