import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { figures, words } from "../../languages/language.ts";
import { plots, returns, selectedKey } from "../../state/store.ts";
import { shown, stepInList } from "./list-view.ts";

/** The way back from a plot to the list, and the place of the plot among those that the list shows. */
export function BackToList(): JSX.Element {
  const say = words.value;
  const write = (count: number): string => figures.value.plain(count);
  useEffect(() => {
    const panel = document.querySelector<HTMLElement>("#verdict");
    panel?.addEventListener("keydown", pressInVerdict);
    return () => panel?.removeEventListener("keydown", pressInVerdict);
  }, []);
  const at = shown.value.findIndex(({ key }) => key === selectedKey.value);
  return (
    <p class="verdict-place">
      <button
        type="button"
        class="verdict-back"
        onClick={() => {
          selectedKey.value = undefined;
          returns.value++;
        }}
      >
        ‹ {say.verdictAllPlots(write(plots.value.length))}
      </button>
      {at !== -1 && (
        <span title={say.verdictPlaceKeys}>{say.verdictPlace(write(at + 1), write(shown.value.length))}</span>
      )}
    </p>
  );
}

/** Goes to the next plot of the list by J, and to the previous one by K. */
function pressInVerdict(event: KeyboardEvent): void {
  const { target, key, ctrlKey, altKey, metaKey } = event;
  const step = { j: 1, k: -1 }[key.toLowerCase()] as 1 | -1 | undefined;
  const isTyped = target instanceof Element && target.closest("input, select, textarea") !== null;
  if (step === undefined || isTyped || ctrlKey || altKey || metaKey) return;
  stepInList(step);
  event.preventDefault();
}
