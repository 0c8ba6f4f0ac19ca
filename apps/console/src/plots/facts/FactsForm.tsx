import type { FactDeclaration, FactDocument, FactValue } from "@groundrule/engine";
import { isFactValue } from "@groundrule/engine/internal";
import { findQuestion, findQuestionLanguage, translateText } from "@groundrule/words";
import type { AnswerWords } from "@groundrule/words/answers";
import { type Signal, signal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
import { answerWords } from "../../languages/answer-words.ts";
import { figures, tongue, words } from "../../languages/language.ts";
import { factParts, soughtFact } from "../../state/facts.ts";
import { notice } from "../../state/notice.ts";
import type { PagePlot } from "../../state/plot.ts";
import { canEvaluate, choosePlot, evaluatePlots, plots, selectedPlot } from "../../state/store.ts";
import { isUnanswered } from "../run-questions.ts";
import {
  enterFact,
  findFactValue,
  findListedPlot,
  findPlotProperty,
  findUnusedFacts,
  setPlotProperty,
} from "./enter-facts.ts";
import { isFactExcluded } from "./excluded-facts.ts";
import { parsePropertyGeometry } from "./read-property.ts";
import {
  buildInputWithFacts,
  buildPropertiesWithFacts,
  isWaiting,
  rulesetFacts,
  rulesetTongue,
} from "./ruleset-facts.ts";

factParts.value = {
  rulesetFacts,
  inputWithFacts: buildInputWithFacts,
  isWaiting,
  propertiesWithFacts: buildPropertiesWithFacts,
  findUnusedFacts,
};

/**
 * Typed text that is not a valid value yet, by plot and fact: kept while another plot is selected, until a value is
 * valid.
 */
const drafts: Signal<ReadonlyMap<string, unknown>> = signal(new Map());

function formatDraftKey(plot: PagePlot | undefined, fact: string): string {
  return `${plot?.key ?? ""} ${fact}`;
}

function storeDraft(key: string, draft: unknown): void {
  const others = [...drafts.peek()].filter(([each]) => each !== key);
  drafts.value = new Map(draft === undefined ? others : [...others, [key, draft]]);
}

/** True if answers are entered for all plots though one is chosen. */
const isForAll: Signal<boolean> = signal(false);

/**
 * A field for each fact that the ruleset asks for: of the chosen plot, or of all plots. Empty if it asks for none.
 */
export function FactsForm(): JSX.Element | null {
  const { facts = {}, usesProperty = false } = rulesetFacts.value ?? {};
  const isNeeded = usesProperty || Object.keys(facts).length > 0;
  return isNeeded ? <Form declarations={facts} usesProperty={usesProperty} /> : null;
}

function Form({
  declarations,
  usesProperty,
}: {
  readonly declarations: Readonly<Record<string, FactDeclaration>>;
  readonly usesProperty: boolean;
}): JSX.Element {
  const say = answerWords.value.form;
  const form = useRef<HTMLDetailsElement>(null);
  const chosen = selectedPlot.value;
  const count = plots.value.length;
  const plot = isForAll.value && count > 1 ? undefined : chosen;
  const answer = (fact: string): FactValue | undefined => findFactValue(plot, fact);
  const ruleset = rulesetFacts.value?.body;
  const facts = Object.entries(declarations).filter(
    ([fact]) => answer(fact) !== undefined || !isFactExcluded(ruleset, fact, answer),
  );
  const answered = facts.filter(([fact]) => answer(fact) !== undefined).length;
  const sought = soughtFact.value;
  useEffect(() => {
    if (sought === undefined) return;
    form.current!.open = true;
    soughtFact.value = undefined;
    // The panel may only now become visible.
    requestAnimationFrame(() => {
      const field = document.getElementById(formatFieldId(sought.fact));
      const row = field?.closest("details");
      if (row != null) row.open = true;
      field?.scrollIntoView({ block: "center" });
      field?.focus({ preventScroll: true });
    });
  }, [sought]);
  const isOpen = chosen !== undefined && chosen.input !== undefined && isUnanswered(chosen);
  const list = (isDocument: boolean): JSX.Element[] =>
    facts
      .filter(([, { type }]) => (type === "document") === isDocument)
      .map(([fact, declaration]) => (
        <Field key={`${plot?.key} ${fact}`} fact={fact} declaration={declaration} plot={plot} />
      ));
  const documents = list(true);
  return (
    <details class="facts" ref={form}>
      <summary>
        <h3>{say.title}</h3>
        {facts.length > 0 && (
          <span class="facts-told">{say.answered(formatNumber(answered), formatNumber(facts.length))}</span>
        )}
      </summary>
      <form
        aria-label={say.title}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (!isOpen || !canEvaluate.value) return;
          evaluatePlots([chosen.key]);
          choosePlot(chosen.key);
        }}
      >
        <p class="facts-help">{say.help}</p>
        {count > 1 && <Scope plot={plot} chosen={chosen} />}
        {list(false)}
        {documents.length > 0 && (
          <section>
            <h4>{say.documents}</h4>
            {documents}
          </section>
        )}
        {usesProperty || (plot !== undefined && findPlotProperty(plot) !== undefined) ? (
          <Property key={plot?.key} plot={plot} />
        ) : null}
        {isOpen && (
          <button type="submit" disabled={!canEvaluate.value}>
            {words.value.verdictAsk}
          </button>
        )}
      </form>
    </details>
  );
}

/** The choice between the chosen plot and all plots; without a chosen plot it is for all. */
function Scope({
  plot,
  chosen,
}: {
  readonly plot: PagePlot | undefined;
  readonly chosen: PagePlot | undefined;
}): JSX.Element {
  const say = answerWords.value.form;
  const scopes = [
    [false, say.thisPlot],
    [true, say.allPlots(formatNumber(plots.value.length))],
  ] as const;
  return (
    <fieldset class="facts-scope" aria-label={say.title}>
      {scopes.map(([isAll, text]) => (
        <label key={text}>
          <input
            type="radio"
            name="facts-scope"
            checked={isAll === (plot === undefined)}
            disabled={chosen === undefined}
            onChange={() => {
              isForAll.value = isAll;
            }}
          />
          {text}
        </label>
      ))}
    </fieldset>
  );
}

function formatOptionalNumber(value: number | undefined): string | undefined {
  return value === undefined ? undefined : formatNumber(value);
}

function formatNumber(value: number): string {
  return figures.value.plain(value);
}

/** The id of the element to focus for a missing fact, or with an empty name for the property. */
function formatFieldId(fact: string): string {
  return `fact-${fact}`;
}

interface FieldOf {
  readonly fact: string;
  readonly declaration: FactDeclaration;
  readonly plot: PagePlot | undefined;
}

function Field({ fact, declaration, plot }: FieldOf): JSX.Element {
  const say = answerWords.value.form;
  const { type } = declaration;
  const entered = findFactValue(plot, fact);
  const value = entered !== undefined && isFactValue(declaration, entered) ? entered : undefined;
  const text = findQuestion(rulesetTongue.value, fact);
  const tell = (next: FactValue | undefined): void => enterFact(plot, fact, next);
  const own = { fact, declaration, plot, value, text, tell, say };
  return (
    <div class="facts-field" lang={findQuestionLanguage(rulesetTongue.value, fact)}>
      {type === "boolean" && <YesNo {...own} />}
      {type === "number" && <NumberField {...own} />}
      {(type === "date" || type === "text") && <PlainField {...own} />}
      {type === "document" && <DocumentField {...own} />}
    </div>
  );
}

interface FieldProps extends FieldOf {
  readonly value: FactValue | undefined;
  readonly text: string;
  readonly say: AnswerWords["form"];
  readonly tell: (value: FactValue | undefined) => void;
}

function YesNo({ fact, value, text, say, tell }: FieldProps): JSX.Element {
  const answered = tongue.value.words.facts;
  const answers = [
    [true, answered.yes],
    [false, answered.no],
    [undefined, say.notAnswered],
  ] as const;
  return (
    <fieldset>
      <legend>{text}</legend>
      <div class="facts-answers">
        {answers.map(([answer, word]) => (
          <label key={word}>
            <input
              type="radio"
              name={formatFieldId(fact)}
              id={value === answer ? formatFieldId(fact) : undefined}
              checked={value === answer}
              onChange={() => tell(answer)}
            />
            {word}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

function NumberField({ fact, declaration, plot, value, text, say, tell }: FieldProps): JSX.Element {
  const { unit, min, max } = declaration;
  const fault = useId();
  const key = formatDraftKey(plot, fact);
  const draft = value === undefined ? (drafts.value.get(key) as string | undefined) : undefined;
  const shown = draft ?? (typeof value === "number" ? String(value) : "");
  return (
    <>
      <label for={formatFieldId(fact)}>{text}</label>
      <span class="facts-number">
        <input
          type="number"
          step="any"
          id={formatFieldId(fact)}
          min={min}
          max={max}
          value={shown}
          aria-invalid={draft !== undefined}
          aria-describedby={fault}
          onChange={({ currentTarget: { value: typed } }) => {
            const number = Number(typed);
            const isWanted = typed !== "" && isFactValue(declaration, number);
            storeDraft(key, typed === "" || isWanted ? undefined : typed);
            tell(isWanted ? number : undefined);
          }}
        />
        {unit !== undefined && <span>{unit}</span>}
      </span>
      <p id={fault} class="facts-fault" role="alert">
        {draft !== undefined && say.outside(formatOptionalNumber(min), formatOptionalNumber(max))}
      </p>
    </>
  );
}

/** A field for a day, or for one of some texts. */
function PlainField({ fact, declaration, value, text, say, tell }: FieldProps): JSX.Element {
  const common = {
    id: formatFieldId(fact),
    value: typeof value === "string" ? value : "",
    onChange: ({ currentTarget: { value: typed } }: { currentTarget: { value: string } }) =>
      tell(typed === "" ? undefined : typed),
  };
  return (
    <>
      <label for={common.id}>{text}</label>
      {declaration.type === "date" ? (
        <input type="date" {...common} />
      ) : (
        <select {...common}>
          <option value="">{say.notAnswered}</option>
          {declaration.values?.map((each) => (
            <option key={each} value={each}>
              {translateText(rulesetTongue.value, each)}
            </option>
          ))}
        </select>
      )}
    </>
  );
}

/** The members of a document as typed. */
type Draft = Readonly<Record<"id" | "issuer" | "issued_on" | "valid_until" | "hectares", string>>;

const NOTHING: Draft = { id: "", issuer: "", issued_on: "", valid_until: "", hectares: "" };

function DocumentField({ fact, plot, value, text, say, tell }: FieldProps): JSX.Element {
  const answered = tongue.value.words.facts;
  const note = useId();
  const key = formatDraftKey(plot, fact);
  const draft =
    value === undefined
      ? ((drafts.value.get(key) as Draft | undefined) ?? NOTHING)
      : toDraft(value as FactDocument);
  const isEmpty = Object.values(draft).every((typed) => typed.trim() === "");
  const read = buildFactDocument(draft);
  const change = (member: keyof Draft, typed: string): void => {
    const now = findFactValue(plot && findListedPlot(plot), fact) as FactDocument | undefined;
    const draft = now === undefined ? (drafts.peek().get(key) as Draft | undefined) : undefined;
    const next = { ...(draft ?? toDraft(now)), [member]: typed };
    const document = buildFactDocument(next);
    storeDraft(key, document === undefined ? next : undefined);
    tell(document);
  };
  const input = (
    member: keyof Draft,
    label: string,
    type: "text" | "date" | "number",
    isOptional = false,
  ): JSX.Element => (
    <label class={`facts-${member}`}>
      <span>
        {label}
        {isOptional && <span class="facts-optional"> ({say.optional})</span>}
      </span>
      <input
        {...({ type } as { readonly type: "text" })}
        id={member === "id" ? formatFieldId(fact) : undefined}
        {...(type === "number" ? { min: 0, step: "any" } : { maxLength: 256 })}
        value={draft[member]}
        required={!isOptional}
        onChange={(event) => change(member, event.currentTarget.value)}
      />
    </label>
  );
  const isReversed = draft.valid_until !== "" && draft.valid_until < draft.issued_on;
  const { missing, provided } = answerWords.value;
  return (
    <details class="facts-row">
      <summary>
        <span>{text}</span>
        <span class="facts-told">
          {value === undefined ? missing : `${provided} ${figures.value.shortDay(draft.issued_on)}`}
        </span>
      </summary>
      <fieldset aria-label={text} aria-describedby={note}>
        <div class="facts-document">
          {input("id", say.number, "text")}
          {input("issuer", answered.issuer, "text")}
          {input("issued_on", answered.issuedOn, "date")}
          {input("valid_until", answered.validUntil, "date", true)}
          {input("hectares", say.area, "number", true)}
        </div>
        <p id={note} class="facts-fault" role="status">
          {!isEmpty && read === undefined && (isReversed ? say.endsBefore : say.incomplete)}
        </p>
      </fieldset>
    </details>
  );
}

const SQUARE_METERS_PER_HECTARE = 10_000;

function toDraft(document: FactDocument | undefined): Draft {
  if (document === undefined) return NOTHING;
  const { id, issuer, issued_on, valid_until = "", area_m2 } = document;
  const hectares = area_m2 === undefined ? "" : String(area_m2 / SQUARE_METERS_PER_HECTARE);
  return { id, issuer, issued_on, valid_until, hectares };
}

/** The typed document; undefined while it is incomplete. */
function buildFactDocument(draft: Draft): FactDocument | undefined {
  const { issued_on, valid_until, hectares } = draft;
  const [id, issuer] = [draft.id.trim(), draft.issuer.trim()];
  if (id === "" || issuer === "" || issued_on === "") return undefined;
  if (valid_until !== "" && valid_until < issued_on) return undefined;
  // Rounded to the square centimetre, to remove the noise of the product.
  const area_m2 = Math.round(Number(hectares) * SQUARE_METERS_PER_HECTARE * 1e4) / 1e4;
  if (!(area_m2 >= 0)) return undefined;
  return {
    id,
    issuer,
    issued_on,
    ...(valid_until !== "" && { valid_until }),
    ...(hectares !== "" && { area_m2 }),
  };
}

/** The property around a plot, from a file. */
function Property({ plot }: { readonly plot: PagePlot | undefined }): JSX.Element {
  const say = answerWords.value.form;
  const help = useId();
  if (plot?.input === undefined) return <p class="facts-help">{say.choosePlot}</p>;
  const hasProperty = findPlotProperty(plot) !== undefined;
  return (
    <fieldset>
      <legend>{say.property}</legend>
      <p id={help} class="facts-help">
        {!hasProperty && say.propertyHelp}
      </p>
      <span class="plots-choose">
        <input
          type="file"
          id={formatFieldId("")}
          accept=".geojson,.json"
          aria-label={hasProperty ? say.changeProperty : say.addProperty}
          aria-describedby={help}
          onChange={async ({ currentTarget }) => {
            const [file] = currentTarget.files ?? [];
            if (file === undefined) return;
            const property = parsePropertyGeometry(await file.text());
            currentTarget.value = "";
            if (property === undefined) notice.value = say.noPolygons(file.name);
            else setPlotProperty(plot, property);
          }}
        />
        <span>{hasProperty ? say.changeProperty : say.addProperty}</span>
      </span>
      {hasProperty && (
        <button type="button" class="quiet" onClick={() => setPlotProperty(plot, undefined)}>
          {say.removeProperty}
        </button>
      )}
    </fieldset>
  );
}
