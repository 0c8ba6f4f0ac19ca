import type { CheckResult, Verdict } from "@groundrule/engine";
import type { ComponentChildren, JSX } from "preact";
import { answerWords } from "../languages/answer-words.ts";
import { figures } from "../languages/language.ts";
import { Mark } from "../parts/StatusMark.tsx";
import { CheckItem } from "./CheckItem.tsx";
import type { CheckGroups as Groups } from "./check-groups.ts";
import { type FactTexts, UnansweredItem } from "./Declared.tsx";

/** A verdict of at most so many checks shows all of them at once. */
const FEW = 6;

/** The checks of a verdict in groups; of many, those are open that decide it. */
export function CheckGroups({
  verdict: { checks },
  groups,
  factTexts,
}: {
  readonly verdict: Verdict;
  readonly groups: Groups;
  readonly factTexts: FactTexts;
}): JSX.Element {
  const isFew = checks.length <= FEW;
  const { fails, look, unanswered, notices, passed, repeated } = groups;
  const list = (of: readonly CheckResult[], isOpen: boolean): JSX.Element[] =>
    of.map((check) => (
      <CheckItem
        key={check.id}
        isOpen={isOpen}
        isRepeated={repeated.has(check.id)}
        {...{ check, factTexts }}
      />
    ));
  return (
    <div class="groups">
      <Group name="fails" isOpen>
        {list(fails, true)}
      </Group>
      <Group name="look" isOpen={isFew || fails.length === 0}>
        {list(look, isFew)}
      </Group>
      <Group name="unanswered" isOpen={false}>
        {unanswered.map((each) => (
          <UnansweredItem key={each.fact} unanswered={each} factTexts={factTexts} />
        ))}
      </Group>
      <Group name="notices" isOpen={isFew}>
        {list(notices, isFew)}
      </Group>
      <Group name="passed" isOpen={isFew}>
        {list(passed, false)}
      </Group>
    </div>
  );
}

type GroupName = "fails" | "look" | "unanswered" | "notices" | "passed";

const MARKS = {
  fails: "NON_COMPLIANT",
  look: "WARNING",
  unanswered: "NEW",
  notices: "NOTICE",
  passed: "COMPLIANT",
} as const;

/** A group of checks, with their number; renders nothing if it is empty. */
function Group({
  name,
  isOpen,
  children,
}: {
  readonly name: GroupName;
  readonly isOpen: boolean;
  readonly children: ComponentChildren & { readonly length: number };
}): JSX.Element | null {
  if (children.length === 0) return null;
  return (
    <details class="group" open={isOpen}>
      <summary>
        <Mark of={MARKS[name]} />
        <h4>{answerWords.value.groups[name]}</h4>
        <span class="group-count">{figures.value.plain(children.length)}</span>
      </summary>
      <ul class="verdict-checks">{children}</ul>
    </details>
  );
}
