/**
 * Which package and which folder may import which. The linter holds the code to this table (check.ts), and the tables
 * of ARCHITECTURE.md are written from it (page.ts).
 */

/** A folder of a package, with the folders inside of it that have no entry of their own; or one file. */
export interface Folder {
  /** Content of the folder, as ARCHITECTURE.md prints it. */
  readonly owns?: string;
  /** Folders of the same package that it may import, and with each what that may import. */
  readonly imports: readonly string[];
  /** Packages of ours that it may import, where these are others than its package's. */
  readonly packages?: readonly string[];
  /** Modules from elsewhere that it must not import, where these are others than its package's. */
  readonly refuses?: readonly string[];
}

export interface Package {
  readonly owns: string;
  /** Packages of ours that it may import: `crs`, or one entry point of it, `crs/systems`. Not those that they import. */
  readonly imports: readonly string[];
  /** Modules from elsewhere that it must not import: `hono`, `node:fs` with all below it, `node:*`. */
  readonly refuses?: readonly string[];
  /** By path below `src`, from the bottom up; `.` is every file of the package that no other entry covers. */
  readonly folders?: Readonly<Record<string, Folder>>;
}

/** An import that breaks the arrows and stands all the same. */
export interface Exception {
  readonly from: string;
  readonly to: string;
  readonly why: string;
}

const BROWSERS = ["node:*", "hono"];

const ENGINE: Package = {
  owns: "The core: opens snapshots, measures plots, evaluates rulesets",
  imports: [],
  refuses: BROWSERS,
  folders: {
    base: {
      owns: "Errors, the meter of work, strict JSON, JSON pointers, SHA-256, calendar days, country codes",
      imports: [],
    },
    shape: {
      owns: "The form of values, as data: the check of everything that callers pass in, and its JSON Schema",
      imports: ["base"],
    },
    "geometry/earth": {
      owns: "The ellipsoid: elementary functions, exact predicates, areas, geodesics, boxes",
      imports: ["shape"],
    },
    "geometry/noding": {
      owns: "Sets of edges: near pairs, the sweep, crossings, faces, the even-odd rule",
      imports: ["geometry/earth"],
    },
    "geometry/plot": {
      owns: "The input: reading GeoJSON, validity, mending, repair",
      imports: ["geometry/noding"],
    },
    "geometry/trees": {
      owns: "Layers of areas and how they are searched: the ring index, chain trees, boundaries",
      imports: ["geometry/plot"],
    },
    "geometry/raster": {
      owns: "The cells of a grid: their shares in a plot, alone and jointly, and their outlines",
      imports: ["geometry/plot"],
    },
    "geometry/layer.ts": {
      owns: "A layer, of rings or of cells",
      imports: ["geometry/trees", "geometry/raster"],
    },
    "geometry/overlap": {
      owns: "Areas, relations and regions of a plot and areas",
      imports: ["geometry/layer.ts"],
    },
    "geometry/distance": {
      owns: "Shortest geodesics between a plot and areas",
      imports: ["geometry/trees"],
    },
    "geometry/kernel": {
      owns: "The interface of a kernel, the default one, and a plot on layers of rings and of cells",
      imports: ["geometry/overlap", "geometry/distance"],
    },
    snapshot: {
      owns: "The layout of the file of an edition, and what reading and writing share",
      imports: ["geometry/layer.ts"],
    },
    "snapshot/raster": { owns: "What reading and writing of rasters share", imports: ["snapshot"] },
    "snapshot/read": {
      owns: "Opens a file, checks it, and compares the cells of two",
      imports: ["snapshot/raster"],
    },
    "snapshot/write": { owns: "Writes a file", imports: ["snapshot/raster"] },
    verdict: {
      owns: "The shape of a verdict, rounding, canonical JSON, digests",
      imports: ["snapshot", "geometry/overlap"],
    },
    sources: {
      owns: "The sources of one engine, their catalog, what they cover of a plot, their part in an answer",
      imports: ["verdict", "snapshot/read", "geometry/kernel"],
    },
    subjects: { owns: "Identifiers: schemes, look-up in registers", imports: ["sources"] },
    "ruleset/measures": { owns: "The one table of measures, with units", imports: ["sources"] },
    "ruleset/parse": {
      owns: "The shape of rulesets, facts and filters, also as text",
      imports: ["ruleset/measures", "subjects"],
    },
    "ruleset/compile": {
      owns: "A ruleset against the sources of an engine, without a plot",
      imports: ["ruleset/parse"],
    },
    "ruleset/unknown": {
      owns: "What sources do not know: outside of their coverage, or with columns left empty",
      imports: ["ruleset/compile"],
    },
    "ruleset/facts": {
      owns: "What an applicant declares",
      imports: ["ruleset/compile"],
    },
    "ruleset/select": {
      owns: "The land of an input, the areas and records of a set, the measures of a check",
      imports: ["ruleset/unknown", "ruleset/facts"],
    },
    "ruleset/evaluate": {
      owns: "Outcomes with their evidence, and what would change them",
      imports: ["ruleset/select"],
    },
    "ruleset/plan": { owns: "What an evaluation needs and would do", imports: ["ruleset/select"] },
    "ruleset/certain": {
      owns: "Mistakes in a ruleset that its editions leave no doubt about",
      imports: ["ruleset/facts"],
    },
    "ruleset/lint": { owns: "Likely mistakes in a ruleset", imports: ["ruleset/certain"] },
    records: { owns: "Verdicts stored with their requests, and their replay", imports: ["ruleset/compile"] },
    questions: {
      owns: "What an engine is asked, and with which options; the reading of it",
      imports: ["records", "ruleset/evaluate"],
    },
    areas: {
      owns: "Features become areas of a snapshot or candidates of a live source; countries become coverage",
      imports: ["questions", "snapshot/write"],
    },
    ".": {
      owns: "The entry points; `engine.ts`, which has the whole path, with `area-question.ts` and `compiled-policy.ts`",
      imports: ["areas", "ruleset/plan", "ruleset/lint"],
    },
  },
};

const API: Package = {
  owns: "The HTTP service",
  imports: ["engine", "crs", "node", "contract", "report", "tiles", "service"],
  refuses: ["hono"],
  folders: {
    ledger: {
      owns: "The rules of charging, pure: scopes, billing periods, the states of a key, who is charged, the guarded clock",
      imports: [],
      refuses: ["hono", "pg", "node:fs", "node:sqlite", "node:worker_threads"],
    },
    keys: { owns: "API keys: their form, their digest, what they may do", imports: ["ledger"] },
    "store/port": { owns: "The state of the service, behind one port", imports: ["ledger"] },
    "store/sql": { owns: "SQL as both databases take it", imports: ["store/port"] },
    "store/migrations": { owns: "The tables, and how they came to be", imports: ["store/sql"] },
    "store/operations": {
      owns: "The operations of the port, for both databases",
      imports: ["store/migrations"],
    },
    "store/driver": { owns: "How operations run on a connection", imports: ["store/operations"] },
    "store/sqlite": { owns: "The state in SQLite", imports: ["store/driver"] },
    "store/postgres": { owns: "The state in PostgreSQL", imports: ["store/sqlite"] },
    store: { owns: "The choice of a database", imports: ["store/postgres"] },
    charging: {
      owns: "The path of a request through replay, subscription, quota and charge; examination of the ledgers",
      imports: ["store"],
    },
    catalog: { owns: "Rulesets by name and version", imports: ["store"] },
    jobs: { owns: "Verdicts on many plots", imports: ["charging"] },
    admin: {
      owns: "What operators do: organizations, keys, quotas, backups",
      imports: ["keys", "charging"],
    },
    "http/exchange": {
      owns: "How a request is read and its answer written",
      imports: ["keys"],
      refuses: [],
    },
    "http/gates": {
      owns: "Key, burst, load: the gates before any work on a request",
      imports: ["http/exchange", "store"],
      refuses: [],
    },
    "http/monitoring": {
      owns: "Metrics and the request log",
      imports: ["http/exchange", "jobs"],
      refuses: [],
    },
    "http/operations": {
      owns: "The record and the handler of each operation, and the table of all (`operations.ts`)",
      imports: ["http/gates", "jobs", "catalog"],
      refuses: [],
    },
    "http/openapi": { owns: "The description of the service", imports: ["http/operations"], refuses: [] },
    "http/docs": { owns: "The pages of its documentation", imports: ["http/openapi"], refuses: [] },
    "http/server": { owns: "The hardened server", imports: ["http/exchange"], refuses: [] },
    http: {
      owns: "`app.ts` and `serve.ts` put everything of HTTP together",
      imports: ["http/docs", "http/monitoring", "http/server"],
      refuses: [],
    },
    ".": { owns: "The entry points", imports: ["http", "admin"] },
  },
};

const CONSOLE: Package = {
  owns: "The web page",
  imports: [],
  refuses: BROWSERS,
  folders: {
    languages: {
      owns: "The language that the reader chose",
      imports: [],
      packages: ["words"],
    },
    answering: {
      owns: "The interface to a service",
      imports: [],
      packages: ["engine", "contract", "client", "report"],
    },
    state: {
      owns: "Plots, their findings, selection, ruleset, sources and who answers, as signals; knows no view",
      imports: ["languages", "answering"],
      packages: ["engine", "contract", "plots"],
    },
    keep: { owns: "The service worker that keeps the files", imports: [] },
    here: {
      owns: "Answers without a service, in a worker over snapshot files",
      imports: ["languages", "answering", "keep"],
      packages: [
        "engine",
        "contract",
        "crs",
        "report",
        "borders/decode",
        "node/internal/pure",
        "service/plain",
        "data/rulesets/versions",
        "words",
      ],
    },
    parts: {
      owns: "Small views and helpers that others share",
      imports: ["state"],
      packages: ["engine"],
    },
    connection: { owns: "Address and key, or files", imports: ["parts", "here"], packages: ["words"] },
    map: {
      owns: "The map and drawing; the list of sources",
      imports: ["connection"],
      packages: [
        "engine",
        "contract",
        "plots",
        "words",
        "borders/outlines",
        "borders/locator",
        "borders/iso-3166",
      ],
    },
    plots: {
      owns: "The list of plots and its check, their facts, the reading of files",
      imports: ["map"],
      packages: [
        "engine",
        "crs",
        "borders/country-names",
        "borders/iso-3166",
        "formats",
        "plot-files",
        "plots",
        "report",
        "words",
      ],
    },
    verdict: {
      owns: "The selected plot's verdict, its downloads, all verdicts in short, and two rulesets compared",
      imports: ["plots"],
      packages: ["engine", "contract", "report", "words"],
    },
    ruleset: {
      owns: "Choosing and editing rulesets, and their tests",
      imports: ["verdict"],
      packages: ["engine", "contract", "crs", "policy-tests", "words"],
    },
    app: { owns: "The page put together", imports: ["ruleset"], packages: ["words"] },
  },
};

const CLI: Package = {
  owns: "The `groundrule` command",
  imports: [
    "engine",
    "crs",
    "borders",
    "node",
    "formats",
    "ingest",
    "postgis",
    "sync",
    "contract",
    "plots",
    "plot-files",
    "policy-tests",
    "words",
    "report",
    "service",
    "api",
    "data",
  ],
  refuses: ["hono"],
  folders: {
    "{compile-cache,node-version,served-folders,version}.ts": {
      owns: "The version, and the Node that runs it",
      imports: [],
    },
    "settings/{setting,settings}.ts": { owns: "The one table of settings", imports: [] },
    "command-line/exit-code.ts": { owns: "What a process ends with", imports: [] },
    terminal: {
      owns: "Output: lines, tables, colours, turns",
      imports: ["command-line/exit-code.ts"],
    },
    "command-line": {
      owns: "Options and arguments of a command, and its help",
      imports: ["terminal", "settings/{setting,settings}.ts"],
    },
    words: { owns: "Answers, findings and figures in words", imports: ["command-line"] },
    files: { owns: "Files and standard input, read as what they hold", imports: ["command-line"] },
    settings: { owns: "Settings from options, environment and a file", imports: ["files"] },
    data: {
      owns: "The data folder that a command works on, and the state of a service",
      imports: ["words", "settings", "{compile-cache,node-version,served-folders,version}.ts"],
    },
    "runs/run-error.ts": { owns: "A run that cannot go on", imports: [] },
    plots: { owns: "Plots of an input, with their columns", imports: ["data", "runs/run-error.ts"] },
    "{runs,screening,tables}": {
      owns: "Verdicts on many plots: `screening` evaluates, `runs` keeps, resumes and merges, `tables` writes. The three import each other",
      imports: ["plots"],
    },
    report: { owns: "Pages of records and of result files", imports: ["{runs,screening,tables}"] },
    "policy-tests": { owns: "Tests of rulesets, and JUnit", imports: ["plots"] },
    bundle: { owns: "The archive that runs without installation", imports: ["data"] },
    commands: {
      owns: "Every command, by the noun that it works on",
      imports: ["report", "policy-tests", "bundle"],
    },
    ".": { owns: "The list of commands, the choice of one, failures in words", imports: ["commands"] },
  },
};

export const PACKAGES: Readonly<Record<string, Package>> = {
  "packages/engine": ENGINE,
  "packages/crs": {
    owns: "Coordinate reference systems: definitions, areas of use, transforms to WGS 84 by proj4",
    imports: ["engine"],
    refuses: BROWSERS,
  },
  "packages/borders": {
    owns: "The territory of every country by ISO code, from Natural Earth; outlines for small maps",
    imports: ["engine"],
    refuses: ["hono"],
  },
  "packages/reference": {
    owns: "The reference kernel: turf in place of the exact geometry, as an oracle and a second opinion",
    imports: ["engine"],
    refuses: BROWSERS,
  },
  "packages/formats": {
    owns: "Foreign formats: their detection, a reader of each, scratch files; `/geotiff` reads rasters, in Node",
    imports: ["engine", "crs/systems"],
    refuses: [...BROWSERS, "iconv-lite"],
    folders: {
      ".": { imports: [] },
      file: { imports: ["."] },
      "format-reader.ts": { imports: ["file"] },
      host: { imports: ["file"] },
      "host/node": { imports: ["host"], refuses: ["hono", "node:http", "node:worker_threads"] },
      "host/browser": { imports: ["host"] },
      crs: { imports: ["host/node"] },
      wkb: { imports: ["file"] },
      zip: { imports: ["host/node"] },
      table: { imports: ["wkb", "format-reader.ts"] },
      csv: { imports: ["table", "host/node"] },
      shapefile: { imports: ["zip", "crs", "format-reader.ts"] },
      json: { imports: ["table", "shapefile"] },
      kml: { imports: ["shapefile"] },
      readers: { imports: ["kml", "table", "wkb"] },
      open: { imports: ["csv", "json", "readers"] },
      geotiff: { imports: ["kml"] },
      "{index,geotiff}.ts": { imports: ["open", "geotiff"] },
    },
  },
  "packages/ingest": {
    owns: "Sources: manifests, the build of a snapshot from features, rows or cells, the build report",
    imports: ["engine", "words", "borders", "formats"],
    refuses: ["hono", "node:fs", "node:worker_threads"],
    folders: {
      "{ingest-error,report,report-repair,report-words}.ts": { imports: [] },
      manifest: { imports: ["{ingest-error,report,report-repair,report-words}.ts"] },
      "coverage.ts": { imports: ["manifest"] },
      raster: { imports: ["coverage.ts"] },
      ".": { imports: ["raster"] },
    },
  },
  "packages/sync": {
    owns: "Manifests that fetch: downloads, checksums, what is unchanged, and the way to a new edition",
    imports: ["engine", "crs", "formats", "ingest", "node"],
    refuses: ["hono", "node:worker_threads"],
    folders: {
      "{sync-error,refused}.ts": { imports: [] },
      download: { imports: ["{sync-error,refused}.ts"] },
      ".": { imports: ["download"] },
    },
  },
  "packages/node": {
    owns: "The engine in Node: data folder, catalog of current editions, shared memory, worker pool",
    imports: ["engine", "words", "borders", "crs", "reference"],
    refuses: ["hono"],
    folders: {
      "{data-error,recently-used}.ts": { imports: [] },
      catalog: { imports: ["{data-error,recently-used}.ts"] },
      files: { imports: ["catalog"] },
      threads: { imports: ["files"] },
      live: { imports: ["threads"] },
      "open-data.ts": { imports: ["live"] },
      "editions/contents": { imports: ["threads"] },
      editions: { imports: ["open-data.ts", "editions/contents"] },
      ".": { imports: ["editions"] },
    },
  },
  "packages/contract": {
    owns: "What travels on the wire: requests, responses, problems and their codes",
    imports: ["engine", "words/tags"],
    refuses: BROWSERS,
    folders: {
      "{answer-members,country,described-shape,limits,members}.ts": { imports: [] },
      reading: { imports: ["{answer-members,country,described-shape,limits,members}.ts"] },
      "rulesets.ts": { imports: ["reading"] },
      questions: { imports: ["rulesets.ts"] },
      jobs: { imports: ["questions"] },
      ".": { imports: ["jobs"] },
    },
  },
  "packages/client": {
    owns: "The typed client of the service: keys, retries, pages, jobs; the build puts the types that it imports into the package",
    imports: ["engine", "contract"],
    refuses: BROWSERS,
  },
  "packages/plots": {
    owns: "Plots as people have them: what their columns are, every problem found, overlaps, profiles of systems that take them",
    imports: ["engine", "words"],
    refuses: BROWSERS,
    folders: {
      profiles: { imports: [] },
      ".": { imports: ["profiles"] },
      columns: { imports: ["."] },
      cut: { imports: ["."] },
      lines: { imports: ["."] },
      rings: { imports: ["lines"] },
      export: { imports: ["columns"] },
      compare: { imports: ["columns"] },
      check: { imports: ["columns", "cut", "rings"] },
      fix: { imports: ["check"] },
      quality: { imports: ["check"] },
      "index.ts": { imports: ["compare", "export", "fix", "quality"] },
    },
  },
  "packages/plot-files": {
    owns: "Plots out of files of every format, one after another, in Node and in browsers",
    imports: ["engine", "formats", "plots"],
    refuses: BROWSERS,
  },
  "packages/postgis": {
    owns: "Live sources: candidate areas from a table of PostGIS, within a deadline",
    imports: ["engine", "crs", "formats", "node"],
    refuses: ["hono"],
  },
  "packages/words": {
    owns: "Words, figures, dates and colours in which verdicts are shown to people: a folder a language",
    imports: ["engine"],
    refuses: BROWSERS,
  },
  "packages/report": {
    owns: "A verdict as one page; many as one page, CSV and a workbook",
    imports: ["engine", "words", "borders/outlines", "borders/locator"],
    refuses: BROWSERS,
    folders: {
      ".": { imports: [] },
      "{land-context,words}.ts": { imports: ["."] },
      page: { imports: ["{land-context,words}.ts"] },
      maps: { imports: ["page"] },
      sections: { imports: ["maps"] },
      portfolio: { imports: ["sections"] },
      "{gather-material,index,render-refusal,render-report,render-stamp}.ts": {
        imports: ["portfolio"],
      },
    },
  },
  "packages/policy-tests": {
    owns: "Tests of rulesets in YAML: read, run case by case, and what no test has exercised",
    imports: ["engine"],
    refuses: BROWSERS,
  },
  "packages/tiles": {
    owns: "Vector tiles of a source, cut from its snapshot: for maps, not for measuring",
    imports: ["engine"],
    refuses: BROWSERS,
  },
  "packages/service": {
    owns: "Answers a request's body with an engine, in this thread, in workers or in a page (`/plain`)",
    imports: ["engine", "borders", "contract", "crs", "node", "plots", "tiles"],
    refuses: ["hono", "node:http", "node:sqlite", "pg"],
    folders: {
      task: { imports: [] },
      engines: { imports: [] },
      body: { imports: ["task"] },
      questions: { imports: ["body", "engines"] },
      jobs: { imports: ["body", "engines"] },
      tiles: { imports: ["task", "engines"] },
      ".": { imports: ["questions", "jobs", "tiles"] },
    },
  },
  "packages/testing": {
    owns: "What tests, benchmarks and oracles share; no shipped package imports it",
    imports: ["engine", "crs", "data"],
  },
  data: {
    owns: "The demo's generator, manifests of real sources (`sources`), preset rulesets (`rulesets`)",
    imports: ["engine", "borders", "ingest", "node"],
    refuses: ["hono"],
  },
  "apps/api": API,
  "apps/cli": CLI,
  "apps/console": CONSOLE,
};

const BY_NEED =
  "Node has it at once, and a browser loads it by need: the two ways stand side by side in host";

export const EXCEPTIONS: readonly Exception[] = ["node", "browser"].flatMap((host) => [
  {
    from: `packages/formats/src/host/${host}/crs-names.ts`,
    to: "packages/formats/src/crs/crs-of.ts",
    why: BY_NEED,
  },
  {
    from: `packages/formats/src/host/${host}/object-reader.ts`,
    to: "packages/formats/src/json/read-found-object.ts",
    why: BY_NEED,
  },
]);
