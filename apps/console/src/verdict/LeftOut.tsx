import type { Verdict } from "@groundrule/engine";
import type { JSX } from "preact";
import { words } from "../languages/language.ts";

/** The sources that evaluations left out; renders nothing if there are none. */
export function LeftOut({
  verdicts,
}: {
  readonly verdicts: readonly Pick<Verdict, "sources">[];
}): JSX.Element | null {
  const names = listLeftOutSources(verdicts);
  if (names.length === 0) return null;
  return <p class="verdict-fictional">{words.value.verdictWithout(names.join(", "))}</p>;
}

/** Names of the sources, each once, ascending. */
function listLeftOutSources(verdicts: readonly Pick<Verdict, "sources">[]): readonly string[] {
  const names = verdicts.flatMap(({ sources }) =>
    sources.flatMap(({ source_name, status }) => (status === "without" ? source_name : [])),
  );
  return [...new Set(names)].sort();
}
