import ts from "typescript";

/** An opening of a comment that leaves out its subject, a word that names nothing, or a name that ends in `Of`. */
export interface Place {
  readonly file: string;
  /** From 1. */
  readonly line: number;
  readonly kind: "opening" | "word" | "of";
  /** The first line of the comment, or the name. */
  readonly text: string;
}

const OPENINGS = "(?:who|whoever|of|so many|so much|that|such as|whether|what)\\b";
const OPENING = new RegExp(`^${OPENINGS}`, "i");
const WORDS = new Set("told asked given beside standing standings held lot lots deed deeds".split(" "));
/** Most scripts do not match: their comments need not be found. */
const MAY_OPEN = new RegExp(`/[/*][\\s*/]{0,99}${OPENINGS}`, "i");

/**
 * All places of one file, in its order. Comments are read in TypeScript, JavaScript, CSS, Python and YAML, declared names in
 * the first two.
 *
 * @param file path below the root, by whose ending its language is known
 * @param text its content
 */
export function findTextPlaces(file: string, text: string): Place[] {
  const places = /\.[cm]?[jt]sx?$/.test(file)
    ? findPlacesInScript(file, text)
    : findPlacesInOtherFile(file, text);
  const words = splitName(file).some((part) => WORDS.has(part));
  return words ? [{ file, line: 1, kind: "word", text: file }, ...places] : places;
}

/** Lower-case words of a name in camelCase, UPPER_CASE or kebab-case. */
const splitName = (name: string): string[] =>
  name
    .replaceAll(/([a-z\d])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z\d]+/);

interface Comment {
  readonly line: number;
  /** Without the signs that begin it, from its first word on. */
  readonly text: string;
}

const openings = (file: string, comments: readonly Comment[]): Place[] =>
  comments
    .filter(({ text }) => OPENING.test(text))
    .map(({ line, text }) => ({ file, line, kind: "opening", text: text.split("\n", 1)[0]! }));

function findPlacesInScript(file: string, text: string): Place[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const lineAt = (position: number): number => source.getLineAndCharacterOfPosition(position).line + 1;
  const names = listDeclaredNames(source).flatMap((name): Place[] => {
    const place = { file, line: lineAt(name.getStart(source)), text: name.text };
    const found: Place[] = splitName(name.text).some((part) => WORDS.has(part))
      ? [{ ...place, kind: "word" }]
      : [];
    return isFunctionOrConstant(name.parent) && name.text.endsWith("Of")
      ? [...found, { ...place, kind: "of" }]
      : found;
  });
  const comments = MAY_OPEN.test(text) ? listScriptComments(source, lineAt) : [];
  return [...openings(file, comments), ...names].sort((a, b) => a.line - b.line);
}

/** Lines of `//` that follow each other at one column are one comment. */
function listScriptComments(source: ts.SourceFile, lineAt: (position: number) => number): Comment[] {
  const text = source.text;
  const ranges = new Map<number, ts.CommentRange>();
  const keep = (found: readonly ts.CommentRange[] | undefined): void => {
    for (const range of found ?? []) ranges.set(range.pos, range);
  };
  const visit = (node: ts.Node): void => {
    const children = node.getChildren(source);
    if (children.length === 0 && node.kind !== ts.SyntaxKind.JsxText) {
      keep(ts.getLeadingCommentRanges(text, node.pos));
      if (!isBeforeJsxText(node)) keep(ts.getTrailingCommentRanges(text, node.end));
    }
    // Docstrings are children too, and are found as comments.
    for (const child of children) if (!ts.isJSDoc(child)) visit(child);
  };
  visit(source);
  const comments: Comment[] = [];
  let above: { line: number; column: number } | undefined;
  for (const { pos, end, kind } of [...ranges.values()].sort((a, b) => a.pos - b.pos)) {
    const { line, character: column } = source.getLineAndCharacterOfPosition(pos);
    const isLine = kind === ts.SyntaxKind.SingleLineCommentTrivia;
    const continues = isLine && above?.line === line - 1 && above.column === column;
    above = isLine ? { line, column } : undefined;
    if (!continues)
      comments.push({ line: lineAt(pos), text: text.slice(pos, end).replace(/^(?:\/\/|\/\*)[\s*/]*/, "") });
  }
  return comments;
}

/** After a tag or an expression, `//` is text of the page. */
const isBeforeJsxText = ({ kind, parent }: ts.Node): boolean =>
  (kind === ts.SyntaxKind.GreaterThanToken || kind === ts.SyntaxKind.CloseBraceToken) &&
  (ts.isJsxOpeningLikeElement(parent) ||
    ts.isJsxClosingElement(parent) ||
    ts.isJsxOpeningFragment(parent) ||
    ts.isJsxClosingFragment(parent) ||
    ts.isJsxExpression(parent));

function listDeclaredNames(source: ts.SourceFile): (ts.Identifier | ts.PrivateIdentifier)[] {
  const names: (ts.Identifier | ts.PrivateIdentifier)[] = [];
  const visit = (node: ts.Node): void => {
    const name = findDeclaredName(node);
    if (name !== undefined && (ts.isIdentifier(name) || ts.isPrivateIdentifier(name))) names.push(name);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return names;
}

/** The name that a node declares. Members of wire texts are among them: object literals declare what they name. */
function findDeclaredName(node: ts.Node): ts.Node | undefined {
  if (ts.isImportSpecifier(node) || ts.isExportSpecifier(node))
    return node.propertyName === undefined ? undefined : node.name;
  const declares =
    ts.isVariableDeclaration(node) ||
    ts.isParameter(node) ||
    ts.isBindingElement(node) ||
    ts.isFunctionLike(node) ||
    ts.isClassLike(node) ||
    ts.isInterfaceDeclaration(node) ||
    ts.isTypeAliasDeclaration(node) ||
    ts.isEnumDeclaration(node) ||
    ts.isEnumMember(node) ||
    ts.isPropertySignature(node) ||
    ts.isPropertyDeclaration(node) ||
    ts.isPropertyAssignment(node) ||
    ts.isTypeParameterDeclaration(node) ||
    ts.isNamespaceImport(node) ||
    ts.isImportClause(node);
  return declares ? node.name : undefined;
}

const isFunctionOrConstant = (node: ts.Node): boolean =>
  ts.isVariableDeclaration(node) || ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node);

function findPlacesInOtherFile(file: string, text: string): Place[] {
  if (file.endsWith(".css")) return openings(file, styleComments(text));
  return /\.(?:py|ya?ml)$/.test(file) ? openings(file, listLineComments(text)) : [];
}

const styleComments = (text: string): Comment[] =>
  [...text.matchAll(/\/\*[\s*]*/g)].map(({ index, 0: sign }) => ({
    line: text.slice(0, index).split("\n").length,
    text: text.slice(index + sign.length),
  }));

/** Comments that begin with `#`, of which lines that follow each other are one, and the docstrings of Python. */
function listLineComments(text: string): Comment[] {
  const lines = text.split("\n");
  return lines.flatMap((line, index): Comment[] => {
    const found = /^\s*"""\s*(.+)/.exec(line) ?? /(?:^|\s)#:?\s*(.*)/.exec(line);
    const continues = /^\s*#/.test(line) && /^\s*#/.test(lines[index - 1] ?? "");
    return found === null || continues ? [] : [{ line: index + 1, text: found[1]! }];
  });
}
