import {
  ERRORS,
  type ErrorCode,
  EVIDENCE_DEFAULT,
  type ExplainResponse,
  type ListedSource,
  listedSource,
} from "@groundrule/contract";
import { crsTable } from "@groundrule/crs";
import { type Engine, openEngine } from "@groundrule/engine";
import { candidateAreas } from "@groundrule/engine/build";
import { parseRecord } from "@groundrule/engine/records";
import type { Plan } from "@groundrule/engine/rulesets";
import { gatherMaterial } from "@groundrule/report";
import { measureContext } from "@groundrule/report/context";
import {
  Answerer,
  type BodyResult,
  CHECK_RULESET_PATH,
  plainHost,
  TILES_PATH,
  type TileQuery,
  VALIDATE_PATH,
} from "@groundrule/service/plain";
import type {
  FoundRuleset,
  MaterialHere,
  NamedRuleset,
  Question,
  RulesetFinding,
} from "../answering/answerer.ts";
import type { OpenedFolder } from "./files/open-files.ts";
import { LocalCatalog, type PublishedRuleset } from "./local-catalog.ts";
import type { PlainAnswer, PlainProblem } from "./protocol.ts";

/** Thrown if there is no answer; sent to the page as a {@link PlainProblem}. */
export class LocalProblem extends Error {
  override readonly name = "LocalProblem";
  readonly problem: PlainProblem;

  constructor(code: string, detail: string, more: Partial<PlainProblem> = {}) {
    super(detail);
    const status = Object.hasOwn(ERRORS, code) ? ERRORS[code as ErrorCode].status : undefined;
    this.problem = { code, detail, status, errors: more.errors ?? [], details: more.details ?? {} };
  }
}

type BordersOfHost = Parameters<typeof plainHost>[0];

/** Resources of the page that answers need. */
export interface LocalHost extends BordersOfHost {
  readonly engineVersion: string;
  /** Returns the borders of countries, when a question needs them. */
  readonly borders: () => Uint8Array;
}

/** Answers like the service, with the same code, from sources opened in this page. Synchronous. */
export class LocalAnswers {
  readonly engine: Engine;
  readonly #answerer: Answerer;
  readonly #catalog: LocalCatalog;
  readonly #engineVersion: string;

  /** Fails: as `openEngine`. */
  constructor(
    folder: OpenedFolder,
    rulesets: { readonly presets: readonly PublishedRuleset[]; readonly saved: readonly PublishedRuleset[] },
    host: LocalHost,
  ) {
    const { sources, groups } = folder;
    const { borders, engineVersion } = host;
    this.engine = openEngine(sources, { groups, crs: crsTable, candidates: candidateAreas, borders });
    this.#answerer = new Answerer(this.engine, plainHost(host));
    this.#catalog = new LocalCatalog(rulesets.presets);
    for (const { name, body } of folder.rulesets) this.#catalog.publish(name, body);
    for (const ruleset of rulesets.saved) this.#catalog.add(ruleset);
    this.#engineVersion = engineVersion;
  }

  /** Fails: {@link LocalProblem}, with the service's code and message. */
  evaluate(question: Question, now: string, requestId: string): PlainAnswer {
    const { without } = question.ruleset;
    const result = this.#ask("/v1/evaluate", buildRequestBody(question), now, requestId, {}, without);
    if (result.kind !== "answered") throw unexpectedKindError(result);
    const response = JSON.parse(result.response) as {
      readonly data: PlainAnswer["verdict"];
      readonly meta: { readonly warnings: PlainAnswer["warnings"] };
    };
    return {
      verdict: response.data,
      warnings: response.meta.warnings,
      record: {
        request: {
          ...(JSON.parse(result.request) as object),
          ...(without !== undefined && { options: { without } }),
        },
        response,
      },
    };
  }

  /** The plan of an evaluation. */
  explain(question: Question, now: string): Plan {
    const { without } = question.ruleset;
    const result = this.#ask(
      "/v1/evaluate",
      buildRequestBody(question),
      now,
      "here",
      { explain: true },
      without,
    );
    if (result.kind !== "told") throw unexpectedKindError(result);
    return (JSON.parse(result.json) as ExplainResponse).data.plan;
  }

  /** The additional parts of a report on a record answered in this page. */
  material(stored: object): MaterialHere {
    const record = parseRecord(stored);
    const material = gatherMaterial(record, { engine: this.engine, crs: crsTable });
    return { ...material, land: measureContext(record, this.engine) };
  }

  sources(now: string): readonly ListedSource[] {
    return this.#answerer.sources().map((entry) => listedSource(entry, now));
  }

  rulesets(): readonly NamedRuleset[] {
    return this.#catalog.list();
  }

  /** Fails: {@link LocalProblem}, `RULESET_NOT_FOUND`. */
  ruleset(id: string): FoundRuleset {
    return this.#catalog.get(id) ?? throwRulesetNotFound(id, "");
  }

  /** A vector tile of a source; undefined if it has nothing there. Fails: {@link LocalProblem}. */
  tile(place: TileQuery, now: string): Uint8Array<ArrayBuffer> | undefined {
    const { source, z, x, y } = place;
    const result = this.#ask(TILES_PATH, {}, now, "here", { source, z, x, y });
    if (result.kind !== "tile") throw unexpectedKindError(result);
    // The worker transfers the bytes, so they must be a separate buffer.
    return result.bytes.length === 0 ? undefined : result.bytes.slice();
  }

  checkRuleset(ruleset: object, now: string): readonly RulesetFinding[] {
    const result = this.#ask(VALIDATE_PATH, { ruleset }, now, "here");
    if (result.kind !== "told") throw unexpectedKindError(result);
    const { data } = JSON.parse(result.json) as {
      readonly data: { readonly ruleset: { readonly lint: readonly RulesetFinding[] } };
    };
    return data.ruleset.lint;
  }

  /** Fails: {@link LocalProblem} for a name or a ruleset that the service would not store. */
  saveRuleset(name: string, body: object, now: string): PublishedRuleset {
    const result = this.#ask(CHECK_RULESET_PATH, { name, body }, now, "here");
    if (result.kind !== "ruleset") throw unexpectedKindError(result);
    return this.#catalog.publish(result.name, JSON.parse(result.body) as object);
  }

  #ask(
    route: string,
    body: object,
    now: string,
    requestId: string,
    query: object = {},
    without?: readonly string[],
  ): BodyResult {
    const task: Parameters<Answerer["answer"]>[0] = {
      step: "answer",
      route,
      body: new TextEncoder().encode(JSON.stringify(body)),
      query: { evidence_limit: EVIDENCE_DEFAULT, lint: false, explain: false, ...query },
      mediaType: "application/json",
      requestId,
      engineVersion: this.#engineVersion,
      now,
      organization: "here",
      mode: "live",
      ...(without !== undefined && { without }),
    };
    let currentTask = task;
    let result = this.#answerer.answer(currentTask);
    if (result.kind === "ruleset wanted") {
      const { name, version } = result.named;
      const id = version === undefined ? name : `${name}@${version}`;
      currentTask = {
        ...currentTask,
        saved: this.#catalog.find(result.named) ?? throwRulesetNotFound(id, "/ruleset_id"),
      };
      result = this.#answerer.answer(currentTask);
    }
    if (result.kind === "areas wanted") {
      const failed = "this page cannot ask a live source; only a service can";
      const provided = Object.fromEntries(result.needs.map(({ source_name }) => [source_name, { failed }]));
      result = this.#answerer.answer({ ...currentTask, provided });
    }
    if (result.kind === "refused") {
      const { code, message, errors = [], details = {} } = result.refusal;
      throw new LocalProblem(code, message, { errors, details });
    }
    return result;
  }
}

function buildRequestBody({ input, ruleset, referenceId }: Question): object {
  return {
    input,
    ...("id" in ruleset ? { ruleset_id: ruleset.id } : { ruleset: ruleset.body }),
    ...(referenceId !== undefined && { reference_id: referenceId }),
  };
}

/** Refuses it as the service does. */
function throwRulesetNotFound(id: string, pointer: string): never {
  throw new LocalProblem("RULESET_NOT_FOUND", `The catalog has no ruleset "${id}".`, {
    errors: [{ pointer, code: "RULESET_NOT_FOUND", message: `the catalog has no ruleset "${id}"` }],
  });
}

function unexpectedKindError({ kind }: BodyResult): Error {
  return new Error(`found a result of the kind "${kind}"`);
}
