import type { Readable } from "node:stream";
import type { Refusal } from "@groundrule/service";
import { HttpRefusal } from "../exchange/http-refusal.ts";
import type { BodyReservation } from "../exchange/ticket.ts";
import { createOverloadedRefusal } from "./overloaded.ts";

export interface BodyRoomLimits {
  /** Maximum bytes of large bodies in memory; small ones may take as much again. */
  readonly bytes: number;
  /** Maximum bytes of one organization's bodies. */
  readonly bytesOfOrganization: number;
  /** Maximum size of a small body. */
  readonly smallBytes: number;
  /** Minimum bytes that must arrive per window, unless the body ends in it. */
  readonly leastBytes: number;
  readonly windowMs: number;
}

const MEBIBYTE = 1024 * 1024;

export const DEFAULT_BODY_ROOM: BodyRoomLimits = {
  bytes: 64 * MEBIBYTE,
  bytesOfOrganization: 32 * MEBIBYTE,
  smallBytes: MEBIBYTE / 4,
  leastBytes: 64 * 1024,
  windowMs: 5_000,
};

/** The large bodies of one organization, or of all. */
interface Shelf {
  bytes: number;
  /** Bytes counted against the limit: in the total, an organization counts at most its own share. */
  taken: number;
  /** Number of complete bodies: as long as there is one, room will become free. */
  complete: number;
  /** Bodies that are arriving, the oldest first. */
  readonly arriving: Set<Body>;
}

const SWEEP_MS = 500;

/**
 * The memory for request bodies, counted as bytes arrive: an announced body that is not sent takes none. When there is
 * no room, reading of large bodies pauses until there is; the oldest is always read, so that some body always
 * completes, and if too many wait the next is refused. Small bodies have room of their own, so no large one delays
 * them.
 *
 * Refuses: `OVERLOADED` if a body waits too long for room; `REQUEST_TIMEOUT` if it is sent too slowly.
 */
export class BodyRoom {
  readonly limits: BodyRoomLimits;
  readonly #waitMs: number;
  readonly #steadyMs: () => number;
  readonly #arriving = new Set<Body>();
  readonly #large = createEmptyShelf();
  readonly #largeOf = new Map<string, Shelf>();
  #smallBytes = 0;
  readonly #smallBytesOf = new Map<string, number>();
  #sweeping: NodeJS.Timeout | undefined;

  constructor(limits: BodyRoomLimits, waitMs: number, steadyMs: () => number) {
    this.limits = limits;
    this.#waitMs = waitMs;
    this.#steadyMs = steadyMs;
  }

  /** Bytes of the bodies in memory. */
  get bytes(): number {
    return this.#smallBytes + this.#large.bytes;
  }

  hold(organization: string): BodyReservation {
    return new Body(this, organization);
  }

  /** @internal */
  begin(body: Body): void {
    body.windowMs = this.#steadyMs();
    this.#arriving.add(body);
    this.#sweeping ??= setInterval(() => this.#sweep(), SWEEP_MS).unref();
  }

  /** @internal */
  add(body: Body, bytes: number): void {
    const { organization } = body;
    body.bytes += bytes;
    body.windowBytes += bytes;
    if (body.isLarge) {
      this.#addLarge(body, bytes);
    } else if (body.bytes <= this.limits.smallBytes) {
      this.#addSmall(organization, bytes);
      const isOver =
        this.#smallBytes > this.limits.bytes ||
        this.#smallBytesOf.get(organization)! > this.limits.bytesOfOrganization;
      if (isOver) body.refuse(createOverloadedRefusal());
    } else {
      this.#addSmall(organization, -(body.bytes - bytes));
      body.isLarge = true;
      for (const shelf of this.#shelvesOf(organization)) shelf.arriving.add(body);
      this.#addLarge(body, body.bytes);
    }
  }

  /** @internal */
  end(body: Body): void {
    this.#arriving.delete(body);
    if (!body.isLarge) return;
    for (const shelf of this.#shelvesOf(body.organization)) {
      if (shelf.arriving.delete(body)) shelf.complete++;
    }
  }

  /** @internal */
  free(body: Body): void {
    const { organization, bytes } = body;
    if (!body.isLarge) {
      this.#addSmall(organization, -bytes);
      return;
    }
    this.#shelve(organization, -bytes);
    const [all, own] = this.#shelvesOf(organization);
    all.complete--;
    own.complete--;
    if (own.arriving.size === 0 && own.complete === 0) this.#largeOf.delete(organization);
    for (const waiting of this.#large.arriving) {
      if (waiting.pausedMs !== undefined && this.#mayRead(waiting)) this.#resume(waiting);
    }
  }

  #addSmall(organization: string, bytes: number): void {
    this.#smallBytes += bytes;
    const left = (this.#smallBytesOf.get(organization) ?? 0) + bytes;
    if (left === 0) this.#smallBytesOf.delete(organization);
    else this.#smallBytesOf.set(organization, left);
  }

  #addLarge(body: Body, bytes: number): void {
    this.#shelve(body.organization, bytes);
    if (this.#mayRead(body)) return;
    const [all, own] = this.#shelvesOf(body.organization);
    // The first bytes of the waiting bodies alone fill the room.
    if (own.bytes >= 2 * this.limits.bytesOfOrganization || all.bytes >= 2 * this.limits.bytes) {
      body.refuse(createOverloadedRefusal());
      return;
    }
    body.pausedMs = this.#steadyMs();
    body.incoming?.pause();
  }

  #shelve(organization: string, bytes: number): void {
    const [all, own] = this.#shelvesOf(organization);
    const share = this.limits.bytesOfOrganization;
    all.taken -= Math.min(own.taken, share);
    own.bytes += bytes;
    own.taken += bytes;
    all.taken += Math.min(own.taken, share);
    all.bytes += bytes;
  }

  #resume(body: Body): void {
    body.pausedMs = undefined;
    body.windowMs = this.#steadyMs();
    body.windowBytes = 0;
    body.incoming?.resume();
  }

  #shelvesOf(organization: string): readonly [all: Shelf, own: Shelf] {
    let own = this.#largeOf.get(organization);
    if (own === undefined) {
      own = createEmptyShelf();
      this.#largeOf.set(organization, own);
    }
    return [this.#large, own];
  }

  #mayRead(body: Body): boolean {
    const [all, own] = this.#shelvesOf(body.organization);
    const { bytes, bytesOfOrganization } = this.limits;
    return hasRoomFor(body, all, bytes) && hasRoomFor(body, own, bytesOfOrganization);
  }

  #sweep(): void {
    const nowMs = this.#steadyMs();
    const { leastBytes, windowMs } = this.limits;
    for (const body of this.#arriving) {
      if (body.pausedMs !== undefined) {
        if (this.#mayRead(body)) this.#resume(body);
        else if (nowMs - body.pausedMs >= this.#waitMs) body.refuse(createOverloadedRefusal());
      } else if (nowMs - body.windowMs >= windowMs) {
        if (body.windowBytes < leastBytes) body.refuse(bodyTooSlowRefusal(body.windowBytes, windowMs));
        body.windowMs = nowMs;
        body.windowBytes = 0;
      }
    }
    if (this.#arriving.size > 0) return;
    clearInterval(this.#sweeping);
    this.#sweeping = undefined;
  }
}

class Body implements BodyReservation {
  readonly organization: string;
  readonly #room: BodyRoom;
  incoming: Pick<Readable, "pause" | "resume"> | undefined;
  bytes = 0;
  isLarge: boolean = false;
  /** When reading paused; undefined while it is read. */
  pausedMs: number | undefined;
  windowMs = 0;
  windowBytes = 0;
  refuse: (refusal: Refusal) => void = () => {};

  constructor(room: BodyRoom, organization: string) {
    this.#room = room;
    this.organization = organization;
  }

  arrives(incoming: Pick<Readable, "pause" | "resume">, refuse: (refusal: Refusal) => void): void {
    this.incoming = incoming;
    this.refuse = refuse;
    this.#room.begin(this);
  }

  count(bytes: number): void {
    this.#room.add(this, bytes);
  }

  arrived(): void {
    this.#room.end(this);
  }

  release(): void {
    this.#room.end(this);
    this.#room.free(this);
  }
}

function createEmptyShelf(): Shelf {
  return { bytes: 0, taken: 0, complete: 0, arriving: new Set() };
}

function hasRoomFor(body: Body, { taken, complete, arriving }: Shelf, limit: number): boolean {
  if (taken < limit) return true;
  const [oldest] = arriving;
  return complete === 0 && oldest === body;
}

function bodyTooSlowRefusal(bytes: number, windowMs: number): Refusal {
  return new HttpRefusal(
    "REQUEST_TIMEOUT",
    `The body arrived too slowly: ${bytes} bytes in ${windowMs / 1_000} s; send it faster, or send a smaller body.`,
    { headers: { Connection: "close" } },
  );
}
