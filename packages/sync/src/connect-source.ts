import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { join } from "node:path";
import zlib from "node:zlib";
import type { StoredManifest } from "@groundrule/engine";
import { checkShape } from "@groundrule/engine/internal";
import { buildSnapshot, IngestError, type Source } from "@groundrule/ingest";
import { connectLiveSource, type Guard, type ProviderConfig } from "@groundrule/node";
import { providerShape } from "@groundrule/node/internal";
import { listGuardReasons, type SyncOutcome } from "./outcome.ts";

/** Queries a live source once. Fails: if it cannot answer, with a `code`. */
export type CheckLive = (
  provider: ProviderConfig,
  manifest: StoredManifest,
  signal: AbortSignal | undefined,
) => Promise<void>;

/**
 * Puts a live source into the catalog, or replaces its connection, once it has answered.
 *
 * Fails: `MANIFEST_INVALID`; as `checkLive` and `connectLiveSource` do: the catalog stays as it was then.
 */
export async function connectSource(
  { manifest, provider }: Source & { readonly provider: object },
  options: {
    readonly dir: string;
    readonly manifestFolder: string;
    readonly checkLive?: CheckLive | undefined;
    readonly signal?: AbortSignal | undefined;
    readonly allow?: readonly Guard[] | undefined;
  },
): Promise<Omit<SyncOutcome, "source_name" | "seconds">> {
  const checked = checkShape(providerShape, provider);
  if (checked.faults !== undefined) {
    // The value may be an address with its password, which no message may repeat.
    const faults = checked.faults.map(({ pointer }) => {
      const message = "found what is no such member of a provider";
      return { pointer: `/provider${pointer}`, code: "MEMBER_INVALID", message };
    });
    const message = `manifest, ${faults[0]!.pointer}: ${faults[0]!.message} (docs/formats/manifest.md lists them)`;
    throw new IngestError("MANIFEST_INVALID", message, { faults });
  }
  const { file: blank } = await buildSnapshot(streamEmptyCollection(), manifest, {
    sha256: () => createHash("sha256"),
    crc32: zlib.crc32,
    openPolygons: (named) => createReadStream(join(options.manifestFolder, named)),
  });
  await options.checkLive?.(checked.value, blank.meta.manifest, options.signal);
  const { allow } = options;
  const { findings, changes } = await connectLiveSource(options.dir, blank, checked.value, { allow });
  if (findings.length > 0) return { outcome: "refused", reasons: listGuardReasons(findings) };
  return { outcome: "connected", changes };
}

async function* streamEmptyCollection(): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode('{"type": "FeatureCollection", "features": []}');
}
