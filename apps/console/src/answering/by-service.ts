import {
  ApiError,
  type ClientOptions,
  createClient,
  type DecisionSummary,
  type EvaluateBody,
  type EvaluateResponse,
  type EvaluationInput,
  NetworkError,
  type RulesetSummary,
  type Verdict,
} from "@groundrule/client";
import {
  type Answer,
  type Answerer,
  AnswerProblem,
  type FoundRuleset,
  type NamedRuleset,
  type Question,
} from "./answerer.ts";
import { toProblemFault } from "./fault-of.ts";

/** Prefix of the names of the service's own rulesets. */
const PRESET_PREFIX = "preset.";
/** Maximum versions searched for names: the newest come first. */
const VERSIONS_MAX = 2_000;

/** A ruleset without its name; the API rejects forbidden members on publication. */
type RulesetBody = Omit<Parameters<ReturnType<typeof createClient>["rulesets"]["create"]>[0], "name">;

/** Timeouts: a person waits for the answer, so give up sooner than a program would. */
const PATIENCE = { timeoutMs: 30_000, deadlineMs: 90_000 };

/** API keys that were used in this page, kept in memory only. */
const apiKeys: string[] = [];

function getKeyNumber(apiKey: string): number {
  const known = apiKeys.indexOf(apiKey);
  return known === -1 ? apiKeys.push(apiKey) - 1 : known;
}

/**
 * Answers by calling the service. The key is kept in memory only.
 *
 * @param baseUrl address of the service, absolute or relative to the page
 * @param host replaces the page's `fetch` and timers
 *
 * Fails: TypeError for a malformed address or key.
 */
export function createServiceAnswerer(
  baseUrl: string,
  apiKey: string,
  host: Pick<ClientOptions, "fetch" | "sleep"> = {},
): Answerer {
  const page = (globalThis as { readonly location?: { readonly href: string } }).location;
  const base = new URL(baseUrl, page?.href).href;
  const client = createClient({ baseUrl: base, apiKey, ...PATIENCE, ...host });
  const closed = new AbortController();
  const call = { signal: closed.signal };
  const bodies = new Map<string, Promise<object>>();

  /** The body of a ruleset's version, which never changes. */
  const bodyOfVersion = (name: string, version: number): Promise<object> => {
    const id = `${name}@${version}`;
    const known = bodies.get(id);
    if (known !== undefined) return known;
    const request = client.rulesets.get(name, version, call).then(({ data }) => data.body);
    request.catch(() => bodies.delete(id));
    bodies.set(id, request);
    return request;
  };

  /** A question as stored in records: with its full ruleset, so that it can be answered again without a catalog. */
  const recordedRequest = async (
    body: EvaluateBody,
    { name, version }: Verdict["ruleset"],
  ): Promise<object> => {
    if (body.ruleset_id === undefined || name === null || version === null) return body;
    const { ruleset_id: _, ...others } = body;
    try {
      return { ...others, ruleset: await bodyOfVersion(name, version) };
    } catch {
      // The verdict is valid; a report is refused while its ruleset is not available.
      return body;
    }
  };

  const answerIn = (response: EvaluateResponse, request: object): Answer => ({
    verdict: response.data,
    warnings: response.meta.warnings,
    charged: response.meta.charged,
    requestId: response.meta.request_id,
    record: { request, response },
    by: answerer,
  });

  const answerer: Answerer = {
    place: "service",
    service: { address: base, apiKey: getKeyNumber(apiKey) },
    evaluate: (question, { signal, key } = {}) =>
      toPageError(async () => {
        const body = buildEvaluateBody(question);
        const options = {
          signal: signal === undefined ? closed.signal : AbortSignal.any([signal, closed.signal]),
          idempotencyKey: key,
        };
        const response = await client.evaluate(body, options);
        return answerIn(response, await recordedRequest(body, response.data.ruleset));
      }),
    earlier: ({ verdict }, reference_id) =>
      toPageError(async (): Promise<Answer | undefined> => {
        const { data } = await client.decisions.list({ reference_id, page_size: 200 }, call);
        const found = data.items.find(({ digests }) => isEarlier(digests, verdict));
        if (found === undefined) return undefined;
        const { record } = (await client.decisions.get(found.decision_id, call)).data;
        // The record may have been erased.
        if (record === null) return undefined;
        const answer = answerIn(record.response as EvaluateResponse, record.request);
        return { ...answer, charged: true, record: { ...record, ...answer.record } };
      }),
    sources: () => toPageError(async () => (await client.sources.list({}, call)).data.items),
    rulesets: () =>
      toPageError(async () => {
        // Presets are listed only by the beginning of their names.
        const [saved, presets] = await Promise.all([
          listLatestVersions(client.rulesets.each({ page_size: 200 }, call)),
          listLatestVersions(client.rulesets.each({ page_size: 200, name: PRESET_PREFIX }, call)),
        ]);
        return [...saved, ...presets];
      }),
    ruleset: (id) =>
      toPageError(async (): Promise<FoundRuleset> => {
        const [name = "", version] = id.split("@");
        const number = version === undefined ? undefined : Number(version);
        const { data } = await client.rulesets.get(name, number, call);
        return { name: data.ruleset, version: data.version, body: data.body };
      }),
    checkRuleset: (body) =>
      toPageError(async () =>
        (await client.lint(body, call)).map(({ severity, ...finding }) => ({
          ...finding,
          severity: severity === "error" ? "error" : "warning",
        })),
      ),
    saveRuleset: (name, body) =>
      toPageError(async () => {
        const { data } = await client.rulesets.create({ ...(body as RulesetBody), name }, call);
        return { name: data.ruleset, version: data.version };
      }),
    explain: (question) =>
      toPageError(
        async () => (await client.explain("evaluate", buildEvaluateBody(question), call)).data.plan,
      ),
    tile: (source, z, x, y, signal) =>
      toPageError(() =>
        client.sources.tile(source, z, x, y, { signal: AbortSignal.any([signal, closed.signal]) }),
      ),
    holder: () => toPageError(async () => ({ organization: (await client.me(call)).data.organization.name })),
    usage: () =>
      toPageError(async () => {
        const { limit, used, period_ends_at } = (await client.usage(call)).data;
        return { limit, used, periodEndsAt: period_ends_at };
      }),
    close: () => closed.abort(),
  };
  return answerer;
}

/** True if a stored answer is about the same input, by the same ruleset, on other editions. */
function isEarlier(
  { input, ruleset, editions = {} }: DecisionSummary["digests"],
  { input: request, ruleset: by, sources }: Verdict,
): boolean {
  if (input !== request.digest || ruleset !== by.digest) return false;
  return sources.some(
    ({ source_name, edition }) => edition !== undefined && editions[source_name] !== edition,
  );
}

/** The latest version of each name. */
async function listLatestVersions(versions: AsyncIterable<RulesetSummary>): Promise<NamedRuleset[]> {
  const latest = new Map<string, NamedRuleset>();
  let seen = 0;
  for await (const { ruleset: name, version } of versions) {
    const isPreset = name.startsWith(PRESET_PREFIX);
    if (version > (latest.get(name)?.version ?? 0)) latest.set(name, { name, version, isPreset });
    if (++seen >= VERSIONS_MAX) break;
  }
  return [...latest.values()];
}

function buildEvaluateBody({ input, ruleset, referenceId }: Question): EvaluateBody {
  return {
    input: input as EvaluationInput,
    ...("id" in ruleset ? { ruleset_id: ruleset.id } : { ruleset: ruleset.body }),
    ...(referenceId !== undefined && { reference_id: referenceId }),
  };
}

/** Runs a call, and converts a failure to the page's form. An abort by the caller is rethrown. */
async function toPageError<Value>(request: () => Promise<Value>): Promise<Value> {
  try {
    return await request();
  } catch (error) {
    if (error instanceof ApiError) throw convertApiError(error);
    if (!(error instanceof NetworkError)) throw error;
    const { message, status, retryAfterSeconds } = error;
    throw new AnswerProblem("NETWORK_FAILED", message, { status, retryAfterSeconds });
  }
}

function convertApiError({
  code,
  detail,
  status,
  retryAfterSeconds,
  errors,
  problem,
}: ApiError): AnswerProblem {
  const repaired = problem.details?.repaired;
  return new AnswerProblem(code, detail, {
    faults: errors.map(toProblemFault),
    status,
    retryAfterSeconds,
    ...(typeof repaired === "object" && repaired !== null && { repaired }),
  });
}
