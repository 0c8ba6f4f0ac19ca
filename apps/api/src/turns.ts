import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** Requests that may wait on a connection for the answer to the one before; who sends more loses it. */
const MOST_WAITING = 16;

/** What a connection's requests wait for. */
interface Turns {
  current: ServerResponse | undefined;
  readonly waiting: { readonly outgoing: ServerResponse; readonly begin: () => void }[];
}

/**
 * Lets the requests of a connection take turns: one that was sent before the answer to the last has left
 * waits until it has, so that a connection never holds more than one answer, whoever reads it or not.
 */
export class ConnectionTurns {
  readonly #turns = new WeakMap<Socket, Turns>();

  /** Calls `begin` when it is the request's turn, and never where its connection ends before. */
  take({ socket }: IncomingMessage, outgoing: ServerResponse, begin: () => void): void {
    let turns = this.#turns.get(socket);
    if (turns === undefined) {
      turns = { current: undefined, waiting: [] };
      this.#turns.set(socket, turns);
    }
    if (turns.current === undefined) this.#begin(turns, outgoing, begin);
    else if (turns.waiting.length < MOST_WAITING) turns.waiting.push({ outgoing, begin });
    else socket.destroy();
  }

  /** The answer that is under way on a connection, or the last there was. */
  current(socket: Socket): ServerResponse | undefined {
    return this.#turns.get(socket)?.current;
  }

  #begin(turns: Turns, outgoing: ServerResponse, begin: () => void): void {
    turns.current = outgoing;
    outgoing.once("close", () => {
      turns.current = undefined;
      const next = turns.waiting.shift();
      if (next !== undefined && !outgoing.req.socket.destroyed) this.#begin(turns, next.outgoing, next.begin);
    });
    begin();
  }
}
