import { effect } from "@preact/signals";
import type { JSX } from "preact";
import { language, words } from "../languages/language.ts";
import { MapView } from "../map/MapView.tsx";
import { theme } from "../state/store.ts";

effect(() => {
  document.documentElement.lang = language.value;
  document.documentElement.dataset.theme = theme.value;
});

/** The page: plots and rules, the map, the verdict. */
export function App(): JSX.Element {
  return (
    <>
      <header class="app-header">
        <h1>{words.value.appTitle}</h1>
      </header>
      <main class="app-main">
        <section class="app-plots" aria-label={words.value.appPlots} />
        <section class="app-map" aria-label={words.value.appMap}>
          <MapView />
        </section>
        <section class="app-verdict" aria-label={words.value.appVerdict} />
      </main>
    </>
  );
}
