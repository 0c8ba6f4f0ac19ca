// Panels over the map and beside it, in a part of the page of their own: the map is drawn before they are loaded.
import styles from "./map-panels.css?url";

export { InView } from "./InView.tsx";
export { Locator } from "./locator/Locator.tsx";
export { MapLegend } from "./MapLegend.tsx";
export { SourcesPanel } from "./sources/SourcesPanel.tsx";

// The build links only the styles that the page starts with.
document.head.append(Object.assign(document.createElement("link"), { rel: "stylesheet", href: styles }));
