import ts from "typescript";

/**
 * Asks for the function whose name stands at a position of a file, line and character as an editor's, from 1 and 0.
 *
 * @returns the classes of the errors that leave it
 */
export type FailuresAt = (
  file: string,
  position: { readonly line: number; readonly character: number },
) => ReadonlySet<string>;

/**
 * Tells which of the product's own errors can leave a function: those it throws, and those of the
 * functions it calls, as far as no `catch` keeps them. Calls of an interface's method go to all its
 * implementations. What comes from callbacks, from libraries, and plain `Error`s (bugs) is not told.
 */
export function createFailuresLookup(program: ts.Program, folder: string): FailuresAt {
  const checker = program.getTypeChecker();
  const sources = program.getSourceFiles().filter(({ fileName }) => fileName.startsWith(folder));
  const implementations = collectImplementations(sources, checker);
  const direct = new Map<ts.Node, Direct>();

  function directOf(body: ts.Node): Direct {
    let known = direct.get(body);
    if (known === undefined) {
      known = { thrown: [], called: [] };
      direct.set(body, known);
      visit(body, known, new Set());
    }
    return known;
  }

  /** @param kept classes whose errors a `catch` around the node keeps */
  function visit(node: ts.Node, into: Direct, kept: ReadonlySet<string>): void {
    if (ts.isTryStatement(node) && node.catchClause !== undefined) {
      if (containsThrow(node.catchClause))
        visit(node.tryBlock, into, new Set([...kept, ...listKeptErrors(node.catchClause)]));
      visit(node.catchClause, into, kept);
      if (node.finallyBlock !== undefined) visit(node.finallyBlock, into, kept);
      return;
    }
    const call = (bodies: readonly ts.Node[]) => into.called.push(...bodies.map((body) => ({ body, kept })));
    if (ts.isThrowStatement(node)) {
      const thrown = findErrorClass(checker.getTypeAtLocation(node.expression));
      if (thrown !== undefined && !kept.has(thrown)) into.thrown.push(thrown);
    }
    if (ts.isCallExpression(node) || ts.isNewExpression(node)) call(bodiesOf(node.expression));
    if (ts.isPropertyAccessExpression(node)) call(accessorsOf(node));
    // A function with a name of its own counts where it is called; an arrow function passed on counts here.
    if (ts.isFunctionDeclaration(node) || ts.isClassLike(node) || isMethod(node)) return;
    ts.forEachChild(node, (child) => visit(child, into, kept));
  }

  function bodiesOf(callee: ts.Expression): ts.Node[] {
    const symbol = resolveAlias(checker.getSymbolAtLocation(callee), checker);
    return symbol === undefined ? [] : bodiesOfSymbol(symbol);
  }

  function accessorsOf(node: ts.PropertyAccessExpression): ts.Node[] {
    const symbol = checker.getSymbolAtLocation(node);
    return (symbol?.declarations ?? []).filter(ts.isGetAccessorDeclaration).flatMap(listBodyNodes);
  }

  function bodiesOfSymbol(symbol: ts.Symbol): ts.Node[] {
    return [symbol, ...(implementations.get(symbol) ?? [])]
      .flatMap(({ declarations = [] }) => declarations)
      .filter((declaration) => declaration.getSourceFile().fileName.startsWith(folder))
      .flatMap(listBodyNodes);
  }

  function symbolAt(
    source: ts.SourceFile | undefined,
    { line, character }: { readonly line: number; readonly character: number },
  ): ts.Symbol | undefined {
    if (source === undefined) return undefined;
    const offset = source.getPositionOfLineAndCharacter(line - 1, character);
    const find = (node: ts.Node): ts.Node | undefined =>
      offset < node.getStart(source) || offset >= node.getEnd()
        ? undefined
        : (ts.forEachChild(node, find) ?? (ts.isIdentifier(node) ? node : undefined));
    const name = ts.forEachChild(source, find);
    return name === undefined ? undefined : resolveAlias(checker.getSymbolAtLocation(name), checker);
  }

  return (file, position) => {
    const found = new Set<string>();
    const symbol = symbolAt(program.getSourceFile(file), position);
    const none: ReadonlySet<string> = new Set();
    const start = symbol === undefined ? [] : bodiesOfSymbol(symbol);
    const waiting: Call[] = start.map((body) => ({ body, kept: none }));
    const seen = new Map<ts.Node, Set<string>>();
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const { body, kept } = next;
      const key = [...kept].sort().join();
      const keys = seen.get(body) ?? new Set();
      if (keys.has(key)) continue;
      seen.set(body, keys.add(key));
      const { thrown, called } = directOf(body);
      for (const name of thrown) if (!kept.has(name)) found.add(name);
      for (const call of called) waiting.push({ body: call.body, kept: new Set([...kept, ...call.kept]) });
    }
    return found;
  };
}

interface Direct {
  /** Classes of errors. */
  readonly thrown: string[];
  readonly called: Call[];
}

interface Call {
  readonly body: ts.Node;
  /** Classes whose errors do not come through. */
  readonly kept: ReadonlySet<string>;
}

/** Members of interfaces to the members of the classes and object literals that stand for them. */
function collectImplementations(
  sources: readonly ts.SourceFile[],
  checker: ts.TypeChecker,
): Map<ts.Symbol, ts.Symbol[]> {
  const found = new Map<ts.Symbol, ts.Symbol[]>();
  const relate = (type: ts.Type, members: readonly (ts.ClassElement | ts.ObjectLiteralElementLike)[]) => {
    for (const member of members) {
      const name = member.name !== undefined && ts.isIdentifier(member.name) ? member.name.text : undefined;
      const declared = name === undefined ? undefined : type.getProperty(name);
      const own = member.name === undefined ? undefined : checker.getSymbolAtLocation(member.name);
      const body = ts.isShorthandPropertyAssignment(member)
        ? checker.getShorthandAssignmentValueSymbol(member)
        : own;
      if (declared !== undefined && body !== undefined && declared !== body) {
        found.set(declared, [...(found.get(declared) ?? []), resolveAlias(body, checker) ?? body]);
      }
    }
  };
  const visit = (node: ts.Node): void => {
    if (ts.isClassLike(node)) {
      for (const clause of node.heritageClauses ?? []) {
        for (const type of clause.types) relate(checker.getTypeAtLocation(type), node.members);
      }
    }
    if (ts.isObjectLiteralExpression(node)) {
      const type = checker.getContextualType(node);
      if (type !== undefined) relate(type, [...node.properties]);
    }
    ts.forEachChild(node, visit);
  };
  for (const source of sources) visit(source);
  return found;
}

function listBodyNodes(declaration: ts.Node): ts.Node[] {
  if (ts.isClassLike(declaration))
    return declaration.members.filter(ts.isConstructorDeclaration).flatMap(listBodyNodes);
  if (ts.isFunctionLike(declaration)) {
    const { body } = declaration as ts.FunctionLikeDeclaration;
    return body === undefined ? [] : [body];
  }
  if (ts.isVariableDeclaration(declaration) || ts.isPropertyAssignment(declaration)) {
    const value = declaration.initializer;
    if (value !== undefined && (ts.isArrowFunction(value) || ts.isFunctionExpression(value)))
      return [value.body];
  }
  return [];
}

function isMethod(node: ts.Node): boolean {
  return ts.isMethodDeclaration(node) || (ts.isPropertyAssignment(node) && listBodyNodes(node).length > 0);
}

/** Classes of which a `catch` keeps every error: it asks for nothing but the class, and throws others on. */
function listKeptErrors(clause: ts.CatchClause): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (
      ts.isBinaryExpression(node) &&
      node.operatorToken.kind === ts.SyntaxKind.InstanceOfKeyword &&
      (ts.isIfStatement(node.parent) || ts.isParenthesizedExpression(node.parent))
    ) {
      found.push(node.right.getText());
    }
    ts.forEachChild(node, visit);
  };
  visit(clause.block);
  return found;
}

function containsThrow(node: ts.Node): boolean {
  return (
    ts.isThrowStatement(node) || ts.forEachChild(node, (child) => containsThrow(child) || undefined) === true
  );
}

/** The name of a class of errors that callers meet; plain `Error`s are bugs, and what is caught is of no known type. */
function findErrorClass(type: ts.Type): string | undefined {
  const name = type.getSymbol()?.name;
  return name?.endsWith("Error") === true && !BUGS.has(name) ? name : undefined;
}

const BUGS = new Set(["Error", "RangeError", "TypeError", "AssertionError"]);

function resolveAlias(symbol: ts.Symbol | undefined, checker: ts.TypeChecker): ts.Symbol | undefined {
  if (symbol === undefined) return undefined;
  return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
}
