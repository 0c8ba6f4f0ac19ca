import type { SavedRuleset } from "@groundrule/contract";
import { RecentlyUsed } from "@groundrule/node/internal/pure";
import type { BodyTask, SavedBody } from "../task/body-task.ts";

const KEPT = 64;

/** Rulesets that requests named with a version. What a name and a version stand for never changes. */
export class PinnedRulesets {
  readonly #kept = new RecentlyUsed<string, SavedBody>(KEPT);

  /** The one found for this task, or for an earlier one of the same organization and mode. */
  find({ organization, mode, saved }: BodyTask, { name, version }: SavedRuleset): SavedBody | undefined {
    if (version === undefined) return saved;
    const key = `${mode} ${organization} ${name}@${version}`;
    return saved === undefined ? this.#kept.get(key) : this.#kept.getOrMake(key, () => saved);
  }
}
