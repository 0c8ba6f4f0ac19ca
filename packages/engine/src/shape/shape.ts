/**
 * What a value must look like, as data: `checkShape` holds values to it, `jsonSchema` publishes it.
 * The constructors below tie a shape to the interface it describes, so that neither changes alone: a
 * member that one has and the other lacks, or a word missing from a list, does not compile.
 */
export interface Shape<Value> extends AnyShape {
  /** Only for the compiler. */
  readonly [described]?: (value: Value) => Value;
}

/** What a shape holds values to. */
export type ValueOf<Of extends AnyShape> = Of extends Shape<infer Value> ? Value : never;

export interface AnyShape {
  readonly form: Form;
  readonly description?: string;
}

declare const described: unique symbol;

export type Form =
  | TextForm
  | NumberForm
  | { readonly kind: "boolean" }
  | { readonly kind: "choice"; readonly choices: readonly Choice[] }
  | ObjectForm
  | { readonly kind: "record"; readonly names: AnyShape; readonly values: AnyShape }
  | ArrayForm
  | UnionForm
  | NamedForm
  | { readonly kind: "anything" };

export type Choice = string | number | boolean | null;

export interface TextForm extends TextLimits {
  readonly kind: "text";
}

export interface TextLimits {
  /** Characters (code points), inclusive. */
  readonly min?: number;
  readonly max?: number;
  readonly pattern?: RegExp;
  /** What the pattern expects, to stand after "expected". */
  readonly words?: string;
  /** JSON Schema's name for such texts; it annotates and checks nothing. */
  readonly format?: string;
}

export interface NumberForm extends NumberLimits {
  readonly kind: "number";
}

export interface NumberLimits {
  readonly whole?: true;
  /** Inclusive. */
  readonly min?: number;
  readonly max?: number;
  /** Exclusive. */
  readonly above?: number;
}

export interface ObjectForm {
  readonly kind: "object";
  readonly members: ReadonlyMap<string, Member>;
  readonly words: string;
}

export interface Member {
  readonly shape: AnyShape;
  readonly isOptional: boolean;
}

export interface ArrayForm {
  readonly kind: "array";
  readonly items: AnyShape;
  readonly min?: number;
  readonly max?: number;
}

export interface UnionForm {
  readonly kind: "union";
  readonly alternatives: readonly AnyShape[];
  /** What is expected instead of a value that fits none; where absent, the nearest alternative tells. */
  readonly words?: (found: unknown) => string;
}

/** Stands under a name of its own in JSON Schema; may hold itself. */
export interface NamedForm {
  readonly kind: "named";
  readonly name: string;
  readonly shape: () => AnyShape;
}

/** A member that may be left out. */
export interface Optional<Value> {
  readonly optional: Shape<Value>;
}

/** The members of an interface, each with its shape; those that may be absent are {@link optional}. */
export type MembersOf<Value> = {
  readonly [Name in keyof Value]-?: object extends Pick<Value, Name>
    ? Optional<Exclude<Value[Name], undefined>>
    : Shape<Value[Name]>;
};

export function text(limits: TextLimits = {}): Shape<string> {
  return { form: { kind: "text", ...limits } };
}

/** A finite number. */
export function number(limits: NumberLimits = {}): Shape<number> {
  return { form: { kind: "number", ...limits } };
}

export function boolean(): Shape<boolean> {
  return { form: { kind: "boolean" } };
}

/** One of the values listed. */
export function choice<const Listed extends Choice>(...choices: readonly Listed[]): Shape<Listed> {
  return { form: { kind: "choice", choices } };
}

/** Any value at all; also none. */
export function anything(): Shape<unknown> {
  return { form: { kind: "anything" } };
}

/** @param words what is expected, to stand after "expected" */
export function object<Value extends object>(
  members: MembersOf<Value>,
  { words = "an object" }: { readonly words?: string } = {},
): Shape<Value> {
  const listed = Object.entries<Optional<unknown> | AnyShape>(members as object as Listed);
  const form: ObjectForm = {
    kind: "object",
    members: new Map(
      listed.map(([name, member]): [string, Member] => [
        name,
        "optional" in member
          ? { shape: member.optional, isOptional: true }
          : { shape: member, isOptional: false },
      ]),
    ),
    words,
  };
  return { form };
}

type Listed = Readonly<Record<string, Optional<unknown> | AnyShape>>;

export function optional<Value>(shape: Shape<Value>, description?: string): Optional<Value> {
  return { optional: description === undefined ? shape : describedAs(shape, description) };
}

export function record<Value>(
  names: Shape<string>,
  values: Shape<Value>,
): Shape<Readonly<Record<string, Value>>> {
  return { form: { kind: "record", names, values: values } };
}

/** @param limits least and most entries, inclusive */
export function array<Value>(
  items: Shape<Value>,
  limits: { readonly min?: number; readonly max?: number } = {},
): Shape<readonly Value[]> {
  return { form: { kind: "array", items: items, ...limits } };
}

export function union<Values extends readonly unknown[]>(
  alternatives: readonly [...{ [At in keyof Values]: Shape<Values[At]> }],
  words?: (found: unknown) => string,
): Shape<Values[number]> {
  const form: UnionForm = { kind: "union", alternatives: alternatives };
  return { form: words === undefined ? form : { ...form, words } };
}

export function nullable<Value>(shape: Shape<Value>): Shape<Value | null> {
  return union<[Value, null]>([shape, choice(null)]);
}

export function named<Value>(name: string, shape: () => Shape<Value>): Shape<Value> {
  return { form: { kind: "named", name, shape: shape } };
}

export function describedAs<Value>(shape: Shape<Value>, description: string): Shape<Value> {
  return { ...shape, description };
}
