import { type NumberKind, type Setting, type SettingEntry, VARIABLE_PREFIX } from "./setting.ts";

export type SettingName =
  | "data"
  | "ruleset"
  | "store"
  | "store_file"
  | "store_password_file"
  | "pepper_file"
  | "host"
  | "port"
  | "workers"
  | "rate_limit"
  | "burst"
  | "replay_ttl"
  | "requests_in_progress"
  | "requests_of_organization"
  | "work_of_organization_seconds"
  | "requests_waiting"
  | "request_wait_seconds"
  | "live_questions_waiting"
  | "large_bodies_mib"
  | "large_bodies_of_organization_mib"
  | "unread_answers_mib"
  | "raster_memory_mib"
  | "raster_tiles_mib"
  | "uncharged_answers"
  | "unknown_keys_per_second"
  | "jobs_held_mib"
  | "rulesets_held_mib"
  | "ruleset_names"
  | "ruleset_versions"
  | "jobs_at_once"
  | "job_plots_at_once"
  | "drain_delay_seconds"
  | "drain_timeout_seconds"
  | "cors_origins"
  | "log"
  | "console"
  | "console_tiles"
  | "console_tiles_attribution"
  | "console_style";

const TEXT = { type: "text" } as const;
const PATH = { type: "path" } as const;

/**
 * Every setting, in the order of the pages that list them: `--help`, `config print`, the published schema, the
 * operator's guide and the commands all use this table.
 */
export const SETTINGS: Readonly<Record<SettingName, Setting>> = buildSettingsTable({
  data: { placeholder: "DIR", kind: PATH, fallback: "./.groundrule", help: "data folder", serves: false },
  ruleset: {
    placeholder: "FILE",
    kind: { type: "ruleset" },
    help: "the ruleset: a JSON file, or preset.NAME[@VERSION]",
    serves: false,
  },
  store: {
    placeholder: "URL",
    kind: { type: "store" },
    standard: "sqlite:<data>/state.db",
    help: "sqlite:FILE or postgres://…; other users can see a command's arguments, so keep a password in a file",
    rival: "store_file",
    secret: true,
    serves: false,
  },
  store_file: {
    placeholder: "FILE",
    kind: PATH,
    help: "file that contains the store's URL and that only its owner can read",
    rival: "store",
    serves: false,
  },
  store_password_file: {
    placeholder: "FILE",
    kind: PATH,
    help: "file that contains the password of PostgreSQL and that only its owner can read",
    serves: false,
  },
  pepper_file: {
    option: "pepper",
    placeholder: "FILE",
    kind: PATH,
    standard:
      "the SQLite file's name with .pepper, else groundrule/pepper in the user's configuration folder",
    help: "file of the secret that protects stored API keys; created with the store",
    serves: false,
  },
  host: { placeholder: "ADDRESS", kind: TEXT, fallback: "127.0.0.1", help: "address to listen on" },
  port: {
    kind: createWholeNumberKind(0, 65_535),
    fallback: 8080,
    help: "port to listen on; 0 picks any free port",
  },
  workers: {
    kind: createWholeNumberKind(1, 256),
    standard: "one per core",
    help: "worker threads that answer requests",
  },
  rate_limit: {
    kind: createNumberKind(0.001, 1_000_000),
    fallback: 50,
    help: "requests per second that each key may make",
  },
  burst: {
    kind: createWholeNumberKind(1, 1_000_000),
    fallback: 100,
    help: "requests that each key may make in a burst",
  },
  replay_ttl: {
    placeholder: "SECONDS",
    kind: createWholeNumberKind(1, 366 * 86_400),
    fallback: 86_400,
    help: "how long the answer to a charged request can be replayed",
  },
  requests_in_progress: {
    kind: createWholeNumberKind(1, 65_536),
    fallback: 256,
    help: "requests that are processed at a time",
  },
  requests_of_organization: {
    kind: createWholeNumberKind(1, 65_536),
    standard: "three quarters of --requests-in-progress",
    help: "requests of one organization that are processed at a time",
  },
  work_of_organization_seconds: {
    kind: createNumberKind(0.01, 60),
    fallback: 2,
    help: "limit on the counted work of one organization's requests in progress, per worker except one",
  },
  requests_waiting: {
    kind: createWholeNumberKind(0, 65_536),
    fallback: 4_096,
    help: "requests that may wait for their turn; further ones are refused",
  },
  request_wait_seconds: {
    kind: createNumberKind(0.01, 60),
    fallback: 2,
    help: "how long a request waits for its turn before it is refused",
  },
  live_questions_waiting: {
    kind: createWholeNumberKind(1, 65_536),
    fallback: 32,
    help: "requests of one organization that may wait for one live source",
  },
  large_bodies_mib: {
    kind: createWholeNumberKind(10, 65_536),
    fallback: 64,
    help: "memory for request bodies over 256 KiB; the same amount is reserved for smaller ones",
  },
  large_bodies_of_organization_mib: {
    kind: createWholeNumberKind(5, 65_536),
    standard: "half of --large-bodies-mib",
    help: "memory for large bodies of one organization",
  },
  unread_answers_mib: {
    kind: createWholeNumberKind(64, 65_536),
    fallback: 256,
    help: "memory for responses that clients have not read yet",
  },
  raster_memory_mib: {
    kind: createWholeNumberKind(0, 1_048_576),
    fallback: 64,
    help: "largest raster that is read into memory; a larger one is read from its file, tile by tile",
  },
  raster_tiles_mib: {
    kind: createWholeNumberKind(1, 65_536),
    fallback: 64,
    help: "memory of each worker for tiles of rasters that are read from their files",
  },
  uncharged_answers: {
    kind: createWholeNumberKind(0, 1_000_000),
    fallback: 100,
    help: "answers per hour that are free of charge for an organization in each mode, because a source failed",
  },
  unknown_keys_per_second: {
    kind: createWholeNumberKind(1, 1_000_000),
    fallback: 100,
    help: "look-ups per second of API keys that turn out to be unknown",
  },
  jobs_held_mib: {
    kind: createWholeNumberKind(64, 1_048_576),
    fallback: 512,
    help: "storage for the jobs of one organization in each mode",
  },
  rulesets_held_mib: {
    kind: createWholeNumberKind(1, 1_048_576),
    fallback: 64,
    help: "storage for the published rulesets of one organization in each mode",
  },
  ruleset_names: {
    kind: createWholeNumberKind(1, 1_000_000),
    fallback: 1_000,
    help: "names under which one organization may publish rulesets in each mode",
  },
  ruleset_versions: {
    kind: createWholeNumberKind(1, 1_000_000),
    fallback: 1_000,
    help: "versions that one organization may publish of a ruleset",
  },
  jobs_at_once: {
    kind: createWholeNumberKind(0, 64),
    fallback: 2,
    help: "jobs that this process runs at a time; 0 leaves them to other processes",
  },
  job_plots_at_once: {
    kind: createWholeNumberKind(1, 256),
    fallback: 4,
    help: "plots of a job that are evaluated at a time",
  },
  drain_delay_seconds: {
    kind: createNumberKind(0, 3_600),
    fallback: 3,
    help: 'how long /readyz reports "stopping" after SIGTERM before connections are refused',
  },
  drain_timeout_seconds: {
    kind: createNumberKind(0, 3_600),
    fallback: 7,
    help: "how long running requests may take to end after that",
  },
  cors_origins: {
    placeholder: "ORIGINS",
    kind: TEXT,
    standard: "none",
    help: "origins of web pages that may call the service, such as https://app.example.com, separated by commas",
  },
  log: {
    placeholder: "WHAT",
    kind: { type: "choice", choices: ["requests", "notes"] },
    fallback: "requests",
    help: "requests: one line per request; notes: only lines that need an operator's attention",
  },
  console: {
    placeholder: "ON",
    kind: { type: "choice", choices: ["on", "off"] },
    fallback: "on",
    help: "whether the web page is served under /console",
  },
  console_tiles: {
    placeholder: "URL",
    kind: TEXT,
    standard: "none: the page sends requests only to this service",
    help: "URL of raster tiles for the base map of the page: https://… with {z}, {x} and {y}",
  },
  console_style: {
    placeholder: "URL",
    kind: TEXT,
    standard: "none: the page sends requests only to this service",
    help: "URL of a MapLibre style for the base map, instead of tiles; every URL in the style must have the same origin",
  },
  console_tiles_attribution: {
    placeholder: "TEXT",
    kind: TEXT,
    standard: "none",
    help: "attribution that the licence of the tiles or the style requires; shown on the map",
  },
});

/** The settings of how the service serves. */
export const SERVE_SETTINGS: readonly SettingName[] = (Object.keys(SETTINGS) as SettingName[]).filter(
  (name) => SETTINGS[name].serves !== false,
);

function buildSettingsTable(
  entries: Readonly<Record<SettingName, SettingEntry>>,
): Readonly<Record<SettingName, Setting>> {
  const settings = Object.entries(entries).map(([name, entry]): [string, Setting] => [
    name,
    {
      option: name.replaceAll("_", "-"),
      placeholder: "N",
      ...entry,
      name,
      variable: VARIABLE_PREFIX + name.toUpperCase(),
    },
  ]);
  return Object.fromEntries(settings) as Record<SettingName, Setting>;
}

function createNumberKind(least: number, most: number): NumberKind {
  return { type: "number", least, most, whole: false };
}

function createWholeNumberKind(least: number, most: number): NumberKind {
  return { ...createNumberKind(least, most), whole: true };
}
