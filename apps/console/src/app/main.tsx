import { render } from "preact";
import { language, languageFor } from "../languages/language.ts";
import { App } from "./App.tsx";
import "./tokens.css";
import "./app.css";

language.value = languageFor(navigator.languages);
render(<App />, document.querySelector("#app")!);
