import { computeContentDigest } from "../content-digest.ts";
import type { SourceManifest } from "../manifest.ts";
import type { RecordInput, RegisterSnapshotWriter, SnapshotFile, SnapshotMeta } from "../snapshot.ts";
import { assertUnfinished, checkManifest } from "./draft.ts";
import { IdentifierCollector } from "./identifier-collector.ts";
import { layOutSections } from "./lay-out.ts";
import { RowCollector, resolveManifest } from "./row-collector.ts";
import type { Piece } from "./spill.ts";
import type { WriterOptions } from "./writer-options.ts";

/**
 * Builds a snapshot of a register. The same manifest and records give the same bytes.
 *
 * An identifier repeated to the letter within a record is kept once.
 *
 * Fails: `VALIDATION_FAILED` as the writer of areas does, and for an identifier whose scheme
 * is malformed or whose canonical value is empty.
 */
export function createRegisterWriter(
  manifest: SourceManifest,
  options: WriterOptions = {},
): RegisterSnapshotWriter {
  return new RegisterWriter(checkManifest(manifest, "subject_register"), options);
}

class RegisterWriter implements RegisterSnapshotWriter {
  readonly #manifest: SourceManifest;
  readonly #options: WriterOptions;
  #count = 0;
  #draft: RegisterDraft | undefined;

  constructor(manifest: SourceManifest, options: WriterOptions) {
    this.#manifest = manifest;
    this.#options = options;
    this.#draft = {
      rows: new RowCollector(manifest, options),
      identifiers: new IdentifierCollector(options.spill),
    };
  }

  get count(): number {
    return this.#count;
  }

  add(record: RecordInput): void {
    const { rows } = assertUnfinished(this.#draft);
    for (const identifier of record.identifiers) this.addIdentifier(this.#count, record.id, identifier);
    rows.add(record.id, record.name, record.properties);
    this.#count++;
  }

  addIdentifier(row: number, id: string, { scheme, value }: RecordInput["identifiers"][number]): void {
    assertUnfinished(this.#draft).identifiers.add(scheme, value, row, id);
  }

  finish(): SnapshotFile {
    const draft = assertUnfinished(this.#draft);
    this.#draft = undefined;
    const { rows } = draft;
    const columns = rows.storedColumns();
    const identifiers = draft.identifiers.sort();
    const edition = computeContentDigest(
      {
        ...rows.content(this.#manifest, columns),
        countryIso3: () => null,
        identifiers: identifiers.content,
      },
      this.#options.sha256,
    );
    const meta: SnapshotMeta = {
      manifest: resolveManifest(this.#manifest, columns),
      edition,
      feature_count: rows.count,
      country_coverage: [],
      schemes: identifiers.content.schemes,
    };
    const counts = { identifierCount: identifiers.count };
    const sections = new Map<number, readonly Piece[]>([...rows.sections(columns), ...identifiers.sections]);
    return layOutSections(meta, counts, sections, this.#options.crc32);
  }
}

interface RegisterDraft {
  readonly rows: RowCollector;
  readonly identifiers: IdentifierCollector;
}
