import type { LiveNeed, StoredManifest } from "@groundrule/engine";
import type { LiveProvider, ProvidedCandidates, ProviderConfig } from "@groundrule/node";
import {
  type CircuitBreakerPolicy,
  CircuitState,
  ConsecutiveBreaker,
  circuitBreaker,
  handleWhen,
  isBrokenCircuitError,
} from "cockatiel";
import { buildCandidateStatement, parseCandidates } from "./candidate-query.ts";
import { Database } from "./database.ts";
import { isOutage, ProviderError, TooManyAreas } from "./provider-error.ts";
import { type AreaTable, findAreaTable } from "./table.ts";

/** Options of {@link openPostgis}. */
export interface PostgisOptions {
  /** The environment, for `env:NAME`. Default: that of the process. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** Consecutive failures after which the database is not queried for a while. Default 5. */
  readonly failuresInARow?: number;
  /** How long it is not queried, milliseconds; then one question tries it. Default 5,000. */
  readonly pauseMs?: number;
}

/** Default deadline of an answer, milliseconds. */
const DEADLINE_MS = 2_000;
const POOL_SIZE = 4;
const MAX_CANDIDATES = 10_000;

/**
 * Queries a table or view of PostGIS for the areas of a live source. Connects at the first query; every answer arrives
 * within the deadline. After some consecutive failures it answers at once that the source fails, until a trial question
 * succeeds.
 *
 * @param config.table of longitudes and latitudes, with an index on its geometry
 * @param manifest names the columns: `id`, `name`, `country`, `columns` with their types
 *
 * Fails: {@link ProviderError} `PROVIDER_INVALID` if the environment variable is missing, the address is malformed, or
 * the manifest names no `id`.
 */
export function openPostgis(
  config: ProviderConfig,
  manifest: StoredManifest,
  options: PostgisOptions = {},
): LiveProvider {
  return new PostgisProvider(config, manifest, options);
}

class PostgisProvider implements LiveProvider {
  readonly #config: ProviderConfig;
  readonly #manifest: StoredManifest;
  readonly #database: Database;
  readonly #breaker: CircuitBreakerPolicy;
  /** Looked up with the first question that reaches the database. */
  #table: AreaTable | undefined;
  #lastFailure = "";

  constructor(config: ProviderConfig, manifest: StoredManifest, options: PostgisOptions) {
    this.#config = config;
    this.#manifest = manifest;
    if (manifest.id === undefined) {
      throw new ProviderError("PROVIDER_INVALID", `a live source needs "id", the column of the identifiers`);
    }
    this.#database = new Database(buildDatabaseOptions(config, options));
    this.#breaker = circuitBreaker(handleWhen(isOutage), {
      halfOpenAfter: options.pauseMs ?? 5_000,
      breaker: new ConsecutiveBreaker(options.failuresInARow ?? 5),
    });
  }

  get breaker(): "closed" | "open" | "half-open" {
    const { state } = this.#breaker;
    if (state === CircuitState.HalfOpen) return "half-open";
    return state === CircuitState.Closed ? "closed" : "open";
  }

  async candidates(
    need: LiveNeed,
    { signal }: { readonly signal?: AbortSignal },
  ): Promise<ProvidedCandidates> {
    try {
      return { candidates: await this.#breaker.execute(() => this.#ask(need, signal)) };
    } catch (error) {
      if (isBrokenCircuitError(error)) {
        return {
          failed: `the database is left alone for a while after failures: ${this.#lastFailure}`,
          code: "PROVIDER_UNAVAILABLE",
        };
      }
      if (error instanceof TooManyAreas) return { excess: error.excess };
      if (!(error instanceof ProviderError) || error.code === "PROVIDER_TOO_MANY") throw error;
      if (isOutage(error)) this.#lastFailure = error.message;
      // A changed table is looked up again.
      if (error.code === "PROVIDER_INVALID") this.#table = undefined;
      return { failed: error.message, code: error.code };
    }
  }

  close(): Promise<void> {
    return this.#database.close();
  }

  async #ask(need: LiveNeed, signal: AbortSignal | undefined): Promise<ReturnType<typeof parseCandidates>> {
    const query = (text: string, values: readonly unknown[]) => this.#database.query(text, values, signal);
    this.#table ??= await findAreaTable(query, this.#config, this.#manifest);
    const most = this.#config.max_candidates ?? MAX_CANDIDATES;
    const { text, values } = buildCandidateStatement(this.#table, this.#config, this.#manifest, need, most);
    return parseCandidates(await query(text, values), this.#manifest, most);
  }
}

/** Connection settings of a configuration. Fails: {@link ProviderError} `PROVIDER_INVALID`. */
export function buildDatabaseOptions(
  { connection, deadline_ms = DEADLINE_MS, pool_size = POOL_SIZE }: ProviderConfig,
  { environment = process.env }: Pick<PostgisOptions, "environment">,
): ConstructorParameters<typeof Database>[0] {
  const [, name] = /^env:(.+)$/.exec(connection) ?? [];
  const url = name === undefined ? connection : environment[name];
  if (url === undefined || url === "") {
    const message = `the environment variable ${name} is not set; it holds the address of the database, postgresql://…`;
    throw new ProviderError("PROVIDER_INVALID", message);
  }
  if (!/^postgres(?:ql)?:\/\//.test(url) || !URL.canParse(url)) {
    const where = name === undefined ? "connection" : `the environment variable ${name}`;
    throw new ProviderError("PROVIDER_INVALID", `found no address in ${where}, expected postgresql://…`);
  }
  return { url, size: pool_size, deadlineMs: deadline_ms };
}
