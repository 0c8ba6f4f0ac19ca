import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** Requests that may wait on a connection for the answer to the one before; who sends more loses it. */
const MOST_WAITING = 16;

/** What a connection's requests wait for. */
interface Turns {
  current: ServerResponse | undefined;
  readonly waiting: { readonly outgoing: ServerResponse; readonly begin: () => void }[];
  /** What is done when all that came whole has been answered; nothing is begun any more then. */
  last: (() => void) | undefined;
}

/**
 * Lets the requests of a connection take turns: one that was sent before the answer to the last has left
 * waits until it has, so that a connection never holds more than one answer, whoever reads it or not.
 */
export class ConnectionTurns {
  readonly #turns = new WeakMap<Socket, Turns>();
  readonly #running = new Set<ServerResponse>();

  /** The answers under way, one a connection at most. */
  get running(): Iterable<ServerResponse> {
    return this.#running;
  }

  /** Calls `begin` when it is the request's turn, and never where its connection ends before. */
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
   * Calls `last` once every request of a connection is answered that came before it broke: whoever sent one
   * would take what is said of the break for its answer.
   *
   * @param last hears of the answer to the message that broke, where that had come as far as its headers
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
