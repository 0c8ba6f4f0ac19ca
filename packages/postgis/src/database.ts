import pg from "pg";
import { ProviderError } from "./provider-error.ts";

/** Rows of one statement, values in the order of its columns. */
export type Rows = readonly (readonly unknown[])[];

/** Share of a statement's deadline after which the database is tested with a short query. */
const PROBED_AFTER = 1 / 2;

/** Connection settings of a database. */
export interface DatabaseOptions {
  /** `postgresql://…` */
  readonly url: string;
  /** Maximum connections. */
  readonly size: number;
  /** Maximum time of a statement, milliseconds, including the wait for a connection. */
  readonly deadlineMs: number;
}

/**
 * Read-only connections to one database. No statement waits longer than its deadline, whatever the server or the
 * network does; a connection whose statement got no response is closed, not reused.
 */
export class Database {
  readonly #pool: pg.Pool;
  readonly #url: string;
  readonly #deadlineMs: number;
  /** The running test query; concurrent callers share it. */
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
      // The server stops when nobody waits any more, and refuses writes.
      statement_timeout: deadlineMs,
      options: "-c default_transaction_read_only=on",
      application_name: "groundrule",
    });
    // An idle client that loses its server reports here; the pool makes another when one is needed.
    this.#pool.on("error", () => {});
  }

  /**
   * Runs one read-only statement. A statement that is late while the database answers a short query was too slow for
   * its deadline; only one that is late while nothing is answered indicates an outage.
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
      const reason = toProviderError(error);
      if (reason.code !== "PROVIDER_TIMEOUT" || !answersOthers) throw reason;
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

  /** True if a short query is answered before a statement's deadline, on a separate connection. */
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
      // A connection that is established too late goes back to the pool.
      connecting.then((client) => client.release()).catch(() => {});
      throw error;
    });
    let isSound = false;
    try {
      const query = client.query({ text, values: [...values], rowMode: "array" });
      query.catch(() => {});
      const { rows } = await Promise.race([query, late]);
      isSound = true;
      return rows as unknown as Rows;
    } finally {
      // Closes the connection in the middle of anything.
      client.release(!isSound);
    }
  }
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

/** SQLSTATE classes about the statement, and so about the configuration: names, types, rights. */
const OF_STATEMENT = /^(?:22|42|0A|28|3D|3F)/;
const STATEMENT_TIMEOUT = "57014";

function toProviderError(error: unknown): ProviderError {
  if (error instanceof ProviderError) return error;
  const { code, severity, message } = error as { code?: string; severity?: string; message: string };
  if (severity === undefined) {
    // Codes of the client or the system: ECONNREFUSED, "timeout expired", a message that is not of the protocol.
    const known = code === undefined ? removeAddresses(message) : code;
    if (/timeout/i.test(known)) return new ProviderError("PROVIDER_TIMEOUT", "no connection in time");
    return new ProviderError("PROVIDER_UNAVAILABLE", `the database cannot be reached (${known})`);
  }
  if (code === STATEMENT_TIMEOUT) {
    return new ProviderError("PROVIDER_TIMEOUT", "the database ended the statement at its deadline");
  }
  const isInvalid = code !== undefined && OF_STATEMENT.test(code);
  return new ProviderError(
    isInvalid ? "PROVIDER_INVALID" : "PROVIDER_UNAVAILABLE",
    `the database says: ${removeAddresses(message)} (${code})`,
  );
}

/** Without addresses, which may hold a password. */
function removeAddresses(message: string): string {
  const words = message.slice(0, 1_000).split(/\s+/);
  return words
    .map((word) => (word.includes("://") ? "…" : word))
    .join(" ")
    .slice(0, 200);
}
