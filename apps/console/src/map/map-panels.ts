// Panels over the map, in a part of the page of their own: the map is drawn before they are loaded.
export { InView } from "./InView.tsx";
export { MapLegend } from "./MapLegend.tsx";
