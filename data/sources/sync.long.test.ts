import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openData } from "@groundrule/node";
import { readSourceFiles, syncSources } from "@groundrule/sync";
import { expect, it } from "vitest";

const from = process.env.GROUNDRULE_REAL_DATA;
/** `npm run tool -- real` builds these by the same manifests, which takes most of the time. */
const LARGE = ["amw:mining_scars", "br:icmbio", "br:municipalities", "fiboa:fields", "ne:countries"];
const isLeftOut = (name: string): boolean =>
  process.env.GROUNDRULE_FULL === undefined && LARGE.includes(name);

it.runIf(from !== undefined)(
  "the real sources build by their manifests alone, and then are unchanged",
  async () => {
    const dir = mkdtempSync(join(tmpdir(), "groundrule-real-sync-"));
    try {
      const files = readSourceFiles([import.meta.dirname]);
      const chosen = files.filter(({ source }) => !isLeftOut(source!.manifest.source_name));
      const sync = () => syncSources(chosen, { dir, from });
      const built = await sync();
      expect(built.filter(({ outcome }) => outcome !== "installed")).toEqual([]);
      expect(files.length).toBe(13);
      expect(built.length).toBe(chosen.length);
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
