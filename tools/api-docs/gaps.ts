import {
  Comment,
  type DeclarationReflection,
  type ParameterReflection,
  type ProjectReflection,
  type Reflection,
  ReflectionKind,
  type SignatureReflection,
} from "typedoc";
import ts from "typescript";
import type { FailuresAt } from "./throws.ts";
import { findMemberSentence } from "./words.ts";

/** One thing that a docstring leaves out. */
export interface Gap {
  readonly name: string;
  readonly file: string;
  readonly line: number;
  readonly lacks: string;
}

/**
 * Gaps in the docstrings of a reference:
 *
 * - a name of an entry point, or a member of one, without a docstring;
 * - a number, text or bytes among the parameters that neither its name nor the docstring explains;
 * - a function that can throw one of the product's errors and does not say `Fails:`.
 */
export function findDocstringGaps(
  project: ProjectReflection,
  program: ts.Program,
  failuresAt: FailuresAt,
): Gap[] {
  const gaps: Gap[] = [];
  const exported = new Set(project.getReflectionsByKind(TYPES).map(({ name }) => name));
  for (const reflection of Object.values(project.reflections)) {
    const { file, line, character } = getSourcePlace(reflection);
    const tell = (lacks: string): void => {
      gaps.push({ name: reflection.getFullName(), file, line, lacks });
    };
    if (reflection.isDeclaration() && file !== "" && !file.includes("/node_modules/")) {
      if (reflection.kindOf(NAMED) && !isExplained(reflection, exported, program)) tell("no docstring");
      for (const signature of reflection.signatures ?? []) {
        for (const parameter of signature.parameters ?? []) {
          if (!isParameterExplained(parameter, signature)) tell(`\`${parameter.name}\` is not explained`);
        }
        liftParameterParagraphs(signature);
        const said =
          joinCommentText(signature.comment) +
          joinCommentText(reflection.comment) +
          joinCommentText(reflection.parent?.comment);
        const failures = failuresAt(file, { line, character });
        if (failures.size > 0 && !FAILS.test(said))
          tell(`can throw ${[...failures].join(", ")}, and does not say \`Fails:\``);
      }
    }
  }
  return gaps.sort((a, b) => (a.file === b.file ? a.line - b.line : a.file < b.file ? -1 : 1));
}

/** "Fails:", or "Fails, as the features are read:" */
const FAILS = /\bFails\b[^.]*:/;

const TYPES = ReflectionKind.Class | ReflectionKind.Interface | ReflectionKind.TypeAlias;
const NAMED =
  ReflectionKind.Class |
  ReflectionKind.Interface |
  ReflectionKind.TypeAlias |
  ReflectionKind.Variable |
  ReflectionKind.Function |
  ReflectionKind.Method |
  ReflectionKind.Property |
  ReflectionKind.Accessor;

/**
 * Paragraphs after a `@param` ("Fails: …", "Source: …") belong to the function. TypeDoc, as JSDoc has it, takes
 * them for the parameter's.
 */
function liftParameterParagraphs({ comment, parameters = [] }: SignatureReflection): void {
  if (comment === undefined) return;
  for (const own of parameters.flatMap(listParameterComments)) {
    const at = own.summary.findIndex(({ text }) => APART.test(text));
    if (at < 0) continue;
    const [part, ...rest] = own.summary.splice(at);
    const end = part!.text.search(APART);
    own.summary.push({ ...part!, text: part!.text.slice(0, end) });
    comment.summary.push({ ...part!, text: `\n\n${part!.text.slice(end).trimStart()}` }, ...rest);
  }
}

/** Where a parameter's own words end. */
const APART = /\n\n|\n(?=(?:Fails|Error|Source)\b)/;

/** The comment of a parameter, and those of its members: `@param options.crs` is the member's. */
function listParameterComments({ comment, type }: ParameterReflection): Comment[] {
  const members = type?.type === "reflection" ? (type.declaration.children ?? []) : [];
  return [comment, ...members.map((member) => member.comment)].filter((found) => found !== undefined);
}

/** Rules that fill a gap, so that no docstring need repeat them. Fills it in, and returns true if it could. */
function isExplained(
  reflection: DeclarationReflection,
  exported: ReadonlySet<string>,
  program: ts.Program,
): boolean {
  if (joinCommentText(reflection.comment) !== "") return true;
  const signatures = [...(reflection.signatures ?? []), reflection.getSignature, reflection.setSignature];
  if (signatures.some((signature) => joinCommentText(signature?.comment) !== "")) return true;
  if (reflection.kindOf(ReflectionKind.Property)) {
    const word =
      findShapeDescription(reflection, program) ??
      findMemberSentence(reflection.name, getEntryName(reflection));
    if (word !== undefined) {
      reflection.comment = new Comment([{ kind: "text", text: word }]);
      return true;
    }
    return isTypeEnough(reflection, exported);
  }
  const schemaOf = /^(.*)(?:Schema|Shape|Members)$/.exec(reflection.name)?.[1];
  const described = schemaOf === undefined ? "" : schemaOf[0]!.toUpperCase() + schemaOf.slice(1);
  if (!exported.has(described)) return false;
  reflection.comment = new Comment([
    { kind: "text", text: `Checks and describes the type \`${described}\`.` },
  ]);
  return true;
}

/** Words of a member next to its shape, from which its type is made: `describedAs(number(), "Metres")`. */
function findShapeDescription(reflection: DeclarationReflection, program: ts.Program): string | undefined {
  const { file, line, character } = getSourcePlace(reflection);
  const source = program.getSourceFile(file);
  if (source === undefined) return undefined;
  const start = source.getPositionOfLineAndCharacter(line - 1, character);
  const said = (node: ts.Node): string | undefined => {
    if (node.getStart(source) !== start || !ts.isPropertyAssignment(node)) {
      return node.pos <= start && start < node.end ? ts.forEachChild(node, said) : undefined;
    }
    if (!ts.isCallExpression(node.initializer)) return undefined;
    const { expression, arguments: args } = node.initializer;
    const words = args.at(1);
    const isSaid = /^(?:describedAs|optional)$/.test(expression.getText(source));
    return isSaid && words !== undefined && ts.isStringLiteral(words) ? `${words.text}.` : undefined;
  };
  return said(source);
}

/** One literal tells itself apart, and `scheme: Scheme` is told by its type. */
function isTypeEnough({ name, type }: DeclarationReflection, exported: ReadonlySet<string>): boolean {
  if (type === undefined) return false;
  if (type.type === "literal") return true;
  const of = type
    .toString()
    .replace(/^readonly /, "")
    .replace(/(\[\]| \| undefined| \| null)+$/, "");
  const plain = name.replaceAll("_", "").toLowerCase();
  return exported.has(of) && [plain, plain.replace(/s$/, "")].some((word) => of.toLowerCase().endsWith(word));
}

function isParameterExplained(parameter: ParameterReflection, signature: SignatureReflection): boolean {
  if (
    joinCommentText(parameter.comment) !== "" ||
    findMemberSentence(parameter.name, getEntryName(parameter)) !== undefined
  )
    return true;
  if (!/^(number|string|Uint8Array|Float64Array|unknown)/.test(parameter.type?.toString() ?? "")) return true;
  if (UNIT.test(parameter.name)) return true;
  return joinCommentText(signature.comment).includes(`\`${parameter.name}\``);
}

/** A name that ends in its unit. */
const UNIT = /(Meters|Degrees|Ratio|Bytes|Ms|Count)$|^(meters|squareMeters|ratio)$/;

function joinCommentText(comment: Comment | undefined): string {
  if (comment === undefined) return "";
  const parts = [comment.summary, ...comment.blockTags.map(({ content }) => content)];
  return parts
    .flat()
    .map(({ text }) => text)
    .join("");
}

function getSourcePlace(reflection: Reflection): { file: string; line: number; character: number } {
  const source = reflection.isDeclaration() ? reflection.sources?.[0] : undefined;
  return { file: source?.fullFileName ?? "", line: source?.line ?? 0, character: source?.character ?? 0 };
}

/** The entry point that a reflection belongs to. */
function getEntryName(reflection: Reflection): string {
  return reflection.parent === undefined || reflection.parent.isProject()
    ? reflection.name
    : getEntryName(reflection.parent);
}
