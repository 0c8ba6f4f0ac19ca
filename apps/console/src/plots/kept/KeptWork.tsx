import type { JSX } from "preact";
import { figures, language, words } from "../../languages/language.ts";
import { runSaveTask } from "../../state/notice.ts";
import {
  keeping,
  offeredList,
  removeKept,
  removeOffered,
  restoreOffered,
  startKeeping,
} from "./keep-work.ts";

export { continueKeeping } from "./keep-work.ts";

/** The list of an earlier visit, to be restored or removed. */
export function OfferedList(): JSX.Element | null {
  const say = words.value;
  const offered = offeredList.value;
  if (offered === undefined) return null;
  const when = new Intl.DateTimeFormat(language.value, { dateStyle: "medium", timeStyle: "short" });
  return (
    <div class="plots-undo plots-kept" role="status">
      <span>
        {say.keepOffer(offered.plots, figures.value.plain(offered.plots), when.format(offered.savedAt))}
      </span>
      <button type="button" onClick={() => runSaveTask(restoreOffered)}>
        {say.keepRestore}
      </button>
      <button type="button" onClick={() => runSaveTask(removeOffered)}>
        {say.keepRemove}
      </button>
    </div>
  );
}

/** The switch that keeps plots and answers on this device. */
export function KeepSwitch(): JSX.Element {
  const say = words.value;
  const state = keeping.value;
  const texts = { elsewhere: say.keepElsewhere, refused: say.keepRefused } as const;
  return (
    <div class="plots-keep">
      <label class="plots-quality">
        <input
          type="checkbox"
          disabled={state === "elsewhere" || state === "starting"}
          checked={state !== "off" && state !== "refused"}
          onChange={({ currentTarget: { checked } }) => {
            if (checked) keeping.value = "off";
            runSaveTask(checked ? startKeeping : removeKept);
          }}
        />{" "}
        {say.keepSwitch}
      </label>
      <p class="plots-empty" role="status">
        {state === "elsewhere" || state === "refused" ? texts[state] : say.keepHelp}
      </p>
    </div>
  );
}
