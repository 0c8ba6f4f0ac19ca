import {
  autocompletion,
  type CompletionContext,
  type CompletionResult,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
} from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { json } from "@codemirror/lang-json";
import { bracketMatching, HighlightStyle, indentOnInput, syntaxHighlighting } from "@codemirror/language";
import { type Diagnostic, lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { EditorState } from "@codemirror/state";
import { EditorView, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view";
import type { ListedSource } from "@groundrule/contract";
import { tags } from "@lezer/highlight";
import schema from "../../../../packages/engine/schema/ruleset.schema.json";
import { findCompletionProposals, type Schema } from "./completion.ts";
import type { TextRange } from "./ruleset-text.ts";

export { findPointerRange, findSyntaxFault, parseSyntaxTree } from "./ruleset-text.ts";

/** A finding at its place in the text. */
export interface PlacedFinding extends TextRange {
  readonly severity: "error" | "warning";
  readonly message: string;
}

export interface Editor {
  text(): string;
  show(findings: readonly PlacedFinding[]): void;
  /** Moves the cursor to a place, and scrolls to it. */
  reveal(range: TextRange): void;
  focus(): void;
  close(): void;
}

interface EditorOptions {
  readonly text: string;
  /** Its label for screen readers, and the id of the explanation of its keys. */
  readonly label: string;
  readonly describedBy: string;
  readonly sources: () => readonly ListedSource[];
  readonly onChange: (text: string) => void;
}

const COMPLETION_TYPES = {
  member: "property",
  value: "enum",
  source: "namespace",
  set: "variable",
  column: "property",
  word: "keyword",
} as const;

const COLOURS = HighlightStyle.define([
  { tag: tags.propertyName, color: "var(--accent)" },
  { tag: tags.string, color: "var(--text)" },
  { tag: [tags.number, tags.bool, tags.null], color: "var(--notice)" },
  { tag: tags.invalid, color: "var(--non-compliant)" },
]);

const LOOK = EditorView.theme({
  "&": { height: "100%", color: "var(--text)", background: "var(--surface)", fontSize: "0.8125rem" },
  "&.cm-focused": { outline: "2px solid var(--focus)", outlineOffset: "-2px" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.55" },
  ".cm-content": { caretColor: "var(--text)" },
  ".cm-gutters": { color: "var(--muted)", background: "var(--ground)", borderRight: "1px solid var(--line)" },
  ".cm-activeLine": { background: "color-mix(in srgb, var(--accent) 6%, transparent)" },
  ".cm-tooltip": {
    color: "var(--text)",
    background: "var(--raised)",
    border: "1px solid var(--line)",
    borderRadius: "var(--radius)",
    maxWidth: "min(36rem, 90vw)",
  },
  ".cm-tooltip-autocomplete ul li[aria-selected]": {
    color: "var(--accent-text)",
    background: "var(--accent)",
  },
  ".cm-completionInfo": { maxWidth: "18rem" },
  ".cm-diagnostic-error": { borderLeftColor: "var(--non-compliant)" },
  ".cm-diagnostic-warning": { borderLeftColor: "var(--warning)" },
});

/** Opens an editor of a ruleset's JSON in an element. Its styles are confined to a shadow root. */
export function openRulesetEditor(element: HTMLElement, options: EditorOptions): Editor {
  // The page's strict policy allows constructed style sheets, but no inline styles.
  const root = element.shadowRoot ?? element.attachShadow({ mode: "open" });
  root.replaceChildren();
  const view = new EditorView({
    parent: root,
    root,
    state: EditorState.create({ doc: options.text, extensions: createEditorExtensions(options) }),
  });
  return {
    text: () => view.state.doc.toString(),
    show(findings) {
      const length = view.state.doc.length;
      const diagnostics = findings.map(({ from, to, severity, message }): Diagnostic => {
        const line = view.state.doc.lineAt(Math.min(from, length));
        if (to <= line.to) return { from: Math.min(from, length), to: Math.max(to, from), severity, message };
        // A finding over several lines is marked on its first.
        return { from: line.from + line.text.search(/\S|$/), to: line.to, severity, message };
      });
      view.dispatch(setDiagnostics(view.state, diagnostics));
    },
    reveal({ from, to }) {
      const length = view.state.doc.length;
      const selection = { anchor: Math.min(from, length), head: Math.min(to, length) };
      view.dispatch({ selection, effects: EditorView.scrollIntoView(selection.anchor, { y: "center" }) });
      view.focus();
    },
    focus: () => view.focus(),
    close: () => view.destroy(),
  };
}

function createEditorExtensions({ label, describedBy, sources, onChange }: EditorOptions) {
  return [
    lineNumbers(),
    lintGutter(),
    history(),
    indentOnInput(),
    bracketMatching(),
    closeBrackets(),
    highlightActiveLine(),
    json(),
    syntaxHighlighting(COLOURS),
    autocompletion({ override: [(context) => computeCompletions(context, sources())], icons: false }),
    // Tab keeps its usual meaning: it moves to the next control.
    keymap.of([
      ...closeBracketsKeymap,
      ...completionKeymap,
      ...historyKeymap,
      ...lintKeymap,
      ...defaultKeymap,
    ]),
    EditorView.lineWrapping,
    EditorView.contentAttributes.of({ "aria-label": label, "aria-describedby": describedBy }),
    EditorView.updateListener.of((update) => {
      if (update.docChanged) onChange(update.state.doc.toString());
    }),
    LOOK,
  ];
}

function computeCompletions(
  context: CompletionContext,
  sources: readonly ListedSource[],
): CompletionResult | null {
  const text = context.state.doc.toString();
  const found = findCompletionProposals(text, context.pos, schema as Schema, sources);
  if (found === undefined) return null;
  const isTyped = found.from < context.pos;
  if (!context.explicit && !isTyped) return null;
  return {
    from: found.from,
    to: found.to,
    filter: true,
    options: found.proposals.map(({ label, kind, detail, insert }) => ({
      // Labels are matched with the typed text, which begins with a quote if the whole string is replaced.
      label: text[found.from] === '"' ? `"${label}"` : label,
      displayLabel: label,
      type: COMPLETION_TYPES[kind],
      apply: insert,
      ...(detail !== undefined && (detail.length > 24 ? { info: detail } : { detail })),
    })),
  };
}
