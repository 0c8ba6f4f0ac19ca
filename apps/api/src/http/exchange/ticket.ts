import type { Readable } from "node:stream";
import type { Refusal } from "@groundrule/service";

/** What a request that may be worked on holds. */
export interface Ticket {
  readonly body: HeldBody;
  /** Resolves when the request may be worked on, which is once its body has arrived; at once where it may be already. Refuses: `OVERLOADED`. */
  enter(): Promise<void>;
}

/** A body in memory, from its first byte until its request is answered. */
export interface HeldBody {
  /** Watches the body arrive. @param refuse hears why it is read no further */
  arrives(incoming: Pick<Readable, "pause" | "resume">, refuse: (refusal: Refusal) => void): void;
  /** Counts bytes that have arrived. */
  count(bytes: number): void;
  /** All of it is there, or no more of it is wanted. */
  arrived(): void;
  release(): void;
}
