import { translateText } from "@groundrule/words";
import type { JSX } from "preact";
import { answerWords } from "../languages/answer-words.ts";
import { figures, tongue, words } from "../languages/language.ts";
import type { PagePlot } from "../state/plot.ts";
import { missingSources, ruleset } from "../state/store.ts";

/** The sources for want of which the chosen ruleset cannot be evaluated: nothing is wrong with the plot. */
export function MissingSources({ plot }: { readonly plot: PagePlot }): JSX.Element {
  const say = answerWords.value;
  const missing = missingSources.value;
  const { name = "" } = ruleset.value ?? {};
  const title = words.value.rulesetTitles[name] ?? name;
  return (
    <>
      <h3 class="verdict-plot">{plot.id}</h3>
      <div class="problem">
        <p>{say.needsSources(title, missing.length, figures.value.plain(missing.length))}</p>
        <ul>
          {missing.map((each) => (
            <li key={each} title={each}>
              {nameSource(each)}
            </li>
          ))}
        </ul>
        <p>{say.askForSources}</p>
      </div>
    </>
  );
}

/** The name of a source that is not here, and so has no title: `preset:car_active` is “Car active”. */
function nameSource(name: string): string {
  const { words, presets } = tongue.value;
  const plain = name.slice(name.indexOf(":") + 1).replaceAll("_", " ");
  const text = words.context.titles[name] ?? translateText({ translations: presets }, plain);
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
