import type {
  CreateRulesetResponse,
  DecisionResponse,
  DecisionSummary,
  DecisionsResponse,
  MeResponse,
  RulesetResponse,
  RulesetSummary,
  RulesetsResponse,
  SourcesQuery,
  SourcesResponse,
  UsageResponse,
  ValidateResponse,
} from "@groundrule/contract";
import type { LintFinding } from "@groundrule/engine/rulesets";
import { type Call, call, createJsonCall } from "./call.ts";
import { createJobsClient, type Jobs } from "./jobs.ts";
import { type CallOptions, type ClientOptions, type KeyedOptions, toSettings } from "./options.ts";
import { iterateItems } from "./pages.ts";
import {
  addKeyMembers,
  createQuestionsClient,
  formatQuery,
  type Keyed,
  type Questions,
} from "./questions.ts";
import { readTile } from "./read-answer.ts";
import { type Screened, type ScreenOptions, type ScreenPlot, screenPlots } from "./screen.ts";
import type {
  CreateRulesetBody,
  CreateRulesetQuery,
  DecisionsQuery,
  RulesetsQuery,
  ValidateBody,
} from "./wire/requests.ts";

// The answers of the methods below.
export type {
  CreateRulesetResponse,
  DecisionResponse,
  DecisionsResponse,
  MeResponse,
  RulesetResponse,
  RulesetsResponse,
  SourcesResponse,
  UsageResponse,
  ValidateResponse,
};

/** Sources of reference data. */
export interface Sources {
  /**
   * Lists the sources that are available to the key's organization.
   *
   * Fails: as every call of {@link Client}.
   */
  list(query?: SourcesQuery, options?: CallOptions): Promise<SourcesResponse>;
  /**
   * Address of a source's vector tiles, with placeholders `{z}`, `{x}` and `{y}` for maps. Requests to it need the API
   * key too.
   *
   * @param source name of the source
   */
  tilesUrl(source: string): string;
  /**
   * A vector tile with the layers `areas` and `coverage`; undefined if it is empty. Never charged.
   *
   * @param source name of the source
   * @param z zoom, 0 to 14
   * @param x column of the tile, from the west
   * @param y row of the tile, from the north
   *
   * Fails: as every call of {@link Client}.
   */
  tile(
    source: string,
    z: number,
    x: number,
    y: number,
    options?: CallOptions,
  ): Promise<Uint8Array<ArrayBuffer> | undefined>;
}

/** The catalog of rulesets. Nothing in it is charged. */
export interface Rulesets {
  /**
   * Publishes a version. Sent again under the same key, it is the same version.
   *
   * Fails: as every call of {@link Client}.
   */
  create(
    body: CreateRulesetBody,
    options?: KeyedOptions & {
      /** Adds likely mistakes in the answer. */
      readonly query?: CreateRulesetQuery | undefined;
    },
  ): Promise<Keyed<CreateRulesetResponse>>;
  /**
   * A page of the versions, newest first.
   *
   * Fails: as every call of {@link Client}.
   */
  list(query?: RulesetsQuery, options?: CallOptions): Promise<RulesetsResponse>;
  /**
   * Every version, newest first.
   *
   * Fails: as every call of {@link Client}.
   */
  each(
    query?: Omit<RulesetsQuery, "page">,
    options?: CallOptions,
  ): AsyncGenerator<RulesetSummary, void, undefined>;
  /**
   * A version with its body and colours.
   *
   * @param name of the ruleset
   * @param version absent: the latest
   *
   * Fails: as every call of {@link Client}.
   */
  get(name: string, version?: number, options?: CallOptions): Promise<RulesetResponse>;
}

/** Charges and their evidence. Reading them is free. */
export interface Decisions {
  /**
   * A page of the decisions, newest first.
   *
   * Fails: as every call of {@link Client}.
   */
  list(query?: DecisionsQuery, options?: CallOptions): Promise<DecisionsResponse>;
  /**
   * Iterates over all decisions, newest first.
   *
   * Fails: as every call of {@link Client}.
   */
  each(
    query?: Omit<DecisionsQuery, "page">,
    options?: CallOptions,
  ): AsyncGenerator<DecisionSummary, void, undefined>;
  /**
   * A decision with the request and the answer.
   *
   * @param id of the decision
   *
   * Fails: as every call of {@link Client}.
   */
  get(id: string, options?: CallOptions): Promise<DecisionResponse>;
}

/**
 * The service, with all retry rules built in: the same request is sent under the same key until there is an answer, and
 * is charged once.
 *
 * Every method fails with an ApiError if the service refuses, a NetworkError if no answer of the service arrives, the
 * signal's reason if the caller aborts, and a TypeError on invalid options.
 */
export interface Client extends Questions {
  readonly sources: Sources;
  readonly rulesets: Rulesets;
  readonly decisions: Decisions;
  readonly jobs: Jobs;
  /**
   * Lists the faults of a geometry, plots or a ruleset. Never charged.
   *
   * Fails: as every call of {@link Client}.
   */
  validate(body: ValidateBody, options?: CallOptions): Promise<ValidateResponse>;
  /**
   * Errors and likely mistakes in a ruleset; empty if there are none. Never charged.
   *
   * @param ruleset its sets and checks
   *
   * Fails: as every call of {@link Client}.
   */
  lint(ruleset: object, options?: CallOptions): Promise<readonly LintFinding[]>;
  /**
   * The key's organization, and the key's permissions and limits.
   *
   * Fails: as every call of {@link Client}.
   */
  me(options?: CallOptions): Promise<MeResponse>;
  /**
   * The quota, and how much of it the period has used.
   *
   * Fails: as every call of {@link Client}.
   */
  usage(options?: CallOptions): Promise<UsageResponse>;
  /**
   * Verdicts on any number of plots, in their order. A bounded number is evaluated at once, and plots are read only as
   * fast as answers are consumed. A plot without an answer is `refused`, and the others continue.
   *
   * Fails, after yielding every plot that was started: with the ApiError that the rest would meet too (key, quota,
   * subscription, ruleset), the NetworkError if the service cannot be reached, and any error of `plots`.
   */
  screen(
    plots: Iterable<ScreenPlot> | AsyncIterable<ScreenPlot>,
    options: ScreenOptions,
  ): AsyncGenerator<Screened, void, undefined>;
}

/** Default number of items per page. */
const PAGE_SIZE = 25;
/** Maximum filtered decisions that can be reached by pages. */
const DECISIONS_PAGED_MAX = 10_000;

/**
 * Creates a client of a groundrule service. It keeps nothing open, so it need not be closed.
 *
 * Fails: TypeError on invalid options.
 */
export function createClient(options: ClientOptions): Client {
  const settings = toSettings(options);
  const questions = createQuestionsClient(settings);

  async function ask<Body>(request: Call<Body>, callOptions?: CallOptions): Promise<Body> {
    return (await call(settings, request, callOptions)).body;
  }
  const get = <Body>(path: string, callOptions?: CallOptions): Promise<Body> =>
    ask(createJsonCall(path), callOptions);
  const validate: Client["validate"] = (body, callOptions) =>
    ask(createJsonCall("/v1/validate", body), callOptions);

  const sources: Sources = {
    list: (query, callOptions) => get(`/v1/sources${formatQuery(query)}`, callOptions),
    tilesUrl: (source) => `${settings.baseUrl}${formatTilesPath(source)}/{z}/{x}/{y}`,
    tile: (source, z, x, y, callOptions) =>
      ask(
        {
          method: "GET",
          path: `${formatTilesPath(source)}/${z}/${x}/${y}`,
          accept: "application/vnd.mapbox-vector-tile",
          read: readTile,
        },
        callOptions,
      ),
  };

  const rulesets: Rulesets = {
    async create(body, { query, ...callOptions } = {}) {
      const path = `/v1/rulesets${formatQuery(query)}`;
      const request: Call<CreateRulesetResponse> = { ...createJsonCall(path, body), isKeyed: true };
      return addKeyMembers(await call(settings, request, callOptions));
    },
    list: (query, callOptions) => get(`/v1/rulesets${formatQuery(query)}`, callOptions),
    each: (query, callOptions) =>
      iterateItems(
        (page) => rulesets.list({ ...query, page }, callOptions),
        ({ ruleset, version }) => `${ruleset}@${version}`,
      ),
    get: (name, version, callOptions) => {
      const ofVersion = version === undefined ? "" : `/${version}`;
      return get(`/v1/rulesets/${encodeURIComponent(name)}${ofVersion}`, callOptions);
    },
  };

  const decisions: Decisions = {
    list: (query, callOptions) => get(`/v1/decisions${formatQuery(query)}`, callOptions),
    each: (query, callOptions) =>
      iterateItems(
        // The service allows pages up to a depth among filtered decisions; beyond it, listing continues after a
        // decision.
        (page, last) =>
          decisions.list(
            last === undefined ||
              (query?.before === undefined && page * (query?.page_size ?? PAGE_SIZE) <= DECISIONS_PAGED_MAX)
              ? { ...query, page }
              : { ...query, before: last.decision_id },
            callOptions,
          ),
        ({ decision_id }) => decision_id,
      ),
    get: (id, callOptions) => get(`/v1/decisions/${encodeURIComponent(id)}`, callOptions),
  };

  return {
    ...questions,
    sources,
    rulesets,
    decisions,
    jobs: createJobsClient(settings),
    validate,
    lint: async (ruleset, callOptions) => (await validate({ ruleset }, callOptions)).data.ruleset?.lint ?? [],
    me: (callOptions) => get("/v1/me", callOptions),
    usage: (callOptions) => get("/v1/usage", callOptions),
    screen: (plots, screenOptions) => screenPlots(questions.evaluate, plots, screenOptions),
  };
}

function formatTilesPath(source: string): string {
  return `/v1/sources/${encodeURIComponent(source)}/tiles`;
}
