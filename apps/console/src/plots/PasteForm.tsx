import type { JSX } from "preact";
import { useId, useState } from "preact/hooks";
import { words } from "../languages/language.ts";
import { readPlotsFromText } from "./reading/read-files.ts";

/** A box for pasting plots as text, in any format. */
export function PasteForm({ onDone }: { readonly onDone: () => void }): JSX.Element {
  const say = words.value;
  const [id, help] = [useId(), useId()];
  const [text, setText] = useState("");
  const submit = (event: Event): void => {
    event.preventDefault();
    readPlotsFromText(text);
    onDone();
  };
  return (
    <form class="plots-paste" onSubmit={submit}>
      <label htmlFor={id}>{say.plotsPasteLabel}</label>
      <p id={help}>{say.plotsPasteHelp}</p>
      <textarea
        id={id}
        rows={6}
        required
        spellcheck={false}
        aria-describedby={help}
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
      />
      <button type="submit" class="primary">
        {say.plotsPasteAdd}
      </button>
    </form>
  );
}
