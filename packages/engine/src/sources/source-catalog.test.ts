import { describe, expect, it } from "vitest";
import { checkShape } from "../shape/check-shape.ts";
import { type StoredManifest, storedManifestShape } from "../snapshot/manifest.ts";
import { groupEntry, sourceEntry } from "./source-catalog.ts";

const manifest = { source_name: "demo:parks", kind: "leaf" } as const;

describe("an entry of the source catalog", () => {
  it("has a title: the data set's, else the source's name", () => {
    expect(sourceEntry({ ...manifest, source_dataset: "Parks" }, undefined).source_dataset).toBe("Parks");
    expect(sourceEntry(manifest, undefined).source_dataset).toBe("demo:parks");
    expect(groupEntry("demo:all", []).source_dataset).toBe("demo:all");
  });

  it("shows no address that a reader's browser would run, though an edition of old holds it", () => {
    const stored: StoredManifest = { ...manifest, source_url: "javascript:alert(1)" };
    expect(checkShape(storedManifestShape, stored)).toEqual({ value: stored });
    expect(sourceEntry(stored, undefined)).not.toHaveProperty("source_url");
    const source_url = "https://example.org/parks";
    expect(sourceEntry({ ...manifest, source_url }, undefined)).toMatchObject({ source_url });
  });
});
