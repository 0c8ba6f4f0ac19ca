import type { Language } from "@groundrule/words/tags";
import { type Signal, signal } from "@preact/signals";
import type { JSX } from "preact";
import { findBlamed } from "../answering/blame.ts";
import { connection, isConnectionOpen } from "../connection/connect.ts";
import { changeLanguage, figures, LANGUAGE_NAMES, language, words } from "../languages/language.ts";
import { answerer, holder, isOffline, theme, trouble, usage } from "../state/store.ts";

const narrow = matchMedia("(max-width: 30rem), (max-height: 31.24rem)");
/** True on a narrow or low screen, where the settings are in a menu. */
const isNarrow: Signal<boolean> = signal(narrow.matches);
narrow.addEventListener("change", ({ matches }) => {
  isNarrow.value = matches;
});

/** The name, the connection and its cost, the language, the theme. */
export function Header(): JSX.Element {
  const say = words.value;
  const settings = (
    <>
      <Account />
      <span class="app-settings">
        <Settings />
      </span>
    </>
  );
  return (
    <header class="app-header">
      <h1>{say.appTitle}</h1>
      <button
        type="button"
        class={`app-connection app-connection-${isDisturbed() ? "failed" : connection.value.kind}`}
        onClick={() => {
          isConnectionOpen.value = true;
        }}
      >
        {describeConnection()}
      </button>
      {isNarrow.value ? (
        <details class="app-menu">
          <summary aria-label={say.appMenu}>
            <svg class="mark" viewBox="0 0 24 24" aria-hidden="true">
              <path d="M4 6h16M4 12h16M4 18h16" />
            </svg>
          </summary>
          <div>{settings}</div>
        </details>
      ) : (
        settings
      )}
    </header>
  );
}

/** The key's owner, and the usage. */
function Account(): JSX.Element {
  const say = words.value;
  return (
    <span class="app-account">
      {holder.value !== undefined && (
        <span class="app-holder" title={holder.value.organization}>
          {say.appKeyOf(holder.value.organization)}
        </span>
      )}
      <span class="app-usage">{describeUsage()}</span>
    </span>
  );
}

function Settings(): JSX.Element {
  const say = words.value;
  const label = isNarrow.value ? undefined : "visually-hidden";
  return (
    <>
      <label>
        <span class={label}>{say.appLanguage}</span>
        <select
          value={language.value}
          onChange={(event) => {
            void changeLanguage(event.currentTarget.value as Language, navigator.language);
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
        <span class={label}>{say.appTheme}</span>
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
    </>
  );
}

/** True if the service was reached once, and is not now, or refuses the key. */
function isDisturbed(): boolean {
  const isService = answerer.value?.place === "service" && connection.value.kind === "connected";
  return isService && (isOffline.value || trouble.value !== undefined);
}

function describeConnection(): string {
  const say = words.value;
  if (isDisturbed()) {
    if (isOffline.value) return say.connectedOffline;
    return findBlamed(trouble.value!) === "key" ? say.connectedKeyRefused : say.connectFailed;
  }
  switch (connection.value.kind) {
    case "connecting":
      return say.connectBusy;
    case "connected":
      return answerer.value?.place === "here" ? say.connectedHere : say.connectedService;
    case "failed":
      return say.connectFailed;
    default:
      return say.connectGo;
  }
}

function describeUsage(): string {
  const now = usage.value;
  if (now === undefined) return "";
  const say = words.value;
  const used = figures.value.plain(now.used);
  return now.limit === null ? say.appUsed(used) : say.appUsedOf(used, figures.value.plain(now.limit));
}
