import pg from "pg";
import { computeTextDigest } from "../../ledger/text-digest.ts";
import type { SqlValue, Statement } from "../sql/operation.ts";

/** A client whose lost connection is recorded here, instead of ending the process as an unhandled event. */
export interface Session {
  query(statement: Statement): Promise<readonly unknown[]>;
  /** Runs several statements in one round trip; returns the rows of the last. */
  script(text: string): Promise<readonly unknown[]>;
  /** False once the connection broke, or a statement got no response in time. */
  isAlive(): boolean;
  /** Returns the client to the pool, or closes it if its state is in doubt. */
  release(isSound: boolean): void;
}

/** Connections to one database. Numbers of 64 bits arrive as numbers: all of ours are below 2⁵³. */
export class ConnectionPool {
  readonly #pool: pg.Pool;

  /** @param answerMs milliseconds after which a statement without a response counts as a lost connection */
  constructor(url: string, size: number, answerMs: number) {
    this.#pool = new pg.Pool({
      connectionString: url,
      Client: CalmClient,
      max: size,
      connectionTimeoutMillis: 5_000,
      query_timeout: answerMs,
      keepAlive: true,
      types: {
        getTypeParser: (oid, format) => (oid === INT8 ? Number : pg.types.getTypeParser(oid, format)),
      },
    });
    // An idle client that loses its server reports here; the pool makes another when one is needed.
    this.#pool.on("error", () => {});
  }

  async session(): Promise<Session> {
    const client = await this.#pool.connect().catch((error: unknown) => {
      throw addLoginRemedy(error);
    });
    let isAlive = true;
    const onError = (): void => {
      isAlive = false;
    };
    client.on("error", onError);
    const ask = async (query: string | pg.QueryConfig): Promise<readonly unknown[]> => {
      try {
        const results = (await client.query(query)) as pg.QueryResult | pg.QueryResult[];
        return (Array.isArray(results) ? results.at(-1) : results)?.rows ?? [];
      } catch (error) {
        // Only an ERROR of the server leaves the connection usable; after FATAL, or no response, it is not.
        if ((error as { severity?: unknown }).severity !== "ERROR") isAlive = false;
        throw error;
      }
    };
    return {
      query: ({ text, values, locksRows }) =>
        ask({
          ...prepareStatement(locksRows === true ? `${text} FOR UPDATE` : text),
          values: values as SqlValue[],
        }),
      script: ask,
      isAlive: () => isAlive,
      release: (isSound) => {
        client.off("error", onError);
        client.release(!isAlive || !isSound);
      },
    };
  }

  async close(): Promise<void> {
    await this.#pool.end();
  }
}

/** An error of a login, with what mends it in its message. */
function addLoginRemedy(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const file = "store_password_file (--store-password-file)";
  if (/^empty password|client password must be/.test(error.message)) {
    error.message = `the server expects a password, and found none; name its file in ${file}, set PGPASSWORD, or write it into the store's URL`;
  } else if ((error as { code?: unknown }).code === "28P01") {
    error.message += `; in the store's URL, write %40 for @, %25 for % and so on in the password, or name its file in ${file}`;
  }
  return error;
}

/**
 * A client may lose its connection at any time: while it connects, between two statements, after it was released. An
 * error event without a listener would end the process.
 */
class CalmClient extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    super(config);
    this.on("error", () => {});
  }
}

const INT8 = pg.types.builtins.INT8;

/** A statement that a connection parses and plans once, under this name. */
interface Prepared {
  readonly name: string;
  readonly text: string;
}

const known = new Map<string, Prepared>();

/** Replaces `?` by `$1`, `$2`, …; none of our texts has one inside quotes. The name depends on the text only. */
function prepareStatement(text: string): Prepared {
  const before = known.get(text);
  if (before !== undefined) return before;
  let n = 0;
  const made = { name: computeTextDigest(text).slice(0, 32), text: text.replaceAll("?", () => `$${++n}`) };
  // Texts vary with the number of values in them; a few hundred are in use at most.
  if (known.size >= 1_000) known.clear();
  known.set(text, made);
  return made;
}
