import { EngineError } from "../../base/errors.ts";
import { SECTION } from "../format.ts";
import { readGram } from "../grams.ts";
import { Chunked } from "./chunked.ts";
import type { Piece, Spill } from "./spill.ts";

/**
 * Writes the grams of a register: for each scheme and gram, which of its values hold it.
 *
 * Values are added in the order of answers, so the ranks of a gram's values ascend. They are gathered in runs of
 * {@link RUN_POSTINGS}: a run is sorted by gram, and written as short as it will be in the file. At the end of a
 * scheme its runs are merged, gram by gram.
 */
export class GramIndexWriter {
  readonly #schemeStarts: Chunked<Uint32Array> = new Chunked(Uint32Array);
  readonly #spill: Spill | undefined;
  readonly #grams: Chunked<Uint32Array>;
  readonly #offsets: Chunked<Uint32Array>;
  readonly #postings: Chunked<Uint8Array>;
  /** The open run: grams and the ranks that hold them, as they came. */
  #runGrams = new Uint32Array(1024);
  #runRanks = new Uint32Array(1024);
  #runLength = 0;
  #runs: GramRun[] = [];
  #rank = 0;

  constructor(spill?: Spill) {
    this.#spill = spill;
    this.#grams = new Chunked(Uint32Array, spill);
    this.#offsets = new Chunked(Uint32Array, spill);
    this.#postings = new Chunked(Uint8Array, spill);
    this.#schemeStarts.push(0);
    this.#offsets.push(0);
  }

  /** Takes in the next value of the scheme. */
  add(utf8: Uint8Array): void {
    if (this.#runLength + utf8.length > this.#runGrams.length) this.#makeRoom(utf8.length);
    for (let at = 0; at < utf8.length; at++) {
      this.#runGrams[this.#runLength] = readGram(utf8, at, utf8.length);
      this.#runRanks[this.#runLength++] = this.#rank;
    }
    this.#rank++;
  }

  /** Ends a scheme: the next value is of the next one. */
  endScheme(): void {
    this.#closeRun();
    this.#merge(this.#runs);
    this.#runs = [];
    this.#rank = 0;
    this.#schemeStarts.push(this.#grams.length);
  }

  sections(): [number, Piece[]][] {
    return [
      [SECTION.GRAM_SCHEMES, this.#schemeStarts.pieces()],
      [SECTION.GRAMS, [...this.#grams.pieces(), ...this.#offsets.pieces()]],
      [SECTION.GRAM_POSTINGS, this.#postings.pieces()],
    ];
  }

  #makeRoom(added: number): void {
    if (this.#runLength + added > RUN_POSTINGS) this.#closeRun();
    const needed = this.#runLength + added;
    if (needed <= this.#runGrams.length) return;
    const room = Math.max(needed, Math.min(RUN_POSTINGS, this.#runGrams.length * 4));
    const [grams, ranks] = [this.#runGrams, this.#runRanks];
    this.#runGrams = new Uint32Array(room);
    this.#runRanks = new Uint32Array(room);
    this.#runGrams.set(grams.subarray(0, this.#runLength));
    this.#runRanks.set(ranks.subarray(0, this.#runLength));
  }

  #closeRun(): void {
    if (this.#runLength === 0) return;
    const { grams, ranks } = sortByGram(
      this.#runGrams.subarray(0, this.#runLength),
      this.#runRanks.subarray(0, this.#runLength),
    );
    this.#runs.push(new GramRun(grams, ranks, this.#spill));
    this.#runLength = 0;
  }

  /** Puts the lists of each gram one after another: those of a later run have the greater ranks. */
  #merge(runs: readonly GramRun[]): void {
    const at = new Uint32Array(runs.length);
    for (;;) {
      let gram = Number.POSITIVE_INFINITY;
      for (let r = 0; r < runs.length; r++) {
        const next = runs[r]!.grams.length > at[r]! ? runs[r]!.grams.get(at[r]!) : gram;
        if (next < gram) gram = next;
      }
      if (gram === Number.POSITIVE_INFINITY) return;
      let last = -1;
      for (let r = 0; r < runs.length; r++) {
        const run = runs[r]!;
        const k = at[r]!;
        if (k >= run.grams.length || run.grams.get(k) !== gram) continue;
        at[r] = k + 1;
        pushVarint(this.#postings, run.firsts.get(k) - last - 1);
        this.#postings.append(run.postings.slice(run.starts.get(k), run.starts.get(k + 1)));
        last = run.lasts.get(k);
      }
      if (this.#postings.length > MAX_POSTINGS_BYTES) throwIndexTooLarge();
      this.#grams.push(gram);
      this.#offsets.push(this.#postings.length);
    }
  }
}

/** The lists of a run, by gram; each is its first rank, and the gaps from one rank to the next. */
class GramRun {
  readonly grams: Chunked<Uint32Array>;
  readonly firsts: Chunked<Uint32Array>;
  readonly lasts: Chunked<Uint32Array>;
  readonly starts: Chunked<Uint32Array>;
  readonly postings: Chunked<Uint8Array>;

  /** @param grams ascending; the ranks of one gram ascend, and repeat where a value holds the gram again */
  constructor(grams: Uint32Array, ranks: Uint32Array, spill: Spill | undefined) {
    this.grams = new Chunked(Uint32Array, spill);
    this.firsts = new Chunked(Uint32Array, spill);
    this.lasts = new Chunked(Uint32Array, spill);
    this.starts = new Chunked(Uint32Array, spill);
    this.postings = new Chunked(Uint8Array, spill);
    for (let i = 0; i < grams.length; ) {
      const gram = grams[i]!;
      this.grams.push(gram);
      this.firsts.push(ranks[i]!);
      this.starts.push(this.postings.length);
      let last = ranks[i++]!;
      for (; i < grams.length && grams[i] === gram; i++) {
        const rank = ranks[i]!;
        if (rank === last) continue;
        pushVarint(this.postings, rank - last - 1);
        last = rank;
      }
      this.lasts.push(last);
    }
    this.starts.push(this.postings.length);
  }
}

/** Sorts pairs by gram, byte by byte from the lowest; pairs of one gram stay in their order. */
function sortByGram(
  grams: Uint32Array,
  ranks: Uint32Array,
): { readonly grams: Uint32Array; readonly ranks: Uint32Array } {
  const count = grams.length;
  let from: { readonly grams: Uint32Array; readonly ranks: Uint32Array } = { grams, ranks };
  let to: typeof from = { grams: new Uint32Array(count), ranks: new Uint32Array(count) };
  const ends = new Uint32Array(256);
  for (let shift = 0; shift < 32; shift += 8) {
    ends.fill(0);
    for (let i = 0; i < count; i++) ends[(from.grams[i]! >>> shift) & 255]!++;
    for (let digit = 0, end = 0; digit < 256; digit++) {
      const start = end;
      end += ends[digit]!;
      ends[digit] = start;
    }
    for (let i = 0; i < count; i++) {
      const at = ends[(from.grams[i]! >>> shift) & 255]!++;
      to.grams[at] = from.grams[i]!;
      to.ranks[at] = from.ranks[i]!;
    }
    [from, to] = [to, from];
  }
  return from;
}

/** Seven bits a byte, lowest first; the high bit means that more follow. */
function pushVarint(bytes: Chunked<Uint8Array>, value: number): void {
  let rest = value;
  for (; rest > 127; rest >>>= 7) bytes.push((rest & 127) | 128);
  bytes.push(rest);
}

function throwIndexTooLarge(): never {
  const message = `the index of the identifiers takes more than ${MAX_POSTINGS_BYTES} bytes, which is the limit of a snapshot`;
  throw new EngineError("VALIDATION_FAILED", message, { allowed: MAX_POSTINGS_BYTES });
}

/** Postings sorted at a time: 16 bytes each are in memory, 32 MB. */
const RUN_POSTINGS = 2_000_000;
const MAX_POSTINGS_BYTES = 0xffff_ffff;
