/** The error of a reader that lacks code: few texts need that code, and a browser loads it with the first that does. */
class NeedsCode extends Error {
  readonly load: () => Promise<void>;

  constructor(load: () => Promise<void>) {
    super("code that is loaded by need was used before it was loaded: call the reader by withNeeded");
    this.load = load;
  }
}

/**
 * Code that is loaded by need.
 *
 * @param load loads it, once
 *
 * @returns a function that returns the code, and throws {@link NeedsCode} until it is loaded
 */
export function createLazyLoader<Code>(load: () => Promise<Code>): () => Code {
  let loaded: { readonly code: Code } | undefined;
  const loadOnce = async (): Promise<void> => {
    loaded = { code: await load() };
  };
  return () => {
    if (loaded === undefined) throw new NeedsCode(loadOnce);
    return loaded.code;
  };
}

/**
 * Calls a reader. Where it lacks code, the code is loaded and the reader called again: up to there it must change
 * nothing.
 *
 * @returns what the reader returns; a promise of it only where code had to be loaded, which in Node never is
 *
 * Fails: as the reader; what loading throws.
 */
export function withNeeded<Result>(read: () => Result): Result | Promise<Result> {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof NeedsCode)) throw error;
    return error.load().then(() => withNeeded(read));
  }
}
