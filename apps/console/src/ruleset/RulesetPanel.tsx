import { type Signal, signal, useSignalEffect } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useId, useState } from "preact/hooks";
import { type Answerer, type NamedRuleset, toAnswerProblem } from "../answering/answerer.ts";
import { connection } from "../connection/connect.ts";
import { words } from "../languages/language.ts";
import { Skeleton } from "../parts/Skeleton.tsx";
import { answerer, missingSources, ruleset } from "../state/store.ts";
import { runWhenIdle } from "../state/when-idle.ts";
import type { RulesetDraft } from "./RulesetEditor.tsx";
import { fetchManifests, listMissingSources, loadRulesetFacts, type RulesetFacts } from "./ruleset-needs.ts";
import { formatRuleset, NEW_RULESET, rulesetChoices } from "./ruleset-state.ts";
import "./ruleset.css";

/** The views of what a ruleset needs: not needed at the start of the page. */
const moreParts: Signal<typeof import("./RulesetMore.tsx") | undefined> = signal(undefined);

function loadMoreParts(): void {
  if (moreParts.peek() !== undefined) return;
  import("./RulesetMore.tsx").then(
    (parts) => {
      moreParts.value = parts;
    },
    // The next list of rulesets tries again.
    () => {},
  );
}

/** Chooses the ruleset for evaluations, or opens one in the editor. */
export function RulesetPanel(): JSX.Element {
  const say = words.value;
  const [field, popover] = [useId(), useId()];
  const [problem, setProblem] = useState<string>();
  const [facts, setFacts] = useState<RulesetFacts>();
  const [draft, setDraft] = useState<RulesetDraft>();
  const [part, setPart] = useState<{ readonly of: EditorPart }>();
  const showProblem = (error: unknown): void => setProblem(toAnswerProblem(error).message);

  // The editor is loaded before it is needed: the network may be gone by then.
  useEffect(
    () => runWhenIdle(() => void Promise.all([loadRulesetEditor(), import("./editor.ts")]).catch(() => {})),
    [],
  );
  useSignalEffect(() => {
    if (rulesetChoices.value.length > 0) loadMoreParts();
  });
  useSignalEffect(() => {
    const by = answerer.value;
    rulesetChoices.value = [];
    by?.rulesets().then((found) => {
      if (answerer.peek() === by) rulesetChoices.value = found;
    }, showProblem);
  });
  useSignalEffect(() => {
    const [by, chosen] = [answerer.value, ruleset.value];
    setProblem(undefined);
    setFacts(undefined);
    missingSources.value = [];
    if (by === undefined || chosen === undefined) return;
    fetchManifests()
      .then((all) => loadRulesetFacts(by, chosen, all))
      .then((found) => {
        if (ruleset.peek() !== chosen) return;
        setFacts(found);
        if (chosen.without === undefined) missingSources.value = listMissingSources(found.needed);
      }, showProblem);
  });

  const edit = async (): Promise<void> => {
    const chosen = ruleset.peek();
    try {
      const of = await loadRulesetEditor();
      setPart({ of });
      if (chosen === undefined) setDraft({ name: "my-ruleset", text: formatRuleset(NEW_RULESET) });
      else if ("body" in chosen) setDraft({ name: chosen.name, text: formatRuleset(chosen.body) });
      else {
        const found = await answerer.peek()!.ruleset(chosen.id);
        const name = found.name.replace(/^preset\./, "");
        // The tests of the latest version. The editor opens even without them.
        const isLatestPreset = name !== found.name && !chosen.id.includes("@");
        const tests = isLatestPreset ? await loadPresetTests(name).catch(() => undefined) : undefined;
        setDraft({ name, text: formatRuleset(found.body), tests });
      }
    } catch (error) {
      showProblem(error);
    }
  };
  const chosen = ruleset.value;
  const listed = rulesetChoices.value.find(({ name }) => name === chosen?.name);
  const isEdited = chosen !== undefined && "body" in chosen;
  const description = isEdited ? findRulesetDescription(chosen.body) : listed?.description;
  const hasAnswerer = answerer.value !== undefined;
  if (connection.value.kind === "connecting" && draft === undefined) return <Skeleton class="rules" />;
  const parts = moreParts.value;
  const more = parts !== undefined && (
    <parts.RulesetMore
      chosen={chosen}
      facts={facts}
      // A select field shows only its title.
      version={
        listed !== undefined && !isEdited && say.rulesetTitles[listed.name] !== undefined
          ? formatRulesetVersion(listed.name, listed.version)
          : undefined
      }
      description={description}
      isPreset={listed?.isPreset === true}
      onEdit={hasAnswerer ? () => void edit() : undefined}
    />
  );
  return (
    <div class="rules">
      <label class={isWide.value ? "visually-hidden" : "rules-choice"} for={field}>
        {say.rulesetChoose}
      </label>
      <Choice id={field} isDisabled={!hasAnswerer} />
      {isWide.value && (
        <>
          <p class="rules-quiet">
            {facts !== undefined && summarizeRuleset(facts, isEdited ? undefined : listed?.version)}
          </p>
          <button
            type="button"
            class="quiet rules-more"
            popovertarget={popover}
            aria-label={say.rulesetMore}
            title={say.rulesetMore}
          >
            <svg class="mark" viewBox="0 0 24 24" aria-hidden="true">
              <path d="m6 9 6 6 6-6" />
            </svg>
          </button>
        </>
      )}
      {problem !== undefined && (
        <p class="rules-missing" role="alert">
          {problem}
        </p>
      )}
      {isWide.value ? (
        <div id={popover} class="rules-popover" popover="auto">
          {more}
        </div>
      ) : (
        more
      )}
      {draft !== undefined && part !== undefined && (
        <part.of draft={draft} onClose={() => setDraft(undefined)} />
      )}
    </div>
  );
}

const wide = matchMedia("(min-width: 80rem)");
/** True where the ruleset is one row above the list, and the rest of it in a popover. */
const isWide: Signal<boolean> = signal(wide.matches);
wide.addEventListener("change", ({ matches }) => {
  isWide.value = matches;
});

/** The version, the number of checks, and whether sources are missing. */
function summarizeRuleset({ checks, needed }: RulesetFacts, version: number | undefined): string {
  const say = words.value;
  const missing = listMissingSources(needed).length;
  return [
    ...(version === undefined ? [] : [`v${version}`]),
    say.rulesetFacts(checks),
    missing === 0 ? say.rulesetAllHere : say.rulesetSomeMissing(missing, needed.length),
  ].join(" · ");
}

/** The tests of a preset, all of which are loaded together; undefined if it has none. */
async function loadPresetTests(preset: string): Promise<string | undefined> {
  const { PRESET_TESTS } = await import("./policy-tests/preset-test-texts.ts");
  return PRESET_TESTS[`../../../../../data/rulesets/${preset}.test.yaml`];
}

type EditorPart = typeof import("./RulesetEditor.tsx").RulesetEditor;

async function loadRulesetEditor(): Promise<EditorPart> {
  return (await import("./RulesetEditor.tsx")).RulesetEditor;
}

function findRulesetDescription(body: object): string | undefined {
  const { description } = body as { readonly description?: unknown };
  return typeof description === "string" ? description : undefined;
}

/** Option value of a ruleset that is in no catalog. */
const OWN = "\n";

/** Rulesets that lack sources, by the answerer that lacks them. */
interface Incomplete {
  readonly by: Answerer;
  readonly names: ReadonlySet<string>;
}

async function findIncompleteRulesets(
  by: Answerer,
  all: readonly NamedRuleset[],
): Promise<ReadonlySet<string>> {
  const found = all.map(({ name }) =>
    loadRulesetFacts(by, { id: name }, []).then(
      ({ needed }) => (needed.every(({ isHere }) => isHere) ? [] : name),
      () => [],
    ),
  );
  return new Set((await Promise.all(found)).flat());
}

function Choice({ id, isDisabled }: { readonly id: string; readonly isDisabled: boolean }): JSX.Element {
  const say = words.value;
  const chosen = ruleset.value;
  const all = rulesetChoices.value;
  const [incomplete, setIncomplete] = useState<Incomplete>();
  const by = answerer.value;
  const names = incomplete?.by === by ? incomplete?.names : undefined;
  const lacks = ({ name }: NamedRuleset): boolean => names?.has(name) === true;
  // Looked up before the list is opened, and not at the start of the page.
  const look = (): void => {
    if (by !== undefined && names === undefined) {
      void findIncompleteRulesets(by, all).then((found) => setIncomplete({ by, names: found }));
    }
  };
  const options = (list: readonly NamedRuleset[]): JSX.Element[] =>
    list.map(({ name, version }) => (
      <option key={name} value={name}>
        {say.rulesetTitles[name] ?? formatRulesetVersion(name, version)}
      </option>
    ));
  const own = all.filter((each) => !each.isPreset && !lacks(each));
  const needy = all.filter(lacks);
  const isKnown = chosen !== undefined && all.some(({ name }) => name === chosen.name);
  let current: JSX.Element | undefined;
  if (chosen === undefined) current = <option value="">{say.rulesetNone}</option>;
  else if ("body" in chosen) current = <option value={OWN}>{say.rulesetDraft(chosen.name)}</option>;
  else if (!isKnown) current = <option value={chosen.name}>{chosen.name}</option>;
  return (
    <select
      id={id}
      disabled={isDisabled}
      onFocus={look}
      onPointerEnter={look}
      value={chosen === undefined ? "" : "body" in chosen ? OWN : chosen.name}
      onChange={({ currentTarget: { value } }) => {
        if (value !== OWN && value !== "") ruleset.value = { id: value, name: value };
      }}
    >
      {current}
      {own.length > 0 && <optgroup label={say.rulesetCatalog}>{options(own)}</optgroup>}
      <optgroup label={say.rulesetPresets}>
        {options(all.filter((each) => each.isPreset && !lacks(each)))}
      </optgroup>
      {needy.length > 0 && <optgroup label={say.rulesetIncomplete}>{options(needy)}</optgroup>}
    </select>
  );
}

function formatRulesetVersion(name: string, version: number | undefined): string {
  return version === undefined ? name : words.value.rulesetVersion(name, version);
}
