/**
 * `docs/errors.md` as the page that the service serves, and that the `type` of a problem points into. Knows the
 * Markdown of that one page: headings, paragraphs, quotations, tables and fenced code.
 */
export function renderErrorsPage(markdown: string): string {
  const blocks = markdown
    .split(/\n{2,}/)
    .flatMap((block) => (block.trim() === "" ? [] : [renderBlock(block)]));
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>groundrule errors</title>
<style>${STYLE}</style>
</head>
<body>
<main>
${blocks.join("\n")}
</main>
</body>
</html>
`;
}

function renderBlock(block: string): string {
  const [, marks, title] = /^(#{1,3}) (.+)$/.exec(block) ?? [];
  if (marks !== undefined && title !== undefined) {
    const level = marks.length;
    return `<h${level} id="${anchorOf(title)}">${inline(title)}</h${level}>`;
  }
  const [, code] = /^```\w*\n([\s\S]*)\n```$/.exec(block) ?? [];
  if (code !== undefined) return `<pre><code>${escaped(code)}</code></pre>`;
  if (block.startsWith("> ")) return `<blockquote><p>${inline(block.replace(/^> /gm, ""))}</p></blockquote>`;
  if (block.startsWith("|")) return renderTable(block);
  return `<p>${inline(block)}</p>`;
}

/** The anchor that GitHub gives a heading, so that a link into the page works there as well. */
function anchorOf(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^a-z0-9_ -]/g, "")
    .replaceAll(" ", "-");
}

function renderTable(block: string): string {
  const [head = [], , ...rows] = block
    .trim()
    .split("\n")
    .map((line) => line.slice(1, -1).split("|"));
  const row = (cells: readonly string[], tag: string) =>
    `<tr>${cells.map((cell) => `<${tag}>${inline(cell.trim())}</${tag}>`).join("")}</tr>`;
  const body = rows.map((cells) => row(cells, "td")).join("\n");
  return `<div class="table" tabindex="0"><table>\n<thead>${row(head, "th")}</thead>\n<tbody>\n${body}\n</tbody>\n</table></div>`;
}

function inline(text: string): string {
  return text
    .split(/(`[^`]+`)/)
    .map((part) => (part.startsWith("`") ? `<code>${escaped(part.slice(1, -1))}</code>` : emphasis(part)))
    .join("");
}

function emphasis(text: string): string {
  return escaped(text).replace(/\*\*(.+?)\*\*/g, "<strong>$1</strong>");
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

const STYLE = [
  ":root{color-scheme:light dark}",
  "body{margin:0;font:1rem/1.55 system-ui,sans-serif;color:light-dark(#1b1b18,#e8e6e0);background:light-dark(#fff,#171715)}",
  "main{max-width:46rem;margin:0 auto;padding:1.5rem 1rem 4rem}",
  "h1,h2,h3{line-height:1.25;overflow-wrap:anywhere}",
  "h2{margin-top:2.5rem}h3{margin:2.25rem 0 .5rem;scroll-margin-top:1rem}",
  "h3:target{outline:.15rem solid light-dark(#8a5a00,#e0a73a);outline-offset:.35rem}",
  "code,pre{font:.9em/1.45 ui-monospace,monospace}code{overflow-wrap:anywhere}",
  "pre,.table{overflow-x:auto}pre{padding:.75rem;background:light-dark(#f4f3ef,#23231f)}",
  "blockquote{margin:.5rem 0;padding:.1rem .9rem;border-left:.2rem solid light-dark(#8d8b84,#77756d);overflow-wrap:anywhere}",
  "table{border-collapse:collapse;min-width:34rem;font-size:.92rem}",
  "th,td{padding:.35rem .6rem .35rem 0;text-align:left;vertical-align:top;border-bottom:1px solid light-dark(#d8d6cf,#3a3933)}",
].join("");
