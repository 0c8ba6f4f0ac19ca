import type { Words } from "./en.ts";

/** Lo que dice la página, en español. */
export const es: Words = {
  appTitle: "groundrule",
  appMap: "Mapa",
  appPlots: "Parcelas",
  appRules: "Reglas",
  appVerdict: "Veredicto",
  appSources: "Fuentes",
  appLanguage: "Idioma",
  appTheme: "Tema",
  appThemeSystem: "Como el sistema",
  appThemeLight: "Claro",
  appThemeDark: "Oscuro",
};
