import type { Readable } from "node:stream";
import type { Refusal } from "@groundrule/service";

/** A request's admission: its place and its room for a body. */
export interface Ticket {
  readonly body: BodyReservation;
  /**
   * Resolves when the request may be worked on, which is once its body has arrived; calling it again returns the same
   * promise. A request other than POST has entered before its handler begins. Refuses: `OVERLOADED`.
   */
  enter(): Promise<void>;
}

/** A body in memory, from its first byte until its request is answered. */
export interface BodyReservation {
  /** Watches the body arrive. @param refuse called with the reason why reading stops */
  arrives(incoming: Pick<Readable, "pause" | "resume">, refuse: (refusal: Refusal) => void): void;
  /** Counts bytes that have arrived. */
  count(bytes: number): void;
  /** All of the body is there, or no more of it is wanted. */
  arrived(): void;
  release(): void;
}
