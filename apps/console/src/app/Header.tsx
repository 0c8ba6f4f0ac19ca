import type { JSX } from "preact";
import { connection, isConnectionOpen } from "../connection/connect.ts";
import { figures } from "../languages/figures.ts";
import { LANGUAGE_NAMES, type LanguageTag, language, speak, words } from "../languages/language.ts";
import { answerer, holder, theme, usage } from "../state/store.ts";

/** The name, who answers and what it has cost, the language, the theme. */
export function Header(): JSX.Element {
  const say = words.value;
  return (
    <header class="app-header">
      <h1>{say.appTitle}</h1>
      <button
        type="button"
        class={`app-connection app-connection-${connection.value.kind}`}
        onClick={() => {
          isConnectionOpen.value = true;
        }}
      >
        {connectionText()}
      </button>
      <span class="app-account">
        {holder.value !== undefined && (
          <span class="app-holder" title={holder.value.organization}>
            {say.appKeyOf(holder.value.organization)}
          </span>
        )}
        <span class="app-usage">{usageText()}</span>
      </span>
      <span class="app-settings">
        <label>
          <span class="visually-hidden">{say.appLanguage}</span>
          <select
            value={language.value}
            onChange={(event) => {
              void speak(event.currentTarget.value as LanguageTag);
            }}
          >
            {Object.entries(LANGUAGE_NAMES).map(([tag, name]) => (
              <option key={tag} value={tag} lang={tag}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <label>
          <span class="visually-hidden">{say.appTheme}</span>
          <select
            value={theme.value}
            onChange={(event) => {
              theme.value = event.currentTarget.value as "system" | "light" | "dark";
            }}
          >
            <option value="system">{say.appThemeSystem}</option>
            <option value="light">{say.appThemeLight}</option>
            <option value="dark">{say.appThemeDark}</option>
          </select>
        </label>
      </span>
    </header>
  );
}

function connectionText(): string {
  const say = words.value;
  switch (connection.value.kind) {
    case "connecting":
      return say.connectBusy;
    case "connected":
      return answerer.value?.place === "here" ? say.connectedHere : say.connectedService;
    case "failed":
      return say.connectFailed;
    default:
      return say.connectTitle;
  }
}

function usageText(): string {
  const now = usage.value;
  if (now === undefined) return "";
  const say = words.value;
  const used = figures.value.plain(now.used);
  return now.limit === null ? say.appUsed(used) : say.appUsedOf(used, figures.value.plain(now.limit));
}
