import type { Answer, DistanceMatch, IntersectionMatch, Provided, SpatialOptions } from "@groundrule/engine";
import type { OpenData } from "@groundrule/node";
import type { Arguments } from "../../command-line/arguments.ts";
import type { Command } from "../../command-line/command.ts";
import type { OptionSpec } from "../../command-line/command-line.ts";
import { openCommandData, REPEATABLE_OPTIONS } from "../../data/command-data.ts";
import { openLiveAreas } from "../../data/live-areas.ts";
import { readPlots } from "../../plots/plots.ts";
import { SPATIAL_OPTIONS } from "../../plots/spatial-options.ts";
import { type AnswerForm, AnswerPrinter, answerOrError } from "../../screening/results/answer-printer.ts";
import type { Column } from "../../terminal/table.ts";

/** A question about the reference areas around a plot. */
export interface AreaQuestion<Match, Options extends SpatialOptions = SpatialOptions> {
  /** The member of a result line that holds the matches. */
  readonly member: AnswerForm<Match>["member"];
  /** Fails: `UsageError`. */
  readonly readOptions: (args: Arguments) => Options;
  readonly query: (
    data: OpenData,
    geometry: object,
    options: Options & { readonly provided?: Provided },
  ) => Answer<Match>;
}

/** The words and columns of a command that answers such a question. */
interface AreaCommand<Match, Options extends SpatialOptions> {
  readonly summary: string;
  /** Options besides those of every such question. */
  readonly options?: readonly OptionSpec[];
  /** Columns of the table besides source, id, name and country. */
  readonly columns: readonly Column[];
  /** Their cells. */
  readonly cells: (match: Match, options: Options) => string[];
}

/** The command that answers a question about areas for each plot of its input in turn. */
export function createAreaCommand<
  Match extends IntersectionMatch | DistanceMatch,
  Options extends SpatialOptions,
>(
  { member, readOptions, query }: AreaQuestion<Match, Options>,
  { summary, options = [], columns, cells }: AreaCommand<Match, Options>,
): Command {
  return {
    summary,
    operands: "[FILE]",
    options: [...options, ...SPATIAL_OPTIONS, ...REPEATABLE_OPTIONS],
    details: [
      `Prints one line per plot: {"id": …, "${member}": […]}, or {"id": …, "error": {"code": …}}. The id is the feature's id, else its id property, else the line number.`,
    ],
    async run(args, terminal) {
      const chosen = readOptions(args);
      const { data, now } = openCommandData(args, terminal);
      const printer = new AnswerPrinter<Match>(args, terminal, {
        subject: "plot",
        member,
        columns: [...AREA_COLUMNS, ...columns],
        cells: (match) => [
          match.source_name,
          match.source_id,
          match.name ?? "",
          match.country_iso3 ?? "",
          ...cells(match, chosen),
        ],
      });
      const live = await openLiveAreas(data.current.live, terminal);
      try {
        for await (const plot of readPlots(args, terminal)) {
          if ("error" in plot) {
            await printer.error(plot.id, plot.error);
            continue;
          }
          const geometry = plot.input.geometry!;
          const crs = args.find("crs") ?? plot.input.crs;
          const plotOptions = { ...chosen, now, ...(crs !== undefined && { crs }) };
          const areas = await live.ask(() => data.liveNeeds(geometry, plotOptions));
          await printer.print(
            plot.id,
            answerOrError(() => query(data, geometry, { ...plotOptions, ...areas })),
          );
        }
      } finally {
        await live.close();
      }
      return printer.finish();
    },
  };
}

const AREA_COLUMNS: readonly Column[] = [
  { title: "source" },
  { title: "id" },
  { title: "name" },
  { title: "in" },
];
