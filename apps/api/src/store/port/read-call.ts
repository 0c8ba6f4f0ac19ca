import type { StoreReads } from "./port.ts";
import type { PlainError } from "./write-call.ts";

/** A read to be made: the name of an operation and its input, plain values that can cross threads. */
export type ReadCall = {
  readonly [Name in keyof StoreReads]: {
    readonly name: Name;
    readonly input: Parameters<StoreReads[Name]>[0];
  };
}[keyof StoreReads];

/** What became of a read; an error in a form that can cross threads. */
export type ReadResult = { readonly value: unknown } | { readonly failed: PlainError };
