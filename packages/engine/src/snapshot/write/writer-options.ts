import type { ColumnType } from "../manifest.ts";
import type { Crc32, Sha256 } from "../snapshot.ts";
import type { Spill } from "./spill.ts";

/** Options for computing a snapshot's digests. */
export interface WriterOptions {
  /** A host's SHA-256, where much is written; the pure one otherwise. */
  readonly sha256?: (() => Sha256) | undefined;
  /** A host's CRC-32; the pure one otherwise. */
  readonly crc32?: Crc32 | undefined;
  /** Types of columns that the manifest does not declare, where they come; those that come are stored in this order. */
  readonly columnTypes?: Readonly<Record<string, ColumnType>> | undefined;
  /** Where a writer of registers puts what it does not need for now; absent: it stays in memory. */
  readonly spill?: Spill | undefined;
}
