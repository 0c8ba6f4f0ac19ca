/**
 * Maps a stream with up to `window` items in progress, and yields the results in the stream's order, each as soon as
 * possible, however slow the next item is. Reads no further ahead.
 */
export async function* mapInOrder<Item, Result>(
  items: AsyncIterable<Item>,
  window: number,
  map: (item: Item) => Promise<Result>,
): AsyncGenerator<Result, void, undefined> {
  const iterator = items[Symbol.asyncIterator]();
  const due: Promise<Result>[] = [];
  let reading: Promise<void> | undefined;
  let ended = false;
  let failure: { readonly error: unknown } | undefined;
  const read = async () => {
    try {
      const next = await iterator.next();
      if (next.done === true) {
        ended = true;
      } else {
        const result = map(next.value);
        result.catch(() => {}); // thrown when it is due
        due.push(result);
      }
    } catch (error) {
      failure = { error }; // thrown after the results before it
      ended = true;
    }
    reading = undefined;
  };
  try {
    while (!ended || due.length > 0) {
      if (!ended && due.length < window) reading ??= read();
      const head = due[0];
      if (head === undefined) {
        await reading;
        continue;
      }
      const first = reading === undefined ? "head" : await Promise.race([waitUntilSettled(head), reading]);
      if (first !== "head") continue;
      yield await due.shift()!;
    }
    if (failure !== undefined) throw failure.error;
  } finally {
    // A read in progress may never end; a consumer that leaves early must end the stream itself.
    if (reading === undefined) await iterator.return?.();
  }
}

async function waitUntilSettled(promise: Promise<unknown>): Promise<"head"> {
  await promise.catch(() => {});
  return "head";
}
