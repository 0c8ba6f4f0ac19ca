import type { JSX } from "preact";
import { words } from "../languages/language.ts";
import { answerer, type ChosenRuleset, ruleset } from "../state/store.ts";
import {
  describeNeededSources,
  formatInstallCommand,
  formatTotalBytes,
  listMissingSources,
  type RulesetFacts,
} from "./ruleset-needs.ts";

interface RulesetMoreProps {
  readonly chosen: ChosenRuleset | undefined;
  readonly facts: RulesetFacts | undefined;
  /** Its name with its version, where its title says neither. */
  readonly version: string | undefined;
  readonly description: string | undefined;
  /** True of a preset, whose description is English. */
  readonly isPreset: boolean;
  /** Absent while it cannot be edited. */
  readonly onEdit: (() => void) | undefined;
}

/** The chosen ruleset: its description, the sources that it needs, and its editor. */
export function RulesetMore({
  chosen,
  facts,
  version,
  description,
  isPreset,
  onEdit,
}: RulesetMoreProps): JSX.Element {
  const say = words.value;
  return (
    <>
      {version !== undefined && <p class="rules-hint">{version}</p>}
      {description !== undefined && description !== "" && (
        <Description text={description} isEnglish={isPreset} />
      )}
      {facts !== undefined && <Needed facts={facts} chosen={chosen} />}
      <div class="rules-actions">
        <button type="button" disabled={onEdit === undefined} onClick={onEdit}>
          {chosen === undefined ? say.rulesetNew : say.rulesetEdit}
        </button>
      </div>
    </>
  );
}

function describeRulesetFacts({ checks, needed }: RulesetFacts): string {
  return `${words.value.rulesetFacts(checks)} · ${describeNeededSources(needed)}`;
}

/** The sources that the chosen ruleset needs: their state and age, and how to install missing ones. */
function Needed({
  facts,
  chosen,
}: {
  readonly facts: RulesetFacts;
  readonly chosen: ChosenRuleset | undefined;
}): JSX.Element {
  const say = words.value;
  const { needed } = facts;
  const isComplete = needed.every(({ isHere }) => isHere);
  return (
    <>
      <p class="rules-quiet">{describeRulesetFacts(facts)}</p>
      <ul class="rules-needs">
        {needed.map(({ name, isHere, day, manifests }) => (
          <li key={name}>
            <code>{name}</code>{" "}
            {isHere
              ? day
              : say.rulesetMissing(
                  manifests.map(([by, bytes]) => `${by} (${formatTotalBytes([bytes])})`).join(", "),
                )}
          </li>
        ))}
      </ul>
      {!isComplete && (
        <p class="rules-missing" role="status">
          {say.rulesetBring} <code>{formatInstallCommand(chosen)}</code>
        </p>
      )}
      {(!isComplete || chosen?.without !== undefined) && chosen !== undefined && (
        <Without needed={needed} chosen={chosen} />
      )}
    </>
  );
}

/** Offers to evaluate without the missing sources, by name; only if the page itself answers. */
function Without({
  needed,
  chosen,
}: {
  readonly needed: RulesetFacts["needed"];
  readonly chosen: ChosenRuleset;
}): JSX.Element | null {
  const say = words.value;
  if (answerer.value?.place !== "here") return null;
  const { without, ...whole } = chosen;
  if (without !== undefined) {
    return (
      <p class="rules-missing" role="status">
        {say.rulesetWithout(without.join(", "))}{" "}
        <button type="button" onClick={() => (ruleset.value = whole as ChosenRuleset)}>
          {say.rulesetWithAll}
        </button>
      </p>
    );
  }
  const missing = listMissingSources(needed);
  return (
    <div class="rules-actions">
      <button type="button" onClick={() => (ruleset.value = { ...chosen, without: missing })}>
        {say.rulesetEvaluateWithout(missing.length)}
      </button>
    </div>
  );
}

/** The first sentences of a description, and the rest on request. */
function Description({
  text,
  isEnglish,
}: {
  readonly text: string;
  /** The language of others is not known. */
  readonly isEnglish: boolean;
}): JSX.Element {
  const lang = isEnglish ? "en" : undefined;
  if (text.length <= 180) {
    return (
      <p class="rules-description" lang={lang}>
        {text}
      </p>
    );
  }
  const end = /[.;:] /.exec(text.slice(60))?.index;
  const head = text.slice(0, end === undefined || end > 160 ? 140 : 60 + end + 1);
  return (
    <details class="rules-description" lang={lang}>
      <summary>{`${head} …`}</summary>
      <p>{text.slice(head.length).trimStart()}</p>
    </details>
  );
}
