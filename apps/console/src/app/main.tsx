import { render } from "preact";
import { byService } from "../answering/by-service.ts";
import { connect, isConnectionOpen } from "../connection/connect.ts";
import { answerHere } from "../here/here.ts";
import { keepPage } from "../keep/keep-page.ts";
import { language, languageFor } from "../languages/language.ts";
import { baseTiles, startBounds } from "../map/map-state.ts";
import { checkInWorker } from "../plots/check-in-worker.ts";
import { listenForPlots } from "../plots/drop.ts";
import { runQuestions } from "../plots/run-questions.ts";
import { watchFindings } from "../plots/watch-findings.ts";
import { askBy } from "../state/store.ts";
import { App } from "./App.tsx";
import { readConfig, readFragment } from "./config.ts";
import "./tokens.css";
import "./app.css";

language.value = languageFor(navigator.languages);
askBy(runQuestions);
watchFindings(checkInWorker);
listenForPlots();

const start = readFragment(location.hash);
// The key stays in memory: out of the address, the history and whatever is copied from them.
if (location.hash !== "") history.replaceState(null, "", location.pathname);

const config = await readConfig();
if (config.tiles !== null) baseTiles.value = config.tiles;
startBounds.value = start.bbox;
render(<App service={config.service} />, document.querySelector("#app")!);

if (config.service !== null && start.key !== undefined) {
  const service = new URL(config.service, document.baseURI).href;
  void connect(byService(service, start.key), start.ruleset);
} else if (config.snapshots.length > 0) {
  void keepPage();
  const files = [...config.snapshots, ...config.rulesets].map((url) => new URL(url, document.baseURI).href);
  void connect(answerHere(files.map((url) => ({ url }))), start.ruleset);
} else {
  isConnectionOpen.value = true;
}
