export { csvCell } from "./csv-cell.ts";
export { LANGUAGES, type Language } from "./languages/language.ts";
export {
  gatherMaterial,
  type MapArea,
  type MapView,
  plotOutline,
  type ReportMaterial,
} from "./material.ts";
export { portfolioCsv } from "./portfolio/portfolio-csv.ts";
export type { PortfolioRow, PortfolioVerdict } from "./portfolio/portfolio-rows.ts";
export { portfolioXlsx } from "./portfolio/portfolio-xlsx.ts";
export { type PortfolioOptions, renderPortfolio } from "./portfolio/render-portfolio.ts";
export { type RefusedPlot, renderRefusal } from "./render-refusal.ts";
export { type ReportOptions, renderReport } from "./render-report.ts";
