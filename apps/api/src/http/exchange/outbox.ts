import type { ServerResponse } from "node:http";
import { LoopTurns } from "./loop-turns.ts";

export interface OutboxLimits {
  /** Maximum bytes that may wait to be sent, over all connections. */
  readonly bytes: number;
  /** How long a reader may take nothing before its connection is closed. */
  readonly stalledMs: number;
}

export const DEFAULT_OUTBOX: OutboxLimits = { bytes: 256 * 1024 * 1024, stalledMs: 10_000 };

/** Longer answers are written in parts of this many bytes, each after the previous one has left. */
export const PART_BYTES: number = 64 * 1024;

/** Parts written per turn of the event loop, over all answers. */
const PARTS_A_TURN = 16;

/** Stands for the organization in requests without a key. */
const NOBODY = "";

/** An answer being sent. */
interface Sending {
  readonly outgoing: ServerResponse;
  readonly organization: string;
  /** Bytes kept in memory for it alone. */
  bytes: number;
  progressedMs: number;
}

/**
 * Counts the bytes that wait for their readers, and closes the connections of readers that are too slow: one that takes
 * nothing for a while and, if more bytes wait than there is room for, those of the organization with the most waiting
 * bytes, the slowest first. A client that was cut off can repeat its request: a charged answer is stored.
 */
export class Outbox {
  readonly #limits: OutboxLimits;
  readonly #steadyMs: () => number;
  readonly #sendings = new Map<ServerResponse, Sending>();
  readonly #bytesOf = new Map<string, number>();
  #bytes = 0;
  /** Keeps each turn of the event loop short, however many long answers there are. */
  readonly #turns = new LoopTurns(PARTS_A_TURN);

  /** @param steadyMs steady clock, milliseconds; it is never set */
  constructor(limits: OutboxLimits = DEFAULT_OUTBOX, steadyMs: () => number = () => performance.now()) {
    this.#limits = limits;
    this.#steadyMs = steadyMs;
  }

  /** Bytes that wait to be sent. */
  get bytes(): number {
    return this.#bytes;
  }

  /** True if so many bytes wait for an organization's readers that it gets no more answers for now. */
  isCrowdedBy(organization: string): boolean {
    return (this.#bytesOf.get(organization) ?? 0) >= this.#limits.bytes / 2;
  }

  /**
   * Records that an answer waits for its reader.
   *
   * @param bytes kept for this answer alone: 0 for a file that all answers share
   */
  hold(
    outgoing: ServerResponse,
    organization: string = NOBODY,
    bytes: number = outgoing.writableLength,
  ): void {
    if (outgoing.destroyed || this.#sendings.has(outgoing)) return;
    const sending = { outgoing, organization, bytes: 0, progressedMs: this.#steadyMs() };
    this.#sendings.set(outgoing, sending);
    outgoing.once("close", () => this.#forget(sending));
    this.#add(sending, bytes);
    while (this.#bytes > this.#limits.bytes) this.#end(this.#slowestOfMost());
  }

  /** Records that a reader took some of its answer. */
  progress(outgoing: ServerResponse, bytes: number): void {
    const sending = this.#sendings.get(outgoing);
    if (sending === undefined) return;
    sending.progressedMs = this.#steadyMs();
    this.#add(sending, -Math.min(bytes, sending.bytes));
  }

  /** Closes connections whose readers take nothing; call it periodically. */
  endStalled(): void {
    const lastMs = this.#steadyMs() - this.#limits.stalledMs;
    for (const sending of this.#sendings.values()) if (sending.progressedMs <= lastMs) this.#end(sending);
  }

  /**
   * A long answer as a stream, which its reader takes in parts.
   *
   * @param isShared true if the bytes are kept in memory anyway, and so cost nothing
   */
  inParts(
    bytes: Uint8Array<ArrayBuffer>,
    outgoing: ServerResponse,
    {
      organization = NOBODY,
      isShared = false,
    }: { readonly organization?: string | undefined; readonly isShared?: boolean } = {},
  ): ReadableStream<Uint8Array> {
    let sent = 0;
    return new ReadableStream(
      {
        pull: async (controller) => {
          await new Promise<void>((resolve) => this.#turns.take(organization, resolve));
          if (sent === 0) this.hold(outgoing, organization, isShared ? 0 : bytes.length);
          else this.progress(outgoing, isShared ? 0 : PART_BYTES);
          controller.enqueue(bytes.subarray(sent, sent + PART_BYTES));
          sent += PART_BYTES;
          if (sent >= bytes.length) controller.close();
        },
      },
      { highWaterMark: 0 },
    );
  }

  #slowestOfMost(): Sending {
    let most: [organization: string, bytes: number] = [NOBODY, -1];
    for (const entry of this.#bytesOf) if (entry[1] > most[1]) most = entry;
    let slowest: Sending | undefined;
    for (const sending of this.#sendings.values()) {
      if (sending.organization !== most[0] || sending.bytes === 0) continue;
      if (slowest === undefined || sending.progressedMs < slowest.progressedMs) slowest = sending;
    }
    return slowest!;
  }

  #end(sending: Sending): void {
    this.#forget(sending);
    sending.outgoing.destroy();
  }

  #forget(sending: Sending): void {
    if (this.#sendings.delete(sending.outgoing)) this.#add(sending, -sending.bytes);
  }

  #add(sending: Sending, bytes: number): void {
    const { organization } = sending;
    sending.bytes += bytes;
    this.#bytes += bytes;
    const left = (this.#bytesOf.get(organization) ?? 0) + bytes;
    if (left === 0) this.#bytesOf.delete(organization);
    else this.#bytesOf.set(organization, left);
  }
}
