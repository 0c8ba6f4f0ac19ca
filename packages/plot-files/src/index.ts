export { PLOT_LIMITS, swapped, type UnreadPlot } from "./geojson-plot.ts";
export { isBlank, plotOfLine, readPlotText, tooLongLine } from "./plot-lines.ts";
export { readPlotFile, type ToldPlots, tellPlots, untilBroken } from "./read-plot-file.ts";
