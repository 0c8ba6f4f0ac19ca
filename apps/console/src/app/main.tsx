import "./tokens.css";
import "./base.css";
import { render } from "preact";
import { connect, isConnectionOpen } from "../connection/connect.ts";
import { takeKey } from "../connection/offered-key.ts";
import { answerHere } from "../here/here.ts";
import { keepPage } from "../keep/keep-page.ts";
import { changeLanguage, selectLanguage } from "../languages/language.ts";
import { loadStyle } from "../map/layers/base-style.ts";
import { baseStyle, baseTiles, isBaseMissing, startBounds } from "../map/map-state.ts";
import { checkInWorker } from "../plots/reading/check-in-worker.ts";
import { listenForPlots } from "../plots/reading/drop.ts";
import { placeByReader } from "../plots/reading/read-files.ts";
import { runQuestions } from "../plots/run-questions.ts";
import { watchFindings } from "../plots/watch-findings.ts";
import { placeBy } from "../state/placing.ts";
import { registerPlotRunner } from "../state/store.ts";
import { App } from "./App.tsx";
import { readConfig, readFragment } from "./config.ts";
import "./app.css";

await changeLanguage(selectLanguage(navigator.languages));
registerPlotRunner(runQuestions);
placeBy(placeByReader);
watchFindings(checkInWorker);
listenForPlots();

const start = readFragment(location.hash);
removeFragment();

const config = await readConfig();
if (config.tiles !== null) baseTiles.value = config.tiles;
if (config.style !== null) {
  const { url, attribution } = config.style;
  loadStyle(url, attribution).then(
    (style) => {
      baseStyle.value = style;
    },
    () => {
      isBaseMissing.value = true;
    },
  );
}
startBounds.value = start.bbox;
render(<App service={config.service} />, document.querySelector("#app")!);

const service = config.service === null ? undefined : new URL(config.service, document.baseURI).href;
if (service !== undefined && start.key !== undefined) {
  takeKey(service, start.key, start.ruleset);
} else if (config.snapshots.length > 0) {
  void keepPage();
  const files = [...config.snapshots, ...config.rulesets].map((url) => new URL(url, document.baseURI).href);
  void connect(answerHere(files.map((url) => ({ url }))), start.ruleset);
} else {
  isConnectionOpen.value = true;
}

// Opening another link of the page that is already open loads nothing.
addEventListener("hashchange", () => {
  const { key, ruleset } = readFragment(location.hash);
  if (key === undefined) return;
  removeFragment();
  if (service !== undefined) takeKey(service, key, ruleset);
});

/** The key stays in memory: it is removed from the address and the history, so that it is not copied from them. */
function removeFragment(): void {
  if (location.hash !== "") history.replaceState(null, "", location.pathname);
}
