import { effect, type Signal, signal } from "@preact/signals";
import type { ComponentChildren, JSX } from "preact";
import { ConnectionPanel } from "../connection/ConnectionPanel.tsx";
import { figures, language, words } from "../languages/language.ts";
import { MapView, mapPanels } from "../map/MapView.tsx";
import { Skeleton } from "../parts/Skeleton.tsx";
import { PlotsPanel } from "../plots/PlotsPanel.tsx";
import { isDragged } from "../plots/reading/drop.ts";
import { fileProblems } from "../plots/reading/read-files.ts";
import { RulesetPanel } from "../ruleset/RulesetPanel.tsx";
import { soughtFact } from "../state/facts.ts";
import { notice } from "../state/notice.ts";
import { choices, plots, theme } from "../state/store.ts";
import { answerParts, VerdictPanel } from "../verdict/VerdictPanel.tsx";
import { Header } from "./Header.tsx";
import { SheetHandle } from "./Sheet.tsx";

effect(() => {
  document.documentElement.lang = language.value;
  document.documentElement.dataset.theme = theme.value;
});

type Tab = "plots" | "rules" | "verdict" | "sources" | "view";

const TABS: readonly Tab[] = ["plots", "rules", "verdict", "sources", "view"];

/** The panel that a narrow screen shows below the map; wide ones show all. */
const tab: Signal<Tab> = signal("plots");

/** When a person chooses a plot, its verdict is scrolled into view. */
effect(() => {
  if (choices.value === 0) return;
  tab.value = "verdict";
  requestAnimationFrame(() => {
    document.querySelector("#verdict")?.scrollIntoView();
    // On a narrow screen the list that had the focus is now hidden.
    const title = document.querySelector<HTMLElement>("#verdict-title");
    if (document.activeElement === document.body) title?.focus({ preventScroll: true });
  });
});

/** A file's problem scrolls to the list, where it is shown, and a missing fact to its field. */
effect(() => {
  if (fileProblems.value.length > 0) tab.value = "plots";
});
effect(() => {
  if (soughtFact.value !== undefined) tab.value = "verdict";
});

/** The page: plots and rules, the map, the verdict and the sources. */
export function App({ service }: { readonly service: string | null }): JSX.Element {
  const say = words.value;
  const panels = mapPanels.value;
  return (
    <>
      <a class="app-skip" href="#verdict-title">
        {say.appSkip}
      </a>
      <Header />
      <main class="app-main" data-tab={tab.value}>
        <section class="app-map" aria-label={say.appMap}>
          {answerParts.value !== undefined && <answerParts.value.CompareBar />}
          <MapView />
        </section>
        <SheetHandle />
        <nav class="app-tabs" aria-label={say.appPanels}>
          {TABS.map((each) => (
            <button
              key={each}
              type="button"
              aria-current={tab.value === each ? "true" : undefined}
              onClick={() => {
                tab.value = each;
              }}
            >
              {formatTabName(each)}
              {each === "plots" && plots.value.length > 0 && (
                <span class="app-count">{figures.value.plain(plots.value.length)}</span>
              )}
            </button>
          ))}
        </nav>
        <div class="app-left">
          <Panel name="plots">
            <PlotsPanel />
          </Panel>
          <Panel name="rules">
            <RulesetPanel />
          </Panel>
        </div>
        <div class="app-right">
          <Panel name="verdict">
            <VerdictPanel />
          </Panel>
          <Panel name="sources">
            {panels === undefined ? <Skeleton class="sources" /> : <panels.SourcesPanel />}
          </Panel>
          <Panel name="view">{panels && <panels.InView isChosen={tab.value === "view"} />}</Panel>
        </div>
      </main>
      {notice.value !== undefined && (
        <div class="app-notice" role="alert">
          <p>{notice.value}</p>
          <button
            type="button"
            onClick={() => {
              notice.value = undefined;
            }}
          >
            {say.appDismiss}
          </button>
        </div>
      )}
      {isDragged.value && <p class="app-drop">{say.appDrop}</p>}
      <ConnectionPanel service={service} />
    </>
  );
}

function Panel({
  name,
  children,
}: {
  readonly name: Tab;
  readonly children?: ComponentChildren;
}): JSX.Element {
  return (
    <section class={`app-panel app-panel-${name}`} id={name} aria-labelledby={`${name}-title`}>
      <h2 id={`${name}-title`} tabIndex={-1}>
        {formatTabName(name)}
      </h2>
      {children}
    </section>
  );
}

function formatTabName(name: Tab): string {
  const say = words.value;
  const names: Readonly<Record<Tab, string>> = {
    plots: say.appPlots,
    rules: say.appRules,
    verdict: say.appVerdict,
    sources: say.appSources,
    view: say.mapInView,
  };
  return names[name];
}
