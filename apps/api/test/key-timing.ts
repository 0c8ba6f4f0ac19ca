import { mulberry32 } from "@groundrule/testing/random";
import { createKey } from "../src/admin/api-keys.ts";
import { createOrganization } from "../src/admin/organizations.ts";
import type { KeyRing } from "../src/http/gates/authenticate.ts";
import { StoreKeyRing } from "../src/http/gates/store-key-ring.ts";
import { isApiKey, mintApiKey } from "../src/keys/api-key.ts";
import { openSqlite } from "../src/store/sqlite/open-sqlite.ts";
import { computeQuantile, requireNothingOver, roundToTenth } from "./attacks/figures.ts";
import { PEPPER } from "./service.ts";

const STORED_KEYS = 300;
const KEYS_PER_ORGANIZATION = 10;
const SECRET_LENGTH = 32;
const SHARED_CHARACTERS = 24;
const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/** Slower ones were held up by something else: a collection of garbage, another process. */
const KEPT_SHARE = 0.9;
/** Share of the counted presentations that are made first and not counted: code that is still being compiled is slow. */
const WARM_UP = 0.1;

/** How long refusals took, by what was wrong, nanoseconds. */
type Times = Readonly<Record<"prefix" | "checksum" | "unlike" | "alike", number[]>>;

/**
 * T-41. Keys that are none, presented in random order: of a wrong prefix, with a wrong checksum, and
 * well-formed but unknown, half of the latter sharing three quarters of their secret with a stored key,
 * half with a key that is not stored. Which of the two must not show in the time: Welch's t between them.
 */
export async function timeKeyChecks(presentations: number, seed: number, greatestT = 4.5): Promise<object> {
  const { ring, stored } = await createStoredKeys();
  const times = await measureKeyLookups(ring, stored, presentations, seed);
  const t = computeWelchT(trimSlowestTenth(times.unlike, times.alike));
  // A check that is known to tell, presented with the same: else the measurement would be blind.
  const telling = await measureKeyLookups(
    makePrefixRing(ring, stored),
    stored,
    Math.min(presentations, 5_000),
    seed,
  );
  const tellingT = computeWelchT(trimSlowestTenth(telling.unlike, telling.alike));
  const median = (of: readonly number[]) => `${roundToTenth(computeQuantile(of, 0.5) / 1_000)} µs`;
  const figures = {
    presentations,
    "wrong prefix": median(times.prefix),
    "wrong checksum": median(times.checksum),
    "wrong secret, unlike any stored": median(times.unlike),
    "wrong secret, like a stored one": median(times.alike),
    t: roundToTenth(t),
    "t where keys are found by their beginning": roundToTenth(tellingT),
  };
  const over = [
    ...(Math.abs(t) < greatestT ? [] : [`t is ${t}`]),
    ...(Math.abs(tellingT) > 4.5 ? [] : [`a check that tells is not told: t is ${tellingT}`]),
  ];
  return requireNothingOver(figures, over);
}

async function createStoredKeys(): Promise<{ readonly ring: KeyRing; readonly stored: readonly string[] }> {
  const store = await openSqlite(":memory:");
  const ports = { store, pepper: PEPPER };
  const stored: string[] = [];
  for (let i = 0; i < STORED_KEYS / KEYS_PER_ORGANIZATION; i++) {
    await createOrganization(ports, { name: `org${i}`, liveQuota: 1 });
    for (let j = 0; j < KEYS_PER_ORGANIZATION; j++) {
      stored.push((await createKey(ports, { organization: `org${i}`, mode: "live", name: "key" })).key);
    }
  }
  // Every key is looked up: what is not would tell nothing.
  return { ring: new StoreKeyRing(store, [PEPPER], undefined, 1e12), stored };
}

async function measureKeyLookups(
  ring: KeyRing,
  stored: readonly string[],
  presentations: number,
  seed: number,
): Promise<Times> {
  const presented = makeWrongKeys(stored, Math.ceil(presentations * (1 + WARM_UP)), mulberry32(seed));
  const times: Times = { prefix: [], checksum: [], unlike: [], alike: [] };
  for (const [i, { wrong, key }] of presented.entries()) {
    const began = process.hrtime.bigint();
    const found = isApiKey(key) ? await ring.find(key) : { refused: "API_KEY_INVALID" };
    const took = Number(process.hrtime.bigint() - began);
    if (!("refused" in found)) throw new Error(`SEED=${seed}: a key was found that nobody has`);
    if (i >= presentations * WARM_UP) times[wrong].push(took);
  }
  return times;
}

/** All before any is presented: what making one leaves in caches would otherwise show in its time. */
function makeWrongKeys(
  stored: readonly string[],
  count: number,
  random: () => number,
): { readonly wrong: keyof Times; readonly key: string }[] {
  const below = (limit: number) => Math.floor(random() * limit);
  const letters = (length: number) => Array.from({ length }, () => ALPHABET[below(ALPHABET.length)]).join("");
  const likeOneOf = (keys: readonly string[]) => {
    const secret = keys[below(keys.length)]!.slice("gr_live_".length);
    return makeApiKey(secret.slice(0, SHARED_CHARACTERS) + letters(SECRET_LENGTH - SHARED_CHARACTERS));
  };
  // Beginnings that come again are read faster, stored or not: a processor learns to foretell them. So
  // those that are not stored come again as often.
  const decoys = stored.map(() => makeApiKey(letters(SECRET_LENGTH)));
  const makers: Readonly<Record<keyof Times, () => string>> = {
    prefix: () => makeApiKey(letters(SECRET_LENGTH)).replace("gr_live", "gr_life"),
    checksum: () => {
      const key = makeApiKey(letters(SECRET_LENGTH));
      return key.slice(0, -1) + (key.endsWith("0") ? "1" : "0");
    },
    unlike: () => likeOneOf(decoys),
    alike: () => likeOneOf(stored),
  };
  const kinds = Object.keys(makers) as (keyof Times)[];
  return Array.from({ length: count }, () => {
    const wrong = kinds[below(kinds.length)]!;
    // As text comes from the network: one flat string.
    return { wrong, key: Buffer.from(makers[wrong]()).toString("latin1") };
  });
}

/** A well-formed key of that secret. */
function makeApiKey(secret: string): string {
  return mintApiKey("live", () => Uint8Array.from(secret, (letter) => ALPHABET.indexOf(letter)));
}

/** Finds keys by their first characters and only then compares a digest: what ours must not do. */
function makePrefixRing(ring: KeyRing, stored: readonly string[]): KeyRing {
  const beginnings = new Set(stored.map((key) => key.slice(0, 16)));
  return {
    find: async (key) => (beginnings.has(key.slice(0, 16)) ? ring.find(key) : { refused: "API_KEY_INVALID" }),
  };
}

/** Both without what is slower than nine in ten of all. */
function trimSlowestTenth(a: readonly number[], b: readonly number[]): [number[], number[]] {
  const limit = computeQuantile([...a, ...b], KEPT_SHARE);
  return [a.filter((value) => value <= limit), b.filter((value) => value <= limit)];
}

/** Source: B. L. Welch, The generalization of Student's problem, Biometrika 34 (1947). */
function computeWelchT([a, b]: readonly [readonly number[], readonly number[]]): number {
  const moments = (of: readonly number[]) => {
    const mean = of.reduce((sum, value) => sum + value, 0) / of.length;
    const squares = of.reduce((sum, value) => sum + (value - mean) ** 2, 0);
    return { mean, squaredError: squares / (of.length - 1) / of.length };
  };
  const [x, y] = [moments(a), moments(b)];
  return (x.mean - y.mean) / Math.sqrt(x.squaredError + y.squaredError);
}
