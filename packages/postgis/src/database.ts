import pg from "pg";
import { ProviderError } from "./provider-error.ts";

/** Rows of one statement, values in the order of its columns. */
export type Rows = readonly (readonly unknown[])[];

/** How long a statement has run, as a share of its deadline, when the database is asked whether it answers at all. */
const PROBED_AFTER = 1 / 2;

/** How a database is reached. */
export interface DatabaseOptions {
  /** `postgresql://…` */
  readonly url: string;
  /** Connections at most. */
  readonly size: number;
  /** Milliseconds that a statement may take, waiting for a connection included. */
  readonly deadlineMs: number;
}

/**
 * Connections to one database, which only read. No statement waits longer than its deadline, whatever the server or
 * the network does; a connection whose statement brought no answer is cut, not used again.
 */
export class Database {
  readonly #pool: pg.Pool;
  readonly #url: string;
  readonly #deadlineMs: number;
  /** Asks the database whether it answers; one at a time, whoever wants to know. */
  #probe: Promise<boolean> | undefined;

  constructor({ url, size, deadlineMs }: DatabaseOptions) {
    this.#url = url;
    this.#deadlineMs = deadlineMs;
    this.#pool = new pg.Pool({
      connectionString: url,
      Client: CalmClient,
      max: size,
      connectionTimeoutMillis: deadlineMs,
      idleTimeoutMillis: 60_000,
      keepAlive: true,
      // The server gives up when nobody waits any more, and refuses whatever writes.
      statement_timeout: deadlineMs,
      options: "-c default_transaction_read_only=on",
      application_name: "groundrule",
    });
    // An idle client that loses its server reports here; the pool makes another when one is needed.
    this.#pool.on("error", () => {});
  }

  /**
   * Runs one statement that only reads. One that is late while the database answers a short question was too much for
   * its deadline; only one that is late where nothing is answered tells of an outage.
   *
   * Fails: {@link ProviderError}.
   */
  async query(text: string, values: readonly unknown[], signal?: AbortSignal): Promise<Rows> {
    const late = Promise.withResolvers<never>();
    let answersOthers: boolean = false;
    const doubt = setTimeout(() => {
      this.#probe ??= this.#answers().finally(() => {
        this.#probe = undefined;
      });
      void this.#probe.then((answers) => {
        answersOthers = answers;
      });
    }, PROBED_AFTER * this.#deadlineMs);
    const timer = setTimeout(() => {
      late.reject(new ProviderError("PROVIDER_TIMEOUT", `no answer within ${this.#deadlineMs} ms`));
    }, this.#deadlineMs);
    const onAbort = (): void => late.reject(new ProviderError("PROVIDER_CANCELLED", "nobody waits any more"));
    signal?.addEventListener("abort", onAbort, { once: true });
    if (signal?.aborted === true) onAbort();
    try {
      return await this.#run(text, values, late.promise);
    } catch (error) {
      const told = inWords(error);
      if (told.code !== "PROVIDER_TIMEOUT" || !answersOthers) throw told;
      throw new ProviderError(
        "PROVIDER_TOO_SLOW",
        `no answer within ${this.#deadlineMs} ms, while the database answers others; ask about a smaller plot or distance`,
      );
    } finally {
      clearTimeout(doubt);
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
    }
  }

  async close(): Promise<void> {
    await this.#pool.end();
  }

  /** Whether a short question is answered before a statement's deadline, on a connection of its own. */
  async #answers(): Promise<boolean> {
    const deadlineMs = PROBED_AFTER * this.#deadlineMs;
    const client = new CalmClient({
      connectionString: this.#url,
      connectionTimeoutMillis: deadlineMs,
      query_timeout: deadlineMs,
      application_name: "groundrule",
    });
    try {
      await client.connect();
      await client.query("SELECT 1");
      return true;
    } catch {
      return false;
    } finally {
      client.end().catch(() => {});
    }
  }

  async #run(text: string, values: readonly unknown[], late: Promise<never>): Promise<Rows> {
    const connecting = this.#pool.connect();
    const client = await Promise.race([connecting, late]).catch((error: unknown) => {
      // A connection that comes after all goes back to the pool.
      connecting.then((client) => client.release()).catch(() => {});
      throw error;
    });
    let isSound = false;
    try {
      const asked = client.query({ text, values: [...values], rowMode: "array" });
      asked.catch(() => {});
      const { rows } = await Promise.race([asked, late]);
      isSound = true;
      return rows as unknown as Rows;
    } finally {
      // Cuts the connection in the middle of whatever it was doing.
      client.release(!isSound);
    }
  }
}

/**
 * A client hears of its link's end at any time: while it connects, between two statements, after it was given up. An
 * error that nobody listens to would end the process.
 */
class CalmClient extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    super(config);
    this.on("error", () => {});
  }
}

/** Classes of SQLSTATE that tell of the statement, and so of the configuration: names, types, rights. */
const OF_STATEMENT = /^(?:22|42|0A|28|3D|3F)/;
const STATEMENT_TIMEOUT = "57014";

function inWords(error: unknown): ProviderError {
  if (error instanceof ProviderError) return error;
  const { code, severity, message } = error as { code?: string; severity?: string; message: string };
  if (severity === undefined) {
    // What the client or the system says: ECONNREFUSED, "timeout expired", a message that is none of the protocol's.
    const known = code === undefined ? unadorned(message) : code;
    if (/timeout/i.test(known)) return new ProviderError("PROVIDER_TIMEOUT", "no connection in time");
    return new ProviderError("PROVIDER_UNAVAILABLE", `the database cannot be reached (${known})`);
  }
  if (code === STATEMENT_TIMEOUT) {
    return new ProviderError("PROVIDER_TIMEOUT", "the database ended the statement at its deadline");
  }
  const isInvalid = code !== undefined && OF_STATEMENT.test(code);
  return new ProviderError(
    isInvalid ? "PROVIDER_INVALID" : "PROVIDER_UNAVAILABLE",
    `the database says: ${unadorned(message)} (${code})`,
  );
}

/** Without addresses, which may hold a password. */
function unadorned(message: string): string {
  const words = message.slice(0, 1_000).split(/\s+/);
  return words
    .map((word) => (word.includes("://") ? "…" : word))
    .join(" ")
    .slice(0, 200);
}
