/**
 * Form of a value, as data: `checkShape` checks values against it, `jsonSchema` publishes it. The constructors below
 * tie a shape to the interface it describes, so that neither changes alone: a member that one has and the other lacks,
 * or a word missing from a list, does not compile.
 */
export interface Shape<Value> extends AnyShape {
  /** Only for the compiler. */
  readonly [described]?: (value: Value) => Value;
}

/** Type of the values that a shape describes. */
export type ValueOf<Of extends AnyShape> = Of extends Shape<infer Value> ? Value : never;

/** A shape of which it is not known what it describes. */
export interface AnyShape {
  readonly form: Form;
  readonly description?: string;
}

declare const described: unique symbol;

/** The kinds of shapes. */
export type Form =
  | TextForm
  | NumberForm
  | { readonly kind: "boolean" }
  | {
      readonly kind: "choice";
      /** The values, any of which will do. */
      readonly choices: readonly Choice[];
    }
  | ObjectForm
  | {
      readonly kind: "record";
      /** Shape of the members' names. */
      readonly names: AnyShape;
      /** Shape of the members' values. */
      readonly values: AnyShape;
    }
  | ArrayForm
  | UnionForm
  | NamedForm
  | {
      readonly kind: "fitting";
      /** True if a value fits. Never throws. */
      readonly fits: (value: unknown) => boolean;
      /** Description of fitting values, placed after "expected". */
      readonly words: string;
    }
  | { readonly kind: "anything" };

/** A value that can be listed. */
export type Choice = string | number | boolean | null;

/** A text. */
export interface TextForm extends TextLimits {
  readonly kind: "text";
}

/** Limits of a text. */
export interface TextLimits {
  /** Characters (code points), inclusive. */
  readonly min?: number;
  /** Characters (code points), inclusive. */
  readonly max?: number;
  /** Pattern that the text must match. */
  readonly pattern?: RegExp;
  /** Description of the pattern, placed after "expected". */
  readonly words?: string;
  /** Suggestion for a text that does not match, placed after {@link words}; empty if nothing is close. */
  readonly hint?: (found: string) => string;
  /** JSON Schema's name for such texts; it annotates and checks nothing. */
  readonly format?: string;
}

/** A finite number. */
export interface NumberForm extends NumberLimits {
  readonly kind: "number";
}

/** Limits of a number. */
export interface NumberLimits {
  /** Only whole ones. */
  readonly whole?: true;
  /** Inclusive. */
  readonly min?: number;
  /** Inclusive. */
  readonly max?: number;
  /** Exclusive. */
  readonly above?: number;
}

/** An object with named members. */
export interface ObjectForm {
  readonly kind: "object";
  /** Its members, in order. */
  readonly members: ReadonlyMap<string, Member>;
  /** True if it may have members that are not named. */
  readonly isOpen?: true;
  /** Description of the object, placed after "expected". */
  readonly words: string;
}

/** A member of an object. */
export interface Member {
  /** Shape of the member's value. */
  readonly shape: AnyShape;
  /** True if the member may be absent. */
  readonly isOptional: boolean;
}

/** An array of entries that look alike. */
export interface ArrayForm {
  readonly kind: "array";
  /** Shape of each entry. */
  readonly items: AnyShape;
  /** Least entries. */
  readonly min?: number;
  /** Most entries. */
  readonly max?: number;
}

/** A value of any of several shapes. */
export interface UnionForm {
  readonly kind: "union";
  /** The shapes, in the order they are tried. */
  readonly alternatives: readonly AnyShape[];
  /**
   * Description of fitting values, for a value that fits no alternative; if absent, the nearest alternative describes
   * its fault.
   */
  readonly words?: (found: unknown) => string;
}

/** Has a name of its own in JSON Schema; may contain itself. */
export interface NamedForm {
  readonly kind: "named";
  /** Its name in JSON Schema. */
  readonly name: string;
  /** The shape, created when it is needed. */
  readonly shape: () => AnyShape;
}

/** A member that may be left out. */
export interface Optional<Value> {
  /** Shape of the member's value where it is present. */
  readonly optional: Shape<Value>;
}

/** The members of an interface, each with its shape; those that may be absent are {@link optional}. */
export type MembersOf<Value> = {
  readonly [Name in keyof Value]-?: object extends Pick<Value, Name>
    ? Optional<Exclude<Value[Name], undefined>>
    : Shape<Value[Name]>;
};

/**
 * Type of an object with the members described. An interface that extends it states each member once, with its shape
 * and its words: `interface Area extends Described<typeof areaMembers> {}`.
 */
export type Described<Members> = {
  readonly [Name in keyof Omit<Members, OptionalNames<Members>>]: ValueOf<Members[Name] & AnyShape>;
} & {
  readonly [Name in keyof Pick<Members, OptionalNames<Members>>]?: OptionalValue<Members[Name]>;
};

/** Like {@link Described}, for what callers write: an optional member may also be undefined. */
export type DescribedInput<Members> = {
  readonly [Name in keyof Omit<Members, OptionalNames<Members>>]: ValueOf<Members[Name] & AnyShape>;
} & {
  readonly [Name in keyof Pick<Members, OptionalNames<Members>>]?: OptionalValue<Members[Name]> | undefined;
};

type OptionalNames<Members> = {
  [Name in keyof Members]: Members[Name] extends { readonly optional: AnyShape } ? Name : never;
}[keyof Members];

type OptionalValue<Member> = Member extends Optional<infer Value> ? Value : never;

/** A text. */
export function text(limits: TextLimits = {}): Shape<string> {
  return { form: { kind: "text", ...limits } };
}

/** A finite number. */
export function number(limits: NumberLimits = {}): Shape<number> {
  return { form: { kind: "number", ...limits } };
}

/** `true` or `false`. */
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

/**
 * Shape of values that no text can hold, such as a function.
 *
 * @param words what is expected, to stand after "expected"
 */
export function fitting<Value>(fits: (value: unknown) => boolean, words: string): Shape<Value> {
  return { form: { kind: "fitting", fits, words } };
}

/**
 * An object with the members of an interface.
 *
 * @param members each member of the interface with its shape
 */
export function object<Value extends object>(
  members: MembersOf<Value>,
  {
    words = "an object",
  }: {
    /** Description of fitting values, placed after "expected". */
    readonly words?: string;
  } = {},
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

/** An object with the members described. */
export function objectOf<Members extends object>(members: Members): Shape<Described<Members>> {
  return object(members as object as MembersOf<Described<Members>>);
}

/** An object with the members described, and perhaps others. */
export function openObjectOf<Members extends object>(members: Members): Shape<Described<Members>> {
  const { form } = objectOf(members);
  return { form: { ...(form as ObjectForm), isOpen: true } };
}

type Listed = Readonly<Record<string, Optional<unknown> | AnyShape>>;

/** A member that may be left out, with a `description` for its readers. */
export function optional<Value>(shape: Shape<Value>, description?: string): Optional<Value> {
  return { optional: description === undefined ? shape : describedAs(shape, description) };
}

/** An object of any members, their names of one shape and their values of another. */
export function record<Value>(
  names: Shape<string>,
  values: Shape<Value>,
): Shape<Readonly<Record<string, Value>>> {
  return { form: { kind: "record", names, values: values } };
}

/** An array of entries of one shape. */
export function array<Value>(
  items: Shape<Value>,
  limits: {
    /** Least entries. */
    readonly min?: number;
    /** Most entries. */
    readonly max?: number;
  } = {},
): Shape<readonly Value[]> {
  return { form: { kind: "array", items: items, ...limits } };
}

/** A value of any of several shapes; `words` describe the expected value for one that fits none. */
export function union<Values extends readonly unknown[]>(
  alternatives: readonly [...{ [At in keyof Values]: Shape<Values[At]> }],
  words?: (found: unknown) => string,
): Shape<Values[number]> {
  const form: UnionForm = { kind: "union", alternatives: alternatives };
  return { form: words === undefined ? form : { ...form, words } };
}

/** A value of a shape, or null. */
export function nullable<Value>(shape: Shape<Value>): Shape<Value | null> {
  return union<[Value, null]>([shape, choice(null)]);
}

/** A shape with a `name` of its own in JSON Schema. */
export function named<Value>(name: string, shape: () => Shape<Value>): Shape<Value> {
  return { form: { kind: "named", name, shape: shape } };
}

/** The same shape with a `description` for its readers. */
export function describedAs<Value>(
  shape: Shape<Value>,
  description: string,
): Shape<Value> & { readonly description: string } {
  return { ...shape, description };
}
