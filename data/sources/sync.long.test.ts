import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openData } from "@groundrule/node";
import { readSourceFiles, syncSources } from "@groundrule/sync";
import { expect, it } from "vitest";

const from = process.env.GROUNDRULE_REAL_DATA;

it.runIf(from !== undefined)(
  "the real sources build by their manifests alone, and then are unchanged",
  async () => {
    const dir = mkdtempSync(join(tmpdir(), "groundrule-real-sync-"));
    try {
      const sync = () => syncSources(readSourceFiles([import.meta.dirname]), { dir, from });
      const built = await sync();
      expect(built.filter(({ outcome }) => outcome !== "installed")).toEqual([]);
      expect(built.length).toBe(13);
      const { engine } = openData(dir);
      const counts = engine
        .sources()
        .flatMap((source) => (source.kind === "group" ? [] : [[source.source_name, source.feature_count]]));
      expect(counts).toEqual(built.map(({ source_name, areas }) => [source_name, areas]).sort());
      const again = await sync();
      expect(again.map(({ outcome, edition }) => [outcome, edition])).toEqual(
        built.map(({ edition }) => ["unchanged", edition]),
      );
    } finally {
      rmSync(dir, { recursive: true });
    }
  },
);
