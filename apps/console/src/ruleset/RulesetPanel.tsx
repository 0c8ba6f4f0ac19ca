import { useSignalEffect } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useId, useState } from "preact/hooks";
import { AnswerProblem, type NamedRuleset } from "../answering/answerer.ts";
import { connection } from "../connection/connect.ts";
import { Skeleton } from "../connection/Skeleton.tsx";
import { words } from "../languages/language.ts";
import { answerer, ruleset } from "../state/store.ts";
import { whenIdle } from "../state/when-idle.ts";
import { presetTests } from "./preset-tests.ts";
import type { RulesetDraft } from "./RulesetEditor.tsx";
import { neededBy, type RulesetFacts, rulesetFacts } from "./ruleset-needs.ts";
import { NEW_RULESET, rulesetChoices, textOf } from "./ruleset-state.ts";
import "./ruleset.css";

/** Chooses the ruleset that plots are judged by, or opens one to edit. */
export function RulesetPanel(): JSX.Element {
  const say = words.value;
  const field = useId();
  const [problem, setProblem] = useState<string>();
  const [facts, setFacts] = useState<RulesetFacts>();
  const [draft, setDraft] = useState<RulesetDraft>();
  const [part, setPart] = useState<{ readonly of: EditorPart }>();
  const told = (error: unknown): void => {
    setProblem(error instanceof AnswerProblem ? error.message : String(error));
  };

  // The editor is loaded before it is asked for: the network may be gone by then.
  useEffect(
    () => whenIdle(() => void Promise.all([loadEditor(), import("./editor.ts")]).catch(() => {})),
    [],
  );
  useSignalEffect(() => {
    const by = answerer.value;
    rulesetChoices.value = [];
    by?.rulesets().then((found) => {
      if (answerer.peek() === by) rulesetChoices.value = found;
    }, told);
  });
  useSignalEffect(() => {
    const [by, chosen] = [answerer.value, ruleset.value];
    setProblem(undefined);
    setFacts(undefined);
    if (by === undefined || chosen === undefined) return;
    rulesetFacts(by, chosen).then((found) => {
      if (ruleset.peek() === chosen) setFacts(found);
    }, told);
  });

  const edit = async (): Promise<void> => {
    const chosen = ruleset.peek();
    try {
      const of = await loadEditor();
      setPart({ of });
      if (chosen === undefined) setDraft({ name: "my-ruleset", text: textOf(NEW_RULESET) });
      else if ("body" in chosen) setDraft({ name: chosen.name, text: textOf(chosen.body) });
      else {
        const found = await answerer.peek()!.ruleset(chosen.id);
        const name = found.name.replace(/^preset\./, "");
        // Those of the latest version. Without them the editor opens all the same.
        const isLatestPreset = name !== found.name && !chosen.id.includes("@");
        const tests = isLatestPreset ? await presetTests(name).catch(() => undefined) : undefined;
        setDraft({ name, text: textOf(found.body), tests });
      }
    } catch (error) {
      told(error);
    }
  };
  const chosen = ruleset.value;
  const listed = rulesetChoices.value.find(({ name }) => name === chosen?.name);
  const isEdited = chosen !== undefined && "body" in chosen;
  const description = isEdited ? descriptionOf(chosen.body) : listed?.description;
  const missing = facts?.missing ?? [];
  const hasAnswerer = answerer.value !== undefined;
  if (connection.value.kind === "connecting" && draft === undefined) return <Skeleton class="rules" />;
  return (
    <div class="rules">
      <label class="rules-choice" for={field}>
        {say.rulesetChoose}
      </label>
      <Choice id={field} isDisabled={!hasAnswerer} />
      {/* A field shows its title alone. */}
      {listed !== undefined && !isEdited && say.rulesetTitles[listed.name] !== undefined && (
        <p class="rules-hint">{versioned(listed.name, listed.version)}</p>
      )}
      {description !== undefined && description !== "" && <Description text={description} />}
      {facts !== undefined && (
        <p class="rules-quiet">{say.rulesetFacts(facts.checks, facts.sources, missing.length)}</p>
      )}
      {missing.length > 0 && (
        <p class="rules-missing" role="status">
          {say.rulesetMissing(missing.join(", "))} <code>{neededBy(chosen)}</code>
        </p>
      )}
      {problem !== undefined && (
        <p class="rules-missing" role="alert">
          {problem}
        </p>
      )}
      <div class="rules-actions">
        <button type="button" disabled={!hasAnswerer} onClick={() => void edit()}>
          {chosen === undefined ? say.rulesetNew : say.rulesetEdit}
        </button>
      </div>
      {draft !== undefined && part !== undefined && (
        <part.of draft={draft} onClose={() => setDraft(undefined)} />
      )}
    </div>
  );
}

type EditorPart = typeof import("./RulesetEditor.tsx").RulesetEditor;

async function loadEditor(): Promise<EditorPart> {
  return (await import("./RulesetEditor.tsx")).RulesetEditor;
}

function descriptionOf(body: object): string | undefined {
  const { description } = body as { readonly description?: unknown };
  return typeof description === "string" ? description : undefined;
}

/** Value of the option for a ruleset that stands in no catalog. */
const OWN = "\n";

function Choice({ id, isDisabled }: { readonly id: string; readonly isDisabled: boolean }): JSX.Element {
  const say = words.value;
  const chosen = ruleset.value;
  const all = rulesetChoices.value;
  const options = (list: readonly NamedRuleset[]): JSX.Element[] =>
    list.map(({ name, version }) => (
      <option key={name} value={name}>
        {say.rulesetTitles[name] ?? versioned(name, version)}
      </option>
    ));
  const own = all.filter(({ isPreset }) => !isPreset);
  const isKnown = chosen !== undefined && all.some(({ name }) => name === chosen.name);
  let current: JSX.Element | undefined;
  if (chosen === undefined) current = <option value="">{say.rulesetNone}</option>;
  else if ("body" in chosen) current = <option value={OWN}>{say.rulesetDraft(chosen.name)}</option>;
  else if (!isKnown) current = <option value={chosen.name}>{chosen.name}</option>;
  return (
    <select
      id={id}
      disabled={isDisabled}
      value={chosen === undefined ? "" : "body" in chosen ? OWN : chosen.name}
      onChange={({ currentTarget: { value } }) => {
        if (value !== OWN && value !== "") ruleset.value = { id: value, name: value };
      }}
    >
      {current}
      {own.length > 0 && <optgroup label={say.rulesetCatalog}>{options(own)}</optgroup>}
      <optgroup label={say.rulesetPresets}>{options(all.filter(({ isPreset }) => isPreset))}</optgroup>
    </select>
  );
}

function versioned(name: string, version: number | undefined): string {
  return version === undefined ? name : words.value.rulesetVersion(name, version);
}

/** The first sentences of a description, all of it where the reader asks. */
function Description({ text }: { readonly text: string }): JSX.Element {
  if (text.length <= 180) return <p class="rules-description">{text}</p>;
  const end = /[.;:] /.exec(text.slice(60))?.index;
  const head = text.slice(0, end === undefined || end > 160 ? 140 : 60 + end + 1);
  return (
    <details class="rules-description">
      <summary>{`${head} …`}</summary>
      <p>{text.slice(head.length).trimStart()}</p>
    </details>
  );
}
