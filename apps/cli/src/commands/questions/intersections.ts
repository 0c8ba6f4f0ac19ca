import type { IntersectionMatch } from "@groundrule/engine";
import type { Command } from "../../command-line/command.ts";
import { readSpatialOptions } from "../../plots/spatial-options.ts";
import { figures } from "../../words/figures.ts";
import { type AreaQuestion, createAreaCommand } from "./area-question.ts";

export const INTERSECTIONS_QUESTION: AreaQuestion<IntersectionMatch> = {
  member: "intersections",
  readOptions: readSpatialOptions,
  query: (data, geometry, options) => data.intersections(geometry, options),
};

export const intersectionsCommand: Command = createAreaCommand(INTERSECTIONS_QUESTION, {
  summary: "List the reference areas that share a point with each plot",
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
