import type { LiveNeed, Provided, ProvidedAreas, SourceFailure } from "@groundrule/engine";
import {
  DEFAULT_POOL_SIZE,
  type LiveEntry,
  type LiveProvider,
  type OpenProvider,
  PROVIDER_FAULTS,
  type ProvidedCandidates,
  type ProviderConfig,
  type ProviderFault,
} from "../catalog/live-source.ts";
import { DEFAULT_LIVE_LIMITS, type LiveAsker, type LiveLimits, LivePlaces } from "./live-places.ts";

/** Statistics of a live source since it was opened, for metrics. */
export interface LiveStatistics {
  readonly source_name: string;
  /** Number of queries. */
  readonly calls: number;
  /** Number of queries without areas. */
  readonly failures: number;
  /** Total seconds of its answers; waiting for a place does not count. */
  readonly seconds: number;
  /** State of the circuit breaker: `open` blocks queries, `half-open` allows a trial. */
  readonly breaker: "closed" | "open" | "half-open";
}

/** Time beyond a provider's own deadline after which its answer is abandoned, milliseconds. */
const GRACE_MS = 500;
const DEFAULT_DEADLINE_MS = 2_000;
const NOBODY_WAITS = { failed: "nobody waits for the answer", code: "PROVIDER_CANCELLED" } as const;
/** Maximum characters of a reason. */
const REASON_LENGTH = 300;

/**
 * Queries the live sources of a data folder. A provider that is late, throws or returns an invalid answer makes its
 * source fail for that question, and nothing else; the next question queries it again. Concurrent questions are limited
 * to its connections; others wait for their turn, which does not count for its deadline. Answers contain the fault's
 * code and its meaning; the provider's own message, which may name users, hosts and tables, is for the operator.
 */
export class LiveSources {
  readonly #open: OpenProvider | undefined;
  readonly #limits: LiveLimits;
  readonly #onTrouble: (failure: SourceFailure) => void;
  #sources: ReadonlyMap<string, QueriedSource> = new Map();

  /** @param open opens the provider of a source; without it every live source fails */
  constructor(
    open: OpenProvider | undefined,
    {
      onTrouble = () => {},
      ...limits
    }: Partial<LiveLimits> & {
      /** Called when a source begins to fail, or fails in another way, with the provider's message. */
      readonly onTrouble?: (failure: SourceFailure) => void;
    } = {},
  ) {
    this.#open = open;
    this.#limits = { ...DEFAULT_LIVE_LIMITS, ...limits };
    this.#onTrouble = onTrouble;
  }

  /** True if there is none. */
  get isEmpty(): boolean {
    return this.#sources.size === 0;
  }

  /** Switches to these sources. The provider of an unchanged entry is kept; others are closed. */
  use(entries: readonly LiveEntry[]): void {
    const before = this.#sources;
    const sources = new Map<string, QueriedSource>();
    for (const entry of entries) {
      const name = entry.manifest.source_name;
      const known = before.get(name);
      const key = JSON.stringify(entry);
      sources.set(
        name,
        known?.key === key ? known : new QueriedSource(entry, key, this.#open, this.#limits, this.#onTrouble),
      );
    }
    this.#sources = sources;
    for (const [name, source] of before) if (sources.get(name) !== source) void source.close();
  }

  /**
   * Queries each source for a question's needs, all at the same time.
   *
   * Fails: with a `PoolError`, `OVERLOADED`, if too many questions of this caller wait for one of them.
   */
  async ask(needs: readonly LiveNeed[], asker: LiveAsker = {}): Promise<Provided> {
    const answers = needs.map(async (need): Promise<[string, ProvidedAreas]> => {
      const source = this.#sources.get(need.source_name);
      const answer = await (source?.ask(need, asker) ?? { failed: "the live source is not connected" });
      return [need.source_name, answer];
    });
    return Object.fromEntries(await Promise.all(answers));
  }

  /** Sources whose last query failed, with the provider's message. */
  failures(): SourceFailure[] {
    return [...this.#sources].flatMap(([source_name, { trouble }]) =>
      trouble === undefined ? [] : [{ source_name, reason: trouble }],
    );
  }

  /** Statistics of each source since its entry last changed. */
  statistics(): LiveStatistics[] {
    return [...this.#sources].map(([source_name, source]) => ({ source_name, ...source.statistics() }));
  }

  /** Closes every provider. */
  async close(): Promise<void> {
    const sources = [...this.#sources.values()];
    this.#sources = new Map();
    await Promise.all(sources.map((source) => source.close()));
  }
}

class QueriedSource {
  /** Identifies the entry from which it was made. */
  readonly key: string;
  readonly #name: string;
  readonly #onTrouble: (failure: SourceFailure) => void;
  #trouble: string | undefined;
  readonly #config: ProviderConfig;
  readonly #provider: LiveProvider | { readonly unusable: string };
  readonly #places: LivePlaces;
  #calls = 0;
  #failures = 0;
  #seconds = 0;

  constructor(
    { manifest, provider }: LiveEntry,
    key: string,
    open: OpenProvider | undefined,
    limits: LiveLimits,
    onTrouble: (failure: SourceFailure) => void,
  ) {
    this.key = key;
    this.#name = manifest.source_name;
    this.#onTrouble = onTrouble;
    this.#places = new LivePlaces(manifest.source_name, provider.pool_size ?? DEFAULT_POOL_SIZE, limits);
    this.#config = provider;
    this.#provider = this.#opened(() =>
      open === undefined
        ? { unusable: `this program cannot ask ${provider.kind} sources` }
        : open(provider, manifest),
    );
    if ("unusable" in this.#provider) this.#note(this.#provider.unusable);
  }

  /** The reason why its last query failed; undefined if it succeeded. */
  get trouble(): string | undefined {
    return this.#trouble;
  }

  #note(trouble: string | undefined): void {
    const isNew = trouble !== undefined && trouble !== this.#trouble;
    this.#trouble = trouble;
    if (isNew) this.#onTrouble({ source_name: this.#name, reason: trouble });
  }

  async ask(need: LiveNeed, asker: LiveAsker): Promise<ProvidedAreas> {
    if (!(await this.#places.take(asker))) return { failed: describeProviderFault(NOBODY_WAITS.code) };
    try {
      return await this.#askNow(need, asker.signal);
    } finally {
      this.#places.leave(asker.lane);
    }
  }

  async #askNow(need: LiveNeed, signal: AbortSignal | undefined): Promise<ProvidedAreas> {
    const startedMs = performance.now();
    const answer = await this.#ask(need, signal);
    this.#calls++;
    this.#seconds += (performance.now() - startedMs) / 1_000;
    const isGone = signal?.aborted === true;
    if ("failed" in answer) {
      // A disconnected client does not count as a failure of the source.
      if (!isGone) {
        this.#failures++;
        this.#note(withoutSecrets(answer.failed, this.#config).slice(0, REASON_LENGTH));
      }
      return { failed: describeProviderFault(answer.code ?? "PROVIDER_UNAVAILABLE") };
    }
    this.#note(undefined);
    return "excess" in answer ? { excess: answer.excess } : { candidates: answer.candidates };
  }

  statistics(): Omit<LiveStatistics, "source_name"> {
    const breaker = "unusable" in this.#provider ? "open" : (this.#provider.breaker ?? "closed");
    return { calls: this.#calls, failures: this.#failures, seconds: this.#seconds, breaker };
  }

  async close(): Promise<void> {
    if ("unusable" in this.#provider) return;
    await this.#provider.close().catch(() => {});
  }

  #opened(
    open: () => LiveProvider | { readonly unusable: string },
  ): LiveProvider | { readonly unusable: string } {
    try {
      return open();
    } catch (error) {
      return { unusable: withoutSecrets((error as Error).message, this.#config).slice(0, REASON_LENGTH) };
    }
  }

  async #ask(need: LiveNeed, signal: AbortSignal | undefined): Promise<ProvidedCandidates> {
    const provider = this.#provider;
    if ("unusable" in provider) return { failed: provider.unusable, code: "PROVIDER_INVALID" };
    const deadlineMs = (this.#config.deadline_ms ?? DEFAULT_DEADLINE_MS) + GRACE_MS;
    const late = AbortSignal.timeout(deadlineMs);
    const ended = signal === undefined ? late : AbortSignal.any([signal, late]);
    const aborted = new Promise<ProvidedCandidates>((resolve) => {
      const giveUp = (): void =>
        resolve(
          late.aborted
            ? { failed: `no answer within ${deadlineMs} ms`, code: "PROVIDER_TIMEOUT" }
            : NOBODY_WAITS,
        );
      if (ended.aborted) giveUp();
      else ended.addEventListener("abort", giveUp, { once: true });
    });
    try {
      // A provider that never settles delays nobody.
      return toProvidedCandidates(
        await Promise.race([provider.candidates(need, { signal: ended }), aborted]),
      );
    } catch (error) {
      return { failed: `asking failed: ${(error as Error | undefined)?.message ?? "for no reason"}` };
    }
  }
}

/** Validates an answer, whatever the provider's types promise. */
function toProvidedCandidates(received: unknown): ProvidedCandidates {
  if (typeof received === "object" && received !== null) {
    const answer = received as ProvidedCandidates;
    if ("failed" in answer) {
      const isKnown = Object.hasOwn(PROVIDER_FAULTS, answer.code ?? "");
      return { failed: String(answer.failed), ...(isKnown && { code: answer.code as ProviderFault }) };
    }
    if ("excess" in answer) return { excess: answer.excess };
    if (Array.isArray(answer.candidates)) return answer;
  }
  return { failed: "the provider gave neither areas nor a reason" };
}

/**
 * A text without the address of a database and its password, whether the configuration contains the address or names an
 * environment variable with it.
 *
 * @param text a reason, for people
 */
function withoutSecrets(text: string, { connection }: Pick<ProviderConfig, "connection">): string {
  const address = connection.startsWith("env:") ? (process.env[connection.slice(4)] ?? "") : connection;
  const secrets = [address, parseAddressPassword(address)].filter((secret) => secret.length > 0);
  return secrets.reduce((shown, secret) => shown.replaceAll(secret, "***"), text);
}

/**
 * The password in an address; empty if it has none.
 *
 * @param address `postgresql://…`, or anything else
 */
export function parseAddressPassword(address: string): string {
  if (!URL.canParse(address)) return "";
  const { password } = new URL(address);
  try {
    return decodeURIComponent(password);
  } catch {
    return password;
  }
}

/** The message for callers about a fault. */
function describeProviderFault(code: ProviderFault): string {
  return `${code}: ${PROVIDER_FAULTS[code]}`;
}
