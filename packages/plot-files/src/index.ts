export { PLOT_LIMITS, swapped } from "./geojson-plot.ts";
export {
  type ColumnOptions,
  chooseColumns,
  type NamedColumn,
  PLAIN_COLUMNS,
  type PlotColumns,
  propertyIn,
} from "./plot-columns.ts";
export { isBlank, plotOfLine, readPlotText, tooLongLine } from "./plot-lines.ts";
export {
  type DetectedPlots,
  detectPlots,
  type PlotReadOptions,
  readPlotFile,
  untilBroken,
} from "./read-plot-file.ts";
export type { UnreadPlot } from "./unread-plot.ts";
