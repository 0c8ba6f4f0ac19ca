export { gatherMaterial, type MapArea, type MapView, type ReportMaterial } from "./material.ts";
export { renderReport } from "./render-report.ts";
