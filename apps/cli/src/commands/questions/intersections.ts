import type { Command } from "../../command-line/command.ts";
import { figures } from "../../words/figures.ts";
import { createAreaCommand } from "./area-question.ts";

export const intersectionsCommand: Command = createAreaCommand({
  summary: "List the reference areas that share a point with each plot",
  member: "intersections",
  readOptions: (_, spatial) => spatial,
  query: (data, geometry, options) => data.intersections(geometry, options),
  columns: [
    { title: "overlap", align: "right" },
    { title: "of plot", align: "right" },
    { title: "of area", align: "right" },
  ],
  cells: ({ overlap_area_m2, overlap_ratio, area_overlap_ratio }) => [
    figures.area(overlap_area_m2),
    figures.share(overlap_ratio),
    area_overlap_ratio === null ? "" : figures.share(area_overlap_ratio),
  ],
});
