import { joinChunks } from "../bytes.ts";

/**
 * The first bytes of a stream, at least `count` of them unless it is shorter, and the whole stream
 * from its start. To be read once; leaving `all` early ends the stream.
 */
export async function peekStream(
  stream: AsyncIterable<Uint8Array>,
  count: number,
): Promise<{ first: Uint8Array; all: AsyncIterable<Uint8Array> }> {
  const iterator = stream[Symbol.asyncIterator]();
  let first = new Uint8Array(0);
  let done = false;
  while (first.length < count && !done) {
    const next = await iterator.next();
    done = next.done === true;
    if (next.done !== true) first = joinChunks([first, next.value]);
  }
  return { first, all: streamFromStart(first, iterator, done) };
}

async function* streamFromStart(
  first: Uint8Array,
  iterator: AsyncIterator<Uint8Array>,
  done: boolean,
): AsyncGenerator<Uint8Array> {
  try {
    if (first.length > 0) yield first;
    while (!done) {
      const next = await iterator.next();
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    await iterator.return?.();
  }
}
