import { EXCEPTIONS, type Exception } from "./exceptions.ts";
import type { Place } from "./find-places.ts";

/** In words: every place that no exception names, and every exception that names no place. */
export function findEnglishFaults(
  places: readonly Place[],
  exceptions: readonly Exception[] = EXCEPTIONS,
): string[] {
  const used = new Set<Exception>();
  const faults = places.flatMap(({ file, line, kind, text }) => {
    if (kind === "of") return [];
    const exception = exceptions.find(
      ({ path, text: excepted }) => excepted === text && `${file}/`.startsWith(`${path}/`),
    );
    if (exception === undefined) return `${file}:${line}: ${FAULTS[kind]}: ${text}`;
    used.add(exception);
    return [];
  });
  const stale = exceptions.filter((exception) => !used.has(exception));
  return [
    ...faults,
    ...stale.map(({ path, text }) => `${path} has no "${text}" any more: the exception can go`),
  ];
}

const FAULTS = {
  opening:
    "the comment has no subject: begin with a sentence's subject, or with a noun phrase that names the thing",
  word: "the name has a word that says nothing about the thing: say what the value is, or what the function does",
};
