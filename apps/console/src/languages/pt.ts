import type { Words } from "./en.ts";

/** O que a página diz, em português. */
export const pt: Words = {
  appTitle: "groundrule",
  appMap: "Mapa",
  appPlots: "Parcelas",
  appRules: "Regras",
  appVerdict: "Veredito",
  appSources: "Fontes",
  appLanguage: "Idioma",
  appTheme: "Tema",
  appThemeSystem: "Como o sistema",
  appThemeLight: "Claro",
  appThemeDark: "Escuro",
};
