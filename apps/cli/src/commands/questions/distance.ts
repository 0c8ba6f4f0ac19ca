import { MAX_DISTANCE_METERS } from "@groundrule/engine";
import { UsageError } from "../../command-line/arguments.ts";
import type { Command } from "../../command-line/command.ts";
import { defineOption } from "../../command-line/command-line.ts";
import { figures } from "../../words/figures.ts";
import { createAreaCommand } from "./area-question.ts";

export const distanceCommand: Command = createAreaCommand({
  summary: "List the reference areas near each plot, nearest first",
  member: "matches",
  options: [
    defineOption("max-distance-m N", "greatest distance in metres, inclusive", { required: true }),
    defineOption("min-distance-m N", "least distance in metres, inclusive (default 0)"),
  ],
  readOptions(args, spatial) {
    const maxDistanceMeters = args.findNumber("max-distance-m", 0, MAX_DISTANCE_METERS)!;
    const minDistanceMeters = args.findNumber("min-distance-m", 0, MAX_DISTANCE_METERS) ?? 0;
    if (minDistanceMeters > maxDistanceMeters) {
      throw new UsageError(
        `found --min-distance-m ${minDistanceMeters}, expected at most --max-distance-m, which is ${maxDistanceMeters}`,
      );
    }
    return { ...spatial, maxDistanceMeters, minDistanceMeters };
  },
  query: (data, geometry, options) => data.distance(geometry, options),
  columns: [{ title: "distance", align: "right" }],
  cells: ({ distance_m }, { maxDistanceMeters, minDistanceMeters }) => [
    figures.distance(distance_m, maxDistanceMeters, minDistanceMeters),
  ],
});
