import { type DistanceMatch, type DistanceOptions, MAX_DISTANCE_METERS } from "@groundrule/engine";
import { UsageError } from "../../command-line/arguments.ts";
import type { Command } from "../../command-line/command.ts";
import { defineOption } from "../../command-line/command-line.ts";
import { readSpatialOptions } from "../../plots/spatial-options.ts";
import { figures } from "../../words/figures.ts";
import { type AreaQuestion, createAreaCommand } from "./area-question.ts";

export const DISTANCE_QUESTION: AreaQuestion<DistanceMatch, DistanceOptions> = {
  member: "matches",
  readOptions(args) {
    const maxDistanceMeters = args.findNumber("max-distance-m", 0, MAX_DISTANCE_METERS)!;
    const minDistanceMeters = args.findNumber("min-distance-m", 0, MAX_DISTANCE_METERS) ?? 0;
    if (minDistanceMeters > maxDistanceMeters) {
      throw new UsageError(
        `found --min-distance-m ${minDistanceMeters}, expected at most --max-distance-m, which is ${maxDistanceMeters}`,
      );
    }
    return { ...readSpatialOptions(args), maxDistanceMeters, minDistanceMeters };
  },
  query: (data, geometry, options) => data.distance(geometry, options),
};

export const distanceCommand: Command = createAreaCommand(DISTANCE_QUESTION, {
  summary: "List the reference areas near each plot, nearest first",
  options: [
    defineOption("max-distance-m N", "greatest distance in metres, inclusive", { required: true }),
    defineOption("min-distance-m N", "least distance in metres, inclusive (default 0)"),
  ],
  columns: [{ title: "distance", align: "right" }],
  cells: ({ distance_m }, { maxDistanceMeters, minDistanceMeters = 0 }) => [
    figures.distance(distance_m, maxDistanceMeters, minDistanceMeters),
  ],
});
