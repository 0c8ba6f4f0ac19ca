import { escapeHtml, type Html, html, markTrustedHtml } from "./html.ts";

/** Comment syntax by language; languages without colours are absent. */
const COMMENTS: Readonly<Record<string, string>> = {
  json: "//[^\\n]*",
  js: "//[^\\n]*|/\\*[\\s\\S]*?\\*/",
  ts: "//[^\\n]*|/\\*[\\s\\S]*?\\*/",
  sh: "(?<=^|\\s)#[^\\n]*",
  python: "#[^\\n]*",
  yaml: "(?<=^|\\s)#[^\\n]*",
  sql: "--[^\\n]*",
};

const WORDS =
  "as|async|await|catch|class|const|def|else|export|for|from|function|if|import|in|let|new|of|return|throw|try|type|while|with|SELECT|FROM|WHERE|JOIN|ON|AND|AS";

/** Matches keys, strings, numbers and comments. A string before a colon is a key, and so is an option of a command. */
function buildTokenPattern(language: string, comment: string): RegExp {
  const key = {
    sh: "(?<=\\s)--?[A-Za-z][\\w-]*",
    yaml: "(?<=^[ -]*)[\\w./-]+(?=:)",
  }[language];
  return new RegExp(
    [
      `(?<comment>${comment})`,
      `(?<key>"(?:[^"\\\\\\n]|\\\\.)*"(?=\\s*:)|${key ?? `\\b(?:${WORDS})\\b|\\b\\w+(?=: )`})`,
      `(?<string>"(?:[^"\\\\]|\\\\.)*"|'[^']*'${language === "sh" ? "" : "|`[^`]*`"})`,
      "(?<number>(?<![\\w.-])-?\\d[\\d_]*(?:\\.\\d+)?(?:e[+-]?\\d+)?\\b)",
    ].join("|"),
    "gm",
  );
}

/** Code as HTML, its tokens in spans of the classes `key`, `string`, `number` and `comment`. */
function renderHighlightedCode(text: string, language: string): string {
  const comment = COMMENTS[language];
  if (comment === undefined) return escapeHtml(text);
  let written = "";
  let at = 0;
  for (const match of text.matchAll(buildTokenPattern(language, comment))) {
    const kind = Object.entries(match.groups!).find(([, found]) => found !== undefined)![0];
    written += `${escapeHtml(text.slice(at, match.index))}<span class="${kind}">${escapeHtml(match[0])}</span>`;
    at = match.index + match[0].length;
  }
  return written + escapeHtml(text.slice(at));
}

/** A block of code, to which the page's script adds a copy button. */
export function renderCodeBlock(text: string, language = "text"): Html {
  return html`<div class="code"><pre tabindex="0"><code>${markTrustedHtml(renderHighlightedCode(text, language))}</code></pre></div>`;
}
