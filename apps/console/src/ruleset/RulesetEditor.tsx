import type { Ruleset } from "@groundrule/engine";
import type { Plan } from "@groundrule/engine/rulesets";
import type { JSX } from "preact";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { AnswerProblem } from "../answering/answerer.ts";
import { words } from "../languages/language.ts";
import { offerDownload } from "../parts/save-file.ts";
import { answerer, ruleset, selectedPlot, sources } from "../state/store.ts";
import type { Editor } from "./editor.ts";
import { FindingsList } from "./FindingsList.tsx";
import { Outline } from "./Outline.tsx";
import { PlanView } from "./PlanView.tsx";
import { TestsView } from "./policy-tests/TestsView.tsx";
import { type CheckedText, checkRulesetText, type Found, rulesetChoices } from "./ruleset-state.ts";

/** Time without changes after which a text is checked, milliseconds. */
const STILL_MS = 250;

type Message = { readonly kind: "good" | "bad"; readonly text: string } | undefined;
type Side = "findings" | "plan" | "tests";

/** A ruleset to open in the editor. */
export interface RulesetDraft {
  readonly name: string;
  readonly text: string;
  /** A test file for it, in YAML. */
  readonly tests?: string | undefined;
}

/** Edits a ruleset: completion, findings while typing, the plan; then it can be used, saved or downloaded. */
export function RulesetEditor({
  draft,
  onClose,
}: {
  readonly draft: RulesetDraft;
  readonly onClose: () => void;
}): JSX.Element {
  const say = words.value;
  const dialog = useRef<HTMLDialogElement>(null);
  const place = useRef<HTMLDivElement>(null);
  const editor = useRef<Editor | undefined>(undefined);
  const [name, setName] = useState(draft.name);
  const [checked, setChecked] = useState<CheckedText>();
  const [plan, setPlan] = useState<Plan>();
  const [side, setSide] = useState<Side>("findings");
  const [tests, setTests] = useState(draft.tests ?? "");
  const [message, setMessage] = useState<Message>();
  const [title, help, nameField] = [useId(), useId(), useId()];

  useEffect(() => {
    dialog.current?.showModal();
    let isOver = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const check = async (text: string): Promise<void> => {
      const found = await checkRulesetText(text, answerer.peek()).catch((error: unknown) => {
        setMessage({ kind: "bad", text: getErrorMessage(error) });
      });
      // Text typed since then has its own check.
      if (isOver || found === undefined || editor.current?.text() !== text) return;
      editor.current.show(found.findings.map(toEditorMark));
      setChecked(found);
    };
    void import("./editor.ts").then(
      ({ openRulesetEditor: openEditor }) => {
        if (isOver || place.current === null) return;
        editor.current = openEditor(place.current, {
          text: draft.text,
          label: say.rulesetEditorLabel,
          describedBy: help,
          sources: () => sources.peek(),
          onChange: (text) => {
            clearTimeout(timer);
            setMessage(undefined);
            timer = setTimeout(() => void check(text), STILL_MS);
          },
        });
        void check(draft.text);
        editor.current.focus();
      },
      (error: unknown) => setMessage({ kind: "bad", text: getErrorMessage(error) }),
    );
    return () => {
      isOver = true;
      clearTimeout(timer);
      editor.current?.close();
    };
  }, []);

  const body = checked?.body;
  const hasErrors = checked?.findings.some(({ severity }) => severity === "error") ?? true;
  const use = (): void => {
    ruleset.value = { body: body!, name };
    dialog.current?.close();
  };
  const save = async (): Promise<void> => {
    try {
      const saved = await answerer.peek()!.saveRuleset!(name, body!);
      rulesetChoices.value = await answerer.peek()!.rulesets();
      ruleset.value = { id: saved.name, name: saved.name };
      setMessage({ kind: "good", text: say.rulesetSaved(saved.name, saved.version) });
    } catch (error) {
      setMessage({ kind: "bad", text: formatRefusal(error) });
    }
  };
  const go = (pointer: string): void => {
    const text = editor.current?.text() ?? "";
    void import("./editor.ts").then(({ findPointerRange: rangeOf, parseSyntaxTree: treeOf }) => {
      const { from } = rangeOf(text, treeOf(text), pointer);
      editor.current?.reveal({ from, to: from });
    });
  };
  const explain = async (): Promise<void> => {
    setSide("plan");
    setPlan(undefined);
    try {
      const input = selectedPlot.peek()?.input ?? {};
      setPlan(await answerer.peek()!.explain({ input, ruleset: { body: body! } }));
    } catch (error) {
      setSide("findings");
      setMessage({ kind: "bad", text: getErrorMessage(error) });
    }
  };
  const canUse = body !== undefined && !hasErrors;
  const findings = say.rulesetFindings(checked?.findings.length ?? 0);
  const sides = [
    { name: "findings", text: findings, canOpen: true, open: () => setSide("findings") },
    { name: "plan", text: say.rulesetExplain, canOpen: canUse, open: explain },
    { name: "tests", text: say.rulesetTests, canOpen: body !== undefined, open: () => setSide("tests") },
  ] as const;
  return (
    <dialog class="rules-editor" ref={dialog} aria-labelledby={title} onClose={onClose}>
      <header class="rules-head">
        <h2 id={title}>{say.rulesetEditorTitle}</h2>
        <label for={nameField}>{say.rulesetName}</label>
        <input
          id={nameField}
          type="text"
          value={name}
          spellcheck={false}
          onInput={({ currentTarget }) => setName(currentTarget.value)}
        />
        <button
          type="button"
          class="quiet rules-close"
          aria-label={say.appClose}
          onClick={() => dialog.current?.close()}
        >
          <svg class="mark" viewBox="0 0 24 24" aria-hidden="true">
            <path d="M6 6l12 12M18 6 6 18" />
          </svg>
        </button>
      </header>
      <div class="rules-body">
        <div class="rules-text">
          <div class="rules-code" ref={place} />
          <p id={help} class="rules-keys">
            {say.rulesetKeys}
          </p>
        </div>
        <div class="rules-side">
          <div class="rules-views">
            {sides.map(({ name, text, canOpen, open }) => (
              <button
                key={name}
                type="button"
                aria-pressed={side === name}
                disabled={!canOpen}
                onClick={() => void open()}
              >
                {text}
              </button>
            ))}
          </div>
          {side === "findings" && (
            <>
              <FindingsList
                findings={checked?.findings}
                lineOf={(at) => (editor.current?.text() ?? "").slice(0, at).split("\n").length}
                onGo={(range) => editor.current?.reveal(range)}
              />
              {canUse && <Outline ruleset={body as Ruleset} onGo={go} />}
            </>
          )}
          {side === "plan" && <PlanView plan={plan} />}
          {side === "tests" && <TestsView name={name} ruleset={body} yaml={tests} onYaml={setTests} />}
        </div>
      </div>
      <footer class="rules-foot">
        <p role="status" data-kind={message?.kind}>
          {message?.text}
        </p>
        <button
          type="button"
          onClick={() => offerDownload(`${name}.json`, "application/json", editor.current?.text() ?? "")}
        >
          {say.rulesetDownload}
        </button>
        {answerer.value?.saveRuleset !== undefined && (
          <button type="button" disabled={!canUse} onClick={() => void save()}>
            {answerer.value.place === "here" ? say.rulesetKeep : say.rulesetSave}
          </button>
        )}
        <button type="button" class="primary" disabled={!canUse} onClick={use}>
          {say.rulesetUse}
        </button>
      </footer>
    </dialog>
  );
}

function toEditorMark({ from, to, severity, message, hint }: Found): Parameters<Editor["show"]>[0][number] {
  return {
    from,
    to,
    severity: severity === "error" ? "error" : "warning",
    message: hint === undefined ? message : `${message}\n${hint}`,
  };
}

function getErrorMessage(error: unknown): string {
  if (error instanceof AnswerProblem) return error.message;
  return error instanceof Error ? error.message : String(error);
}

/** The catalog's refusal, explained for people if its code is known. */
function formatRefusal(error: unknown): string {
  const say = words.value;
  if (!(error instanceof AnswerProblem)) return getErrorMessage(error);
  switch (error.code) {
    case "RULESET_ALREADY_EXISTS":
      return say.rulesetTaken;
    case "SCOPE_INSUFFICIENT":
      return say.rulesetNoScope;
    default:
      return [error.message, ...error.faults.map(({ message }) => message)]
        .filter((text, i, all) => all.indexOf(text) === i)
        .join(" ");
  }
}
