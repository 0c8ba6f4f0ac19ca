import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type Answer, type Answerer, AnswerProblem, type Question } from "../../answering/answerer.ts";
import { convertInputToDegrees } from "../../map/drawing/in-degrees.ts";
import { factParts, sharedFacts } from "../../state/facts.ts";
import type { PagePlot } from "../../state/plot.ts";
import { addPlots, answerer, plots, removePlots, ruleset } from "../../state/store.ts";
import { undoLastAction } from "../../state/undo.ts";
import { runQuestions } from "../run-questions.ts";
import {
  enterFact,
  findFactValue,
  findUnusedFacts,
  isShared,
  setPlotProperty,
  shareFact,
} from "./enter-facts.ts";
import { parsePropertyGeometry } from "./read-property.ts";
import { buildInputWithFacts, buildPropertiesWithFacts, isWaiting, rulesetFacts } from "./ruleset-facts.ts";

const QUESTION = { question: { en: "?" } };
const PERMIT = { id: "P-1", issuer: "State", issued_on: "2024-01-01" };
const ASKING = {
  facts: { permit: { type: "document", ...QUESTION }, modules: { type: "number", min: 0, ...QUESTION } },
  sets: {},
  checks: [{ id: "a", set: "s", on: "property", outcome: "WARNING" }],
};

/** An answerer that answers at once, with these rulesets. */
function createAnswerer(bodies: Readonly<Record<string, object>>) {
  const questions: Question[] = [];
  const found: string[] = [];
  const by = {
    place: "here",
    evaluate: async (question: Question) => {
      questions.push(question);
      return { requestId: String(questions.length) } as Answer;
    },
    ruleset: async (id: string) => {
      found.push(id);
      return { name: id, body: bodies[id] ?? Promise.reject(new Error("none")) };
    },
    usage: async () => undefined,
    close: () => {},
  } as unknown as Answerer;
  return { by, questions, found };
}

/** Sends the questions to an answerer that answers at once, by a ruleset that asks for facts. */
function startAnswering(): readonly Question[] {
  const { by, questions } = createAnswerer({});
  ruleset.value = { body: ASKING, name: "asking" };
  answerer.value = by;
  return questions;
}

function addTestPlots(
  count: number,
  more: object = {},
  fileFacts?: NonNullable<PagePlot["fileFacts"]>,
): readonly PagePlot[] {
  const input = { geometry: { type: "Point", coordinates: [0, 0] }, ...more };
  return addPlots(
    Array.from({ length: count }, (_, n) => ({
      ...{ id: `p${n}`, geometry: undefined, properties: {}, input: { ...input }, origin: "test" },
      ...(fileFacts && { fileFacts }),
      state: { kind: "new" } as const,
    })),
  );
}

const now = (n: number): PagePlot => plots.peek()[n]!;
const settled = (): Promise<unknown> => vi.advanceTimersByTimeAsync(1_000);
const factsSent = ({ input }: Question): unknown => (input as { readonly facts?: unknown }).facts;

beforeEach(() => {
  vi.useFakeTimers();
  factParts.value = {
    rulesetFacts,
    inputWithFacts: buildInputWithFacts,
    isWaiting,
    propertiesWithFacts: buildPropertiesWithFacts,
    findUnusedFacts,
  };
  removePlots(new Set(plots.peek().map(({ key }) => key)));
  sharedFacts.value = {};
  answerer.value = undefined;
  ruleset.value = undefined;
});
afterEach(() => vi.useRealTimers());

describe("facts that a person enters", () => {
  it("go with the question of their plot, and what was answered without them is out of date", async () => {
    const questions = startAnswering();
    const keys = addTestPlots(2).map(({ key }) => key);
    runQuestions(keys);
    await settled();
    expect(plots.peek().map(({ state }) => state.kind)).toEqual(["answered", "answered"]);
    enterFact(now(0), "permit", PERMIT);
    expect(plots.peek().map(({ state }) => state.kind)).toEqual(["new", "answered"]);
    runQuestions(keys.slice(0, 1));
    await settled();
    expect(questions.map(factsSent)).toEqual([undefined, undefined, { permit: PERMIT }]);
    // Entering the same value again is no change.
    enterFact(now(0), "permit", { ...PERMIT });
    expect(now(0).state.kind).toBe("answered");
    // A field may still refer to the plot as it was when drawn.
    const drawn = now(0);
    enterFact(drawn, "modules", 2);
    enterFact(drawn, "permit", undefined);
    expect(now(0).input).toMatchObject({ facts: { modules: 2 } });
    enterFact(drawn, "modules", undefined);
    expect(now(0).input).not.toHaveProperty("facts");
  });

  it("are the same for all plots where a person chooses that, also for plots that come later", async () => {
    const questions = startAnswering();
    addTestPlots(2);
    enterFact(now(0), "modules", 3);
    enterFact(now(1), "modules", 5);
    shareFact("modules", 3);
    expect([isShared("modules"), findFactValue(now(1), "modules")]).toEqual([true, 3]);
    addTestPlots(1);
    runQuestions(plots.peek().map(({ key }) => key));
    await settled();
    expect(questions.map(factsSent)).toEqual([{ modules: 3 }, { modules: 3 }, { modules: 3 }]);
    // Entered for one plot, the fact is no longer shared: the others keep their value and their verdict.
    const before = now(2).state;
    enterFact(now(2), "modules", 4);
    expect(plots.peek().map(({ state }) => state.kind)).toEqual(["answered", "answered", "new"]);
    expect(
      [isShared("modules"), 0, 1, 2].map((n) =>
        typeof n === "number" ? findFactValue(now(n), "modules") : n,
      ),
    ).toEqual([false, 3, 3, 4]);
    // The verdict before stays until there is another, and undoing brings it back.
    expect(now(2).outdated).toMatchObject({ changed: "answers", geometry: now(2).geometry });
    expect({ kind: "answered", answer: now(2).outdated!.answer }).toEqual(before);
    undoLastAction();
    expect([now(2).state, isShared("modules")]).toEqual([before, true]);
    enterFact(now(2), "modules", 4);
    ruleset.value = { id: "others", name: "others" };
    expect(plots.peek().map(({ outdated }) => outdated?.changed)).toEqual(["ruleset", "ruleset", "answers"]);
    answerer.value = undefined;
    expect(plots.peek().map(({ outdated }) => outdated)).toEqual([undefined, undefined, undefined]);
    await settled();
    // Without a chosen plot, the value is entered for all.
    enterFact(undefined, "modules", 1);
    expect([0, 1, 2].map((n) => findFactValue(now(n), "modules"))).toEqual([1, 1, 1]);
  });

  it("are sent where the ruleset declares them, once that is known", async () => {
    const others = { facts: { modules: { type: "boolean", ...QUESTION } }, sets: {}, checks: [] };
    const { by, questions, found } = createAnswerer({ asking: ASKING, others });
    ruleset.value = { id: "asking", name: "asking" };
    answerer.value = by;
    addTestPlots(1, { facts: { permit: PERMIT, modules: 2, foreign: true } });
    const keys = [now(0).key];
    // The facts that the ruleset asks for are not known yet.
    expect(rulesetFacts.peek()).toBeUndefined();
    runQuestions(keys);
    await settled();
    expect(questions.map(factsSent)).toEqual([{ permit: PERMIT, modules: 2 }]);
    expect(rulesetFacts.peek()?.usesProperty).toBe(true);
    expect(found).toEqual(["asking"]);
    ruleset.value = { id: "others", name: "others" };
    runQuestions(keys);
    await settled();
    // It asks for something else by that name.
    expect(factsSent(questions[1]!)).toBeUndefined();
    // If a ruleset cannot be loaded, the answerer reports the unknown facts.
    ruleset.value = { id: "gone", name: "gone" };
    runQuestions(keys);
    await settled();
    expect(factsSent(questions[2]!)).toEqual({ permit: PERMIT, modules: 2, foreign: true });
  });
});

describe("facts of a file", () => {
  const columns = {
    modules: "5",
    "permit.id": "P-1",
    "permit.issuer": "State",
    "permit.issued_on": "2024-01-01",
  };
  const question = (n: number) => {
    const read = buildInputWithFacts(now(n));
    return read instanceof AnswerProblem ? read.faults : (read as { readonly facts?: object }).facts;
  };

  it("are read as the ruleset declares them, show in the form, and give way to what a person enters, until that is undone", async () => {
    startAnswering();
    await settled();
    addTestPlots(2, {}, { columns });
    expect(question(0)).toEqual({ modules: 5, permit: PERMIT });
    expect(findFactValue(now(0), "modules")).toBe(5);
    expect(findFactValue(now(0), "permit")).toEqual(PERMIT);
    enterFact(now(0), "modules", 3);
    expect([question(0), question(1)]).toMatchObject([{ modules: 3, permit: PERMIT }, { modules: 5 }]);
    // Withdrawn: the fact is not declared, whatever the file contains.
    enterFact(now(0), "modules", undefined);
    expect([findFactValue(now(0), "modules"), question(0)]).toEqual([undefined, { permit: PERMIT }]);
    undoLastAction();
    expect(findFactValue(now(0), "modules")).toBe(3);
    undoLastAction();
    expect(question(0)).toEqual({ modules: 5, permit: PERMIT });
    shareFact("modules", 9);
    expect([question(0), question(1)]).toMatchObject([{ modules: 9 }, { modules: 9 }]);
    expect(undoLastAction()).toBe("Changed: ?");
    expect([isShared("modules"), findFactValue(now(1), "modules")]).toEqual([false, 5]);
  });

  it.each([
    [{ columns: { modules: "five" } }, "FACT_UNSUITED", "/properties/fact:modules"],
    [{ columns: { moduls: "5" } }, "FACT_UNKNOWN", "/properties/fact:moduls"],
    [{ facts: { modules: 1 }, columns: { modules: "2" } }, "VALIDATION_FAILED", "/properties/facts/modules"],
  ])("are refused at their place, asking nobody: %j", async (fileFacts, code, pointer) => {
    const questions = startAnswering();
    addTestPlots(1, {}, fileFacts);
    runQuestions([now(0).key]);
    await settled();
    expect(questions).toEqual([]);
    const { state } = now(0);
    expect(state).toMatchObject({ kind: "refused", problem: { code: "VALIDATION_FAILED" } });
    expect(state.kind === "refused" && state.problem.faults).toMatchObject([{ code, pointer }]);
    // A user's answer replaces an invalid cell.
    enterFact(now(0), "modules", 4);
    if (code !== "FACT_UNKNOWN") expect(question(0)).toEqual({ modules: 4 });
  });

  it("can be left out of all plots of the file, where the ruleset does not declare them", async () => {
    startAnswering();
    await settled();
    addTestPlots(2, {}, { facts: { foreign: true }, columns: { ...columns, moduls: "5" } });
    const unasked = findUnusedFacts(now(0))!;
    expect(unasked.text).toContain("foreign, moduls");
    unasked.leaveOut();
    expect([question(0), question(1)]).toEqual(Array(2).fill({ modules: 5, permit: PERMIT }));
    expect(findUnusedFacts(now(0))).toBeUndefined();
    undoLastAction();
    expect(question(1)).toMatchObject([{ code: "FACT_UNKNOWN" }]);
  });

  it("wait until what reads them is there, and are not left out before", async () => {
    const questions = startAnswering();
    addTestPlots(1, {}, { columns });
    const parts = factParts.value;
    factParts.value = undefined;
    runQuestions([now(0).key]);
    await settled();
    expect(questions).toEqual([]);
    factParts.value = parts;
    await settled();
    expect(questions.map(factsSent)).toEqual([{ modules: 5, permit: PERMIT }]);
  });
});

describe("the property of a plot", () => {
  const ring = [[0, 0], [1, 0], [1, 1], [0, 0]]; // biome-ignore format: a ring
  const polygon = { type: "Polygon", coordinates: [ring] };

  it("is in its question, and goes with a reference system that the plot leaves", () => {
    addTestPlots(1, { crs: "EPSG:31981" });
    setPlotProperty(now(0), polygon);
    expect(now(0).input).toMatchObject({ property: polygon, crs: "EPSG:31981" });
    expect(convertInputToDegrees(now(0).input)).toEqual({ geometry: { type: "Point", coordinates: [0, 0] } });
    setPlotProperty(now(0), undefined);
    expect(now(0).input).not.toHaveProperty("property");
  });

  it.each([
    ["a geometry", polygon, polygon],
    [
      "a collection of features",
      {
        type: "FeatureCollection",
        features: [
          { type: "Feature", geometry: polygon },
          { type: "Feature", geometry: { type: "MultiPolygon", coordinates: [[ring]] } },
          { type: "Feature", geometry: null },
        ],
      },
      { type: "MultiPolygon", coordinates: [[ring], [ring]] },
    ],
    ["a feature of points", { type: "Feature", geometry: { type: "Point", coordinates: [0, 0] } }, undefined],
    ["a number", 7, undefined],
  ])("is read from %s", (_, value, expected) => {
    expect(parsePropertyGeometry(JSON.stringify(value))).toEqual(expected);
    expect(parsePropertyGeometry("{")).toBeUndefined();
  });
});
