import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** Maximum requests on a connection waiting for the answer to the previous one; more close it. */
const MOST_WAITING = 16;

/** The queue of a connection's requests. */
interface Turns {
  current: ServerResponse | undefined;
  readonly waiting: { readonly outgoing: ServerResponse; readonly begin: () => void }[];
  /** Called when every complete request has been answered; no others start then. */
  last: (() => void) | undefined;
}

/**
 * Runs the requests of a connection one at a time: a request sent before the previous answer has left waits until it
 * has, so that a connection never holds more than one answer, read or not.
 */
export class ConnectionTurns {
  readonly #turns = new WeakMap<Socket, Turns>();
  readonly #running = new Set<ServerResponse>();

  /** The answers in progress, at most one per connection. */
  get running(): Iterable<ServerResponse> {
    return this.#running;
  }

  /** Calls `begin` at the request's turn, and never if its connection ends before. */
  take({ socket }: IncomingMessage, outgoing: ServerResponse, begin: () => void): void {
    let turns = this.#turns.get(socket);
    if (turns === undefined) {
      turns = { current: undefined, waiting: [], last: undefined };
      this.#turns.set(socket, turns);
    }
    if (turns.current === undefined) this.#begin(turns, outgoing, begin);
    else if (turns.waiting.length < MOST_WAITING) turns.waiting.push({ outgoing, begin });
    else socket.destroy();
  }

  /**
   * Calls `last` once every request is answered that arrived before the connection broke: a client with such a request
   * would otherwise take the message about the break for its answer.
   *
   * @param last called with the answer to the broken message, if its headers had arrived
   */
  endAfterAnswers(socket: Socket, last: (broken: ServerResponse | undefined) => void): void {
    const turns = this.#turns.get(socket);
    if (turns?.last !== undefined) return;
    if (turns?.current === undefined || !turns.current.req.complete) {
      last(turns?.current);
      return;
    }
    const broken = turns.waiting.at(-1)?.outgoing.req.complete === false ? turns.waiting.pop() : undefined;
    turns.last = () => last(broken?.outgoing);
  }

  #begin(turns: Turns, outgoing: ServerResponse, begin: () => void): void {
    turns.current = outgoing;
    this.#running.add(outgoing);
    outgoing.once("close", () => {
      this.#running.delete(outgoing);
      turns.current = undefined;
      if (outgoing.req.socket.destroyed) return;
      const next = turns.waiting.shift();
      if (next !== undefined) this.#begin(turns, next.outgoing, next.begin);
      else turns.last?.();
    });
    begin();
  }
}
