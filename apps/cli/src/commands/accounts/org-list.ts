import { type ModeReport, type OrganizationReport, reportOrganizations } from "@groundrule/api/state";
import type { Command } from "../../command-line/command.ts";
import { EXIT } from "../../command-line/exit-code.ts";
import { MODE_OPTION, modeOf } from "../../command-line/modes.ts";
import { READ_STATE_OPTIONS, withReadState } from "../../state.ts";
import { type Column, renderTable } from "../../terminal/table.ts";
import { figures } from "../../words/figures.ts";

type Cell = (report: OrganizationReport, mode: ModeReport) => string;

/** The columns of the table, each with the least width of a terminal that has room for it. */
const COLUMNS: readonly (Column & { readonly cell: Cell; readonly room?: number })[] = [
  { title: "org_id", cutLast: true, cell: ({ organization }) => organization.id },
  { title: "name", cell: ({ organization }) => organization.name },
  { title: "state", cutLast: true, cell: ({ organization }) => organization.subscription },
  { title: "used", align: "right", cell: (_, { usage }) => figures.decimal(usage.used, 0) },
  { title: "quota", align: "right", cell: (_, { usage }) => figures.decimal(usage.limit, 0) },
  { title: "keys", align: "right", cell: (_, { validKeys }) => String(validKeys) },
  { title: "until", cutLast: true, room: 96, cell: (_, { usage }) => usage.period_ends_at.slice(0, 10) },
  { title: "sources", room: 110, cell: ({ organization }) => organization.sources.join(",") },
];

export const orgListCommand: Command = {
  summary: "List the organizations with their quotas, use, keys and sources",
  options: [
    { ...MODE_OPTION, help: "live (default) or test: which use and keys the table shows; JSON has both" },
    ...READ_STATE_OPTIONS,
  ],
  details: [
    '"used" is the number of requests charged in the current period; "until" is the day on which the next period begins. "keys" counts the keys that are valid now. "sources" has the patterns of the sources that the organization may use. A narrow terminal shows fewer columns; JSON has all of them.',
  ],
  async run(args, terminal) {
    const mode = modeOf(args);
    const columns = COLUMNS.filter(({ room = 0 }) => room <= terminal.columns);
    const rows: string[][] = [];
    await withReadState(args, async (ports) => {
      for await (const report of reportOrganizations(ports)) {
        if (args.flag("json") || !terminal.human) await terminal.printJson(described(report));
        else rows.push(columns.map(({ cell }) => cell(report, report.modes[mode])));
      }
    });
    if (args.flag("json") || !terminal.human) return EXIT.done;
    if (rows.length === 0) {
      terminal.note("groundrule: there are no organizations; groundrule org create makes one");
      return EXIT.done;
    }
    const [head, ...lines] = renderTable(columns, rows, terminal.columns);
    await terminal.print(terminal.style("bold", head!));
    for (const line of lines) await terminal.print(line);
    return EXIT.done;
  },
};

function described({ organization, modes }: OrganizationReport) {
  const { id, name, subscription, sources, createdAtMs } = organization;
  return {
    org_id: id,
    name,
    subscription,
    sources,
    created_at: new Date(createdAtMs).toISOString(),
    live: describedMode(modes.live),
    test: describedMode(modes.test),
  };
}

function describedMode({ usage, validKeys, lastUsedAtMs }: ModeReport) {
  const { limit, used, remaining, period_started_at, period_ends_at } = usage;
  return {
    quota: limit,
    used,
    remaining,
    period_started_at,
    period_ends_at,
    keys: validKeys,
    last_used_at: lastUsedAtMs === null ? null : new Date(lastUsedAtMs).toISOString(),
  };
}
