export { LANGUAGES, type Language } from "@groundrule/words/languages";
export { csvCell } from "./csv-cell.ts";
export { gatherMaterial, mapFrames } from "./gather-material.ts";
export type { MapArea, MapView, ReportMaterial } from "./material.ts";
export { plotOutline } from "./page/plot-outline.ts";
export { portfolioCsv } from "./portfolio/portfolio-csv.ts";
export {
  type CheckState,
  checkState,
  type PortfolioCheck,
  type PortfolioRow,
  type PortfolioVerdict,
} from "./portfolio/portfolio-rows.ts";
export { portfolioXlsx, type WorkbookOptions } from "./portfolio/portfolio-xlsx.ts";
export { type PortfolioOptions, renderPortfolio } from "./portfolio/render-portfolio.ts";
export { type RefusedPlot, renderRefusal } from "./render-refusal.ts";
export { type ReportOptions, renderReport } from "./render-report.ts";
export { renderStamp } from "./render-stamp.ts";
export { SHEET_ROWS } from "./workbook/write-workbook.ts";
