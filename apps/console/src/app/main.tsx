import "./tokens.css";
import "./base.css";
import { effect } from "@preact/signals";
import { render } from "preact";
import { isConnectionOpen, setStartRuleset, switchAnswerer } from "../connection/connect.ts";
import { offerOrUseLinkKey } from "../connection/offered-key.ts";
import { createPageAnswerer } from "../here/here.ts";
import { storePageFiles } from "../keep/keep-page.ts";
import { changeLanguage, selectLanguage } from "../languages/language.ts";
import { fetchBaseStyle } from "../map/layers/base-style.ts";
import { baseStyle, baseTiles, isBaseMissing, startBounds, startView, view } from "../map/map-state.ts";
import { checkInWorker } from "../plots/reading/check-in-worker.ts";
import { listenForPlots } from "../plots/reading/drop.ts";
import { placeByReader } from "../plots/reading/read-files.ts";
import { retryStoppedRun, runQuestions } from "../plots/run-questions.ts";
import { watchPlotFindings } from "../plots/watch-findings.ts";
import { registerPlacer } from "../state/placing.ts";
import { askBeforeLoss } from "../state/saved.ts";
import { isOffline, registerPlotRunner, ruleset } from "../state/store.ts";
import { App } from "./App.tsx";
import { fetchPageConfig, formatAddressFragment, parseAddressFragment } from "./config.ts";
import "./app.css";

await changeLanguage(selectLanguage(navigator.languages), navigator.language);
registerPlotRunner(runQuestions);
registerPlacer(placeByReader);
watchPlotFindings(checkInWorker);
listenForPlots();

const start = parseAddressFragment(location.hash);
removeAddressFragment();

const config = await fetchPageConfig();
if (config.tiles !== null) baseTiles.value = config.tiles;
if (config.style !== null) {
  const { url, attribution } = config.style;
  fetchBaseStyle(url, attribution).then(
    (style) => {
      baseStyle.value = style;
    },
    () => {
      isBaseMissing.value = true;
    },
  );
}
startBounds.value = start.bbox;
startView.value = start.view;
view.value = start.view;
setStartRuleset(start.ruleset);
keepAddress(start.ruleset);
askBeforeLoss(window);
render(<App service={config.service} />, document.querySelector("#app")!);

const service = config.service === null ? undefined : new URL(config.service, document.baseURI).href;
if (service !== undefined && start.key !== undefined) {
  offerOrUseLinkKey(service, start.key, start.ruleset);
} else if (config.snapshots.length > 0) {
  void storePageFiles();
  const files = [...config.snapshots, ...config.rulesets].map((url) => new URL(url, document.baseURI).href);
  void switchAnswerer(createPageAnswerer(files.map((url) => ({ url }))), start.ruleset);
} else {
  isConnectionOpen.value = true;
}

// Opening another link of the page that is already open loads nothing.
addEventListener("hashchange", () => {
  const { key, ruleset } = parseAddressFragment(location.hash);
  if (key === undefined) return;
  removeAddressFragment();
  if (service !== undefined) offerOrUseLinkKey(service, key, ruleset);
});

isOffline.value = !navigator.onLine;
addEventListener("offline", () => {
  isOffline.value = true;
});
addEventListener("online", () => {
  isOffline.value = false;
  retryStoppedRun();
});

/** Puts the ruleset and the view into the address, so that a reload or a bookmark comes back to them. */
function keepAddress(startRuleset: string | undefined): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  effect(() => {
    const chosen = ruleset.value;
    const id = chosen === undefined ? startRuleset : "id" in chosen ? chosen.id : undefined;
    const fragment = formatAddressFragment({ ruleset: id, view: view.value });
    clearTimeout(timer);
    // Browsers refuse pages that write their address all the time.
    timer = setTimeout(
      () => history.replaceState(null, "", location.pathname + location.search + fragment),
      300,
    );
  });
}

/** The key stays in memory: it is removed from the address and the history, so that it is not copied from them. */
function removeAddressFragment(): void {
  if (location.hash !== "") history.replaceState(null, "", location.pathname);
}
