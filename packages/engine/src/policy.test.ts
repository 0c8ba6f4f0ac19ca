import { catchRefusal } from "@groundrule/testing/refusal";
import { createBoxPositions } from "@groundrule/testing/shapes";
import type { Feature, Polygon } from "geojson";
import { describe, expect, it } from "vitest";
import { makeBoxSnapshot } from "../test/box-snapshot.ts";
import { openEngine } from "./engine.ts";
import { explainQuestion } from "./explain-question.ts";
import { lintRuleset } from "./lint-ruleset.ts";
import type { EvaluationInput } from "./ruleset/compile/evaluation-input.ts";
import type { Policy } from "./ruleset/compile/policy.ts";
import type { Ruleset } from "./ruleset/parse/schema.ts";

const NOW = { now: "2026-01-11T12:00:00Z" };
const plot = {
  type: "Polygon",
  coordinates: [createBoxPositions(0, 0, 1, 1)],
};
const RULESET = {
  sets: { parks: { sources: ["demo:parks"] }, lands: { sources: ["demo:lands"] } },
  checks: [
    { id: "park", set: "parks", outcome: "NON_COMPLIANT" },
    { id: "land", set: "lands", measure: "overlap_ratio", value: 0.1, outcome: "WARNING" },
  ],
} satisfies Ruleset;

const near = () =>
  openEngine([makeBoxSnapshot("demo:parks", [0.5, 0, 2, 1]), makeBoxSnapshot("demo:lands", [0, 0, 1, 1])]);
const far = () =>
  openEngine([makeBoxSnapshot("demo:parks", [50, 0, 52, 1]), makeBoxSnapshot("demo:lands", [50, 0, 51, 1])]);

describe("a policy", () => {
  it("warns in every evaluation of a filter that no area meets for its case, and keeps its digest", () => {
    const lands = { sources: ["demo:lands"], where: "source_name LIKE 'DEMO:%'" };
    const policy = near().compile({ ...RULESET, sets: { ...RULESET.sets, lands } });
    const found = () => {
      const { verdict, digest, warnings } = policy.evaluate({ geometry: plot }, NOW);
      return { verdict, digest, codes: warnings.map(({ code }) => code) };
    };
    const first = found();
    expect(first.codes).toEqual(expect.arrayContaining(["FILTER_NEVER", "CHECK_NEVER"]));
    expect(found()).toEqual(first);
    const { warnings, ...verdict } = policy.evaluate({ geometry: plot }, NOW);
    expect(JSON.stringify(verdict)).not.toContain("FILTER_NEVER");
    expect(warnings.at(-1)?.pointer).toBe("/ruleset/checks/1");
    // The findings that the editions settle are looked for once.
    expect(policy.evaluate({ geometry: plot }, NOW).warnings.at(-1)).toBe(warnings.at(-1));
  });

  it("is evaluated on the engine that compiled it, whatever is copied, taken out or handed on", () => {
    const policy = near().compile(RULESET);
    const { verdict } = policy.evaluate({ geometry: plot }, NOW);
    const other = far().compile(RULESET);
    expect([verdict, other.evaluate({ geometry: plot }, NOW).verdict]).toEqual([
      "NON_COMPLIANT",
      "COMPLIANT",
    ]);
    const { evaluate } = policy;
    const copies: Pick<Policy, "evaluate">[] = [
      { evaluate },
      { ...policy },
      Object.create(policy),
      { ...other, ...policy },
    ];
    for (const copy of copies) expect(copy.evaluate({ geometry: plot }, NOW).verdict).toBe(verdict);
    expect(evaluate.call(other, { geometry: plot }, NOW).verdict).toBe(verdict);
    expect(() => structuredClone(policy)).toThrow();
    expect(Object.hasOwn(far(), "evaluate")).toBe(false);
  });

  it("accepts a value of the type unknown, and lets the compiler refuse a typo in a literal", () => {
    const policy = near().compile(RULESET);
    const parsed: unknown = JSON.parse(JSON.stringify({ geometry: plot }));
    expect(policy.evaluate(parsed, NOW).verdict).toBe("NON_COMPLIANT");
    expect(policy.liveNeeds(parsed)).toEqual([]);
    // @ts-expect-error: no member of an input has this name
    expect(() => policy.evaluate({ geometry: plot, areaha: 1 }, NOW)).toThrow('did you mean "area_ha"?');
    const check = { id: "park", set: "parks", outcome: "NOPE" } as const;
    // @ts-expect-error: no outcome has this name
    const wrong = { sets: RULESET.sets, checks: [check] } satisfies Ruleset;
    expect(catchRefusal(() => near().compile(wrong)).code).toBe("RULESET_INVALID");
  });

  it("of a part of an engine queries that part alone", () => {
    const engine = near();
    expect(catchRefusal(() => engine.within(["demo:parks"]).compile(RULESET)).code).toBe("SOURCE_UNKNOWN");
    const [parks] = [engine.within(["demo:parks"])].map((part) =>
      part.compile({ sets: { parks: RULESET.sets.parks }, checks: RULESET.checks.slice(0, 1) }),
    );
    expect(Object.keys(parks!.editions)).toEqual(["demo:parks"]);
  });

  it("states which ruleset it is, where from, and on which editions", () => {
    const engine = near();
    const policy = engine.compile(JSON.stringify(RULESET), { name: "rules", version: 3 });
    expect(policy).toMatchObject({ ruleset: RULESET, origin: { name: "rules", version: 3 } });
    const evaluation = policy.evaluate({ geometry: plot }, NOW);
    expect(evaluation.ruleset).toEqual({ name: "rules", version: 3, digest: policy.digest });
    expect(policy.editions).toEqual(
      Object.fromEntries(evaluation.sources.map(({ source_name, edition }) => [source_name, edition])),
    );
  });

  it("keeps its ruleset when the one it was compiled from is changed, which stays free to change", () => {
    const ruleset = structuredClone(RULESET);
    const policy = near().compile(ruleset);
    ruleset.checks.length = 0;
    ruleset.sets.parks.sources[0] = "demo:lands";
    expect(policy.ruleset).toEqual(RULESET);
    expect(policy.evaluate({ geometry: plot }, NOW).checks).toHaveLength(2);
  });

  it("has the members of HTTP's data, flat, with warnings next to them and overlaps on request", () => {
    const policy = near().compile(RULESET);
    const evaluation = policy.evaluate({ geometry: plot }, NOW);
    expect(Object.keys(evaluation).sort()).toEqual(
      [
        ...["at_least", "checks", "digest", "evaluated_at", "input", "ruleset", "semantics", "sources"],
        ...["status", "verdict", "warnings"],
      ].sort(),
    );
    const { overlaps } = policy.evaluate({ geometry: plot }, { ...NOW, geometry: "overlap" });
    expect(overlaps?.map(({ source_name }) => source_name).sort()).toEqual(["demo:lands", "demo:parks"]);
  });

  it("takes what reactive frameworks hand over: proxies and getters, and leaves them as they are", () => {
    const policy = near().compile(new Proxy(RULESET, {}));
    const expected = policy.evaluate({ geometry: plot }, NOW);
    const reactive = (value: object): object =>
      new Proxy(value, {
        get: (target, name) => {
          const member: unknown = Reflect.get(target, name);
          return typeof member === "object" && member !== null ? reactive(member) : member;
        },
      });
    expect(policy.evaluate(reactive({ geometry: plot }), NOW)).toEqual(expected);
    const input = {
      get geometry() {
        return plot;
      },
    };
    expect(policy.evaluate(input, NOW)).toEqual(expected);
    expect(Object.isFrozen(plot.coordinates[0])).toBe(false);
  });

  it("is typed for literals that are constant and for values of @types/geojson", () => {
    const constant = {
      type: "Polygon",
      coordinates: [
        [
          [0, 0],
          [1, 0],
          [1, 1],
          [0, 0],
        ],
      ],
    } as const;
    const typed: Feature<Polygon> = {
      type: "Feature",
      properties: null,
      geometry: {
        type: "Polygon",
        coordinates: [
          [
            [0, 0],
            [1, 0],
            [1, 1],
            [0, 0],
          ],
        ],
      },
    };
    const rules = {
      sets: { parks: { sources: ["demo:parks"] } },
      checks: [{ id: "park", set: "parks", outcome: "NON_COMPLIANT" }],
    } as const satisfies Ruleset;
    const engine = near();
    const policy = engine.compile(rules);
    for (const geometry of [constant, typed]) {
      expect(policy.evaluate({ geometry }, NOW).verdict).toBe("NON_COMPLIANT");
      expect(engine.intersections(geometry).matches).toHaveLength(2);
    }
    // @ts-expect-error a text is no geometry
    expect(catchRefusal(() => engine.intersections("POINT (0 0)")).code).toBe("VALIDATION_FAILED");
    // @ts-expect-error nor is a number a ruleset
    expect(catchRefusal(() => engine.compile(7)).code).toBe("RULESET_INVALID");
  });

  it.each([
    [{ geometri: plot }, "/geometri", 'unknown member "geometri"; did you mean "geometry"?'],
    [plot, "/type", 'unknown member "type"; expected one of "geometry", "crs", "area_ha"'],
    [undefined, "", "found nothing, expected an object with geometry, crs or scheme"],
    [JSON.stringify({ geometry: plot }), "", "expected an object with geometry, crs or scheme"],
  ])("refuses an input that it does not know: %j", (input, pointer, message) => {
    const error = catchRefusal(() =>
      near()
        .compile(RULESET)
        .evaluate(input as EvaluationInput, NOW),
    );
    expect(error.code).toBe("VALIDATION_FAILED");
    expect(error.message).toContain(message);
    expect(error.details.faults?.[0]?.pointer).toBe(pointer);
  });
});

describe("what an engine answers", () => {
  it("is frozen all through but for coordinates, so that no caller changes what another one reads", () => {
    const engine = openEngine(
      [
        makeBoxSnapshot("demo:parks", [0.5, 0, 2, 1]),
        { manifest: { source_name: "demo:lost", kind: "leaf", groups: ["g"] }, failed: "it is lost" },
      ],
      { groups: { "demo:all": ["demo:parks"] } },
    );
    const ruleset = { sets: { parks: { sources: ["demo:all"] } }, checks: [RULESET.checks[0]!] };
    const policy = engine.compile(ruleset, { name: "rules", version: 1 });
    const answers = {
      sources: engine.sources(),
      groups: engine.groups(),
      failures: engine.failures(),
      intersections: engine.intersections(plot, { geometry: "overlap" }),
      distance: engine.distance(plot, { maxDistanceMeters: 10, geometry: "area" }),
      lint: lintRuleset(engine, { ...ruleset, checks: [] }),
      explain: explainQuestion(engine, { ask: "evaluate", ruleset, input: { geometry: plot } }),
      policy,
      evaluation: policy.evaluate({ geometry: plot }, { ...NOW, geometry: "overlap" }),
    };
    const before = JSON.stringify(answers);
    const attack = (value: unknown, path: string): void => {
      if (typeof value !== "object" || value === null) return;
      expect(Object.isFrozen(value), path).toBe(true);
      for (const [name, member] of Object.entries(value)) {
        expect(() => Object.assign(value, { [name]: "changed" }), path).toThrow(TypeError);
        // Every answer has coordinates of its own.
        if (name !== "coordinates") attack(member, `${path}.${name}`);
      }
    };
    attack(answers.policy, "policy");
    for (const [name, answer] of Object.entries(answers)) attack(answer, name);
    expect(JSON.stringify(answers)).toBe(before);
    expect(engine.sources()).toEqual(answers.sources);
  });

  it("does not change with the manifest or the groups that an engine was opened with", () => {
    const manifest = { source_name: "demo:lost", kind: "leaf" as const, groups: ["demo:g"] };
    const groups = { "demo:all": ["demo:parks"] };
    const engine = openEngine(
      [makeBoxSnapshot("demo:parks", [0.5, 0, 2, 1]), { manifest, failed: "it is lost" }],
      { groups },
    );
    const before = [engine.sources(), engine.groups(), engine.failures()];
    manifest.source_name = "demo:other";
    groups["demo:all"].push("demo:lost");
    expect([engine.sources(), engine.groups(), engine.failures()]).toEqual(before);
  });
});

describe("options", () => {
  const engine = near();
  const policy = engine.compile(RULESET);
  const calls: Readonly<Record<string, (input: never) => unknown>> = {
    distance: (options) => engine.distance(plot, options),
    intersections: (options) => engine.intersections(plot, options),
    subjects: (options) => engine.subjects({ type: "br:cnpj", value: "1" }, options),
    compile: (origin) => engine.compile(RULESET, origin),
    evaluate: (options) => policy.evaluate({ geometry: plot }, options),
    openEngine: (options) => openEngine([], options),
    explain: (question) => explainQuestion(engine, question),
    within: (patterns) => engine.within(patterns),
  };

  it.each<[string, unknown, string, string]>([
    ["distance", { maxDistanceMetres: 10 }, "/maxDistanceMetres", 'did you mean "maxDistanceMeters"?'],
    ["distance", {}, "/maxDistanceMeters", 'found nothing, expected a number (at "/maxDistanceMeters")'],
    [
      "intersections",
      { source: ["demo:parks"] },
      "/source",
      'unknown member "source"; did you mean "sources"?',
    ],
    ["intersections", { sources: "demo:parks" }, "/sources", 'found "demo:parks", expected an array'],
    ["subjects", { matchop: "ilike" }, "/matchop", 'unknown member "matchop"; did you mean "matchOp"?'],
    ["compile", { name: "r", versoin: 1 }, "/versoin", 'did you mean "version"?'],
    ["evaluate", { ...NOW, evidencelimit: 3 }, "/evidencelimit", 'did you mean "evidenceLimit"?'],
    ["evaluate", undefined, "", "found nothing, expected an object of options"],
    [
      "evaluate",
      { ...NOW, evidenceLimit: 201 },
      "/evidenceLimit",
      "limit 201, expected a whole number from 1",
    ],
    ["openEngine", { group: {} }, "/group", 'unknown member "group"; did you mean "groups"?'],
    ["explain", { ask: "evalute" }, "/ask", 'found "evalute"'],
    [
      "explain",
      { ask: "distance", options: { maxDistanceMeter: 1 } },
      "/maxDistanceMeter",
      "maxDistanceMeters",
    ],
    ["within", "demo:*", "", 'patterns: found "demo:*", expected an array'],
  ])(
    "that %s does not know are refused, with the one that was meant: %j",
    (what, input, pointer, message) => {
      const error = catchRefusal(() => calls[what]!(input as never));
      expect(error.code).toBe("VALIDATION_FAILED");
      expect(error.message).toContain(message);
      expect(error.details.faults?.[0]?.pointer).toBe(pointer);
    },
  );

  it("are named in the caller's words, all of the faulty ones at once", () => {
    const error = catchRefusal(() =>
      engine.distance(plot, { maxDistanceMeters: "10", sourcse: [] } as never),
    );
    expect(error.details.faults?.map(({ pointer }) => pointer)).toEqual(["/sourcse", "/maxDistanceMeters"]);
    expect(JSON.stringify(error.details)).not.toMatch(/[a-z]_[a-z]+"/);
  });
});

describe("what cannot be read", () => {
  const throwing = {
    get type(): string {
      throw new TypeError("not ready");
    },
  };
  const { proxy: revoked, revoke } = Proxy.revocable({}, {});
  revoke();
  const cycle: Record<string, unknown> = { type: "Polygon" };
  cycle.coordinates = [[cycle]];
  const engine = near();
  const policy = engine.compile(RULESET);

  it.each([
    ["a getter that throws", throwing],
    ["a revoked proxy", revoked],
    ["a cycle", cycle],
    ["an object without a prototype", Object.create(null)],
    ["a bigint", 5n],
    ["a symbol", Symbol("plot")],
    // biome-ignore lint/suspicious/noSparseArray: what a caller may hand in
    ["a sparse array", { type: "Polygon", coordinates: [, [[0, 0]]] }],
  ])("is refused as every other bad input: %s", (_, input) => {
    const value = input as never;
    const queries: (() => unknown)[] = [
      () => openEngine([value]),
      () => openEngine([makeBoxSnapshot("demo:parks", [0, 0, 1, 1])], { crs: value }),
      () => engine.intersections(value),
      () => engine.subjects(value),
      () => engine.subjects({ type: value, value: "1" }),
      () => engine.compile(value),
      () => engine.compile({ ...RULESET, checks: [value] }),
      () => policy.evaluate({ geometry: value }, NOW),
      () => policy.evaluate({ geometry: plot, crs: value }, NOW),
      () => policy.evaluate({ geometry: plot, scheme: [value] }, NOW),
      () => explainQuestion(engine, value),
    ];
    for (const ask of queries)
      expect(catchRefusal(ask).code).toMatch(/^(VALIDATION_FAILED|RULESET_INVALID)$/);
    expect(lintRuleset(engine, value).length).toBeGreaterThan(0);
  });

  it("does not hide what a host's own function throws", () => {
    const crs = {
      codes: [],
      find() {
        throw new Error("the host's");
      },
    };
    const sources = [makeBoxSnapshot("demo:parks", [0, 0, 1, 1])];
    expect(() => openEngine(sources, { crs }).intersections(plot, { crs: "EPSG:2056" })).toThrow(
      "the host's",
    );
  });
});

describe("an input", () => {
  it("may query the engine while it is read", () => {
    const policy = near().compile(RULESET);
    const asking = {
      type: "Polygon",
      get coordinates() {
        policy.evaluate({ geometry: plot }, NOW);
        return plot.coordinates.map((ring) => ring.map(([x, y]) => [x! / 4, y!]));
      },
    };
    const plain = { type: "Polygon", coordinates: asking.coordinates };
    expect(policy.evaluate({ geometry: asking }, NOW)).toEqual(policy.evaluate({ geometry: plain }, NOW));
  });

  it("and its options may have members that are undefined", () => {
    const [engine, none] = [near(), undefined];
    const policy = engine.compile(RULESET);
    const options = {
      crs: none,
      sources: none,
      countryIso3: none,
      now: none,
      maxResults: none,
      geometry: none,
    };
    expect(engine.intersections(plot, options)).toEqual(engine.intersections(plot));
    expect(
      policy.evaluate(
        { geometry: plot, crs: none, scheme: none },
        { ...NOW, evidenceLimit: none, geometry: none },
      ),
    ).toEqual(policy.evaluate({ geometry: plot }, NOW));
    const opened = { groups: none, kernel: none, crs: none, crc32: none, textDigest: none };
    expect(openEngine([], opened).sources()).toEqual([]);
  });

  it("may name no CRS by null, as over HTTP", () => {
    const policy = near().compile(RULESET);
    const evaluation = policy.evaluate({ geometry: plot, crs: null as never }, NOW);
    expect(evaluation).toEqual(policy.evaluate({ geometry: plot }, NOW));
  });

  it("in an unknown CRS is refused with the option of openEngine that takes others", () => {
    const ask = () => near().intersections(plot, { crs: "EPSG:2056" });
    expect(catchRefusal(ask).message).toMatch(/pass crsTable of @groundrule\/crs as crs to openEngine$/);
  });
});

describe("sources handed to openEngine", () => {
  const bytes = makeBoxSnapshot("demo:parks", [0.5, 0, 2, 1]);
  const found = (source: unknown) => openEngine([source as ArrayBuffer]).intersections(plot).matches.length;

  it("are bytes in any of their forms, alone or beside what is known of them", () => {
    const shared = new SharedArrayBuffer(bytes.byteLength);
    new Uint8Array(shared).set(new Uint8Array(bytes));
    const resizable = new ArrayBuffer(bytes.byteLength, { maxByteLength: 2 * bytes.byteLength });
    new Uint8Array(resizable).set(new Uint8Array(bytes));
    const forms = [
      bytes,
      shared,
      resizable,
      new Uint8Array(bytes),
      new Uint8Array(shared),
      Buffer.from(bytes),
    ];
    for (const form of forms) expect([found(form), found({ bytes: form })]).toEqual([1, 1]);
  });

  it.each([0, 1, 3, 8])("are the part of a larger buffer that a view shows, from byte %d on", (offset) => {
    const whole = new Uint8Array(offset + bytes.byteLength + 5).fill(0xff);
    whole.set(new Uint8Array(bytes), offset);
    expect(found(whole.subarray(offset, offset + bytes.byteLength))).toBe(1);
    expect(found(Buffer.from(whole.buffer, offset, bytes.byteLength))).toBe(1);
  });

  it("are copied from a buffer that can shrink", () => {
    const resizable = new ArrayBuffer(bytes.byteLength, { maxByteLength: bytes.byteLength });
    new Uint8Array(resizable).set(new Uint8Array(bytes));
    const engine = openEngine([resizable]);
    resizable.resize(0);
    expect(engine.intersections(plot).matches).toHaveLength(1);
  });

  it("are missed, not taken for empty, where they were transferred away since", () => {
    const input = structuredClone(bytes);
    const engine = openEngine([input]);
    const policy = engine.compile({ sets: { parks: RULESET.sets.parks }, checks: [RULESET.checks[0]] });
    structuredClone(input, { transfer: [input] });
    for (const ask of [
      () => engine.intersections(plot),
      () => engine.distance(plot, { maxDistanceMeters: 1 }),
      () => policy.evaluate({ geometry: plot }, NOW),
    ]) {
      expect(catchRefusal(ask)).toMatchObject({
        code: "SNAPSHOT_CORRUPT",
        message: expect.stringContaining("transferred away"),
      });
    }
  });

  it("are refused in one sentence where they are something else", () => {
    const detached = structuredClone(bytes);
    const view = new Uint8Array(detached);
    structuredClone(detached, { transfer: [detached] });
    const message = (source: unknown) =>
      catchRefusal(() => openEngine([bytes, source as ArrayBuffer])).message;
    const expected = "expected bytes (ArrayBuffer, SharedArrayBuffer or Uint8Array)";
    expect(message("parks.snapshot")).toBe(`found "parks.snapshot" at sources[1], ${expected}`);
    expect(message(null)).toBe(`found null at sources[1], ${expected}`);
    expect(message(Promise.resolve(bytes))).toBe(`found a Promise at sources[1], ${expected}; await it`);
    expect(message({ type: "FeatureCollection", features: [] })).toBe(
      `found an object at sources[1], ${expected}; snapshotOf makes them`,
    );
    expect(message([bytes])).toBe(`found an array of length 1 at sources[1], ${expected}`);
    expect(message({ bytes: new Float64Array(bytes.byteLength / 8) })).toBe(
      `found a Float64Array at sources[1].bytes, ${expected}`,
    );
    expect(message(detached)).toBe(
      "found a detached ArrayBuffer at sources[1], expected the bytes of a snapshot",
    );
    expect(message(view)).toContain("found a detached ArrayBuffer");
    expect(message({ byts: bytes })).toContain('sources[1]: unknown member "byts"; did you mean "bytes"?');
    expect(message({ manifest: { source_name: "Parks" }, failed: "lost" })).toContain(
      'sources[1]: found "Parks", expected lowercase words',
    );
    expect(catchRefusal(() => openEngine(bytes as never)).message).toBe(
      "found an object, expected an array of sources; snapshotOf makes one, openData opens a folder",
    );
    const shrunk = new ArrayBuffer(64, { maxByteLength: 64 });
    const beyond = new Uint8Array(shrunk, 8, 16);
    shrunk.resize(4);
    expect(catchRefusal(() => openEngine([beyond])).code).toBe("SNAPSHOT_CORRUPT");
    // biome-ignore lint/suspicious/noSparseArray: what a caller may hand in
    expect(catchRefusal(() => openEngine([bytes, , bytes] as never)).message).toContain(
      "nothing at sources[1]",
    );
    expect(catchRefusal(() => openEngine([new ArrayBuffer(0)])).code).toBe("SNAPSHOT_CORRUPT");
  });
});
