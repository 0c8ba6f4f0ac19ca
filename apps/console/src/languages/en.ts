/** What the page says, in English. Names begin with the room that says them. */
export const en = {
  appTitle: "groundrule",
  appMap: "Map",
  appPlots: "Plots",
  appRules: "Rules",
  appVerdict: "Verdict",
  appSources: "Sources",
  appLanguage: "Language",
  appTheme: "Theme",
  appThemeSystem: "As the system",
  appThemeLight: "Light",
  appThemeDark: "Dark",
};

/** The names of what is said, whose texts every language has. */
export type Words = typeof en;
