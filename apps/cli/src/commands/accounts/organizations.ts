import {
  createOrganization,
  eraseDecisions,
  type ModeReport,
  type OrganizationReport,
  readUsage,
  releaseLedger,
  reportOrganizations,
  type SubscriptionStatus,
  setQuota,
  setSubscription,
} from "@groundrule/api/state";
import { MODE_OPTION, ORG_OPTION, readMode } from "../../command-line/account-options.ts";
import { UsageError } from "../../command-line/arguments.ts";
import type { Command } from "../../command-line/command.ts";
import { defineOption } from "../../command-line/command-line.ts";
import { parseInstantMs } from "../../command-line/durations.ts";
import { EXIT } from "../../command-line/exit-code.ts";
import {
  READ_STATE_OPTIONS,
  STATE_OPTIONS,
  withMadeState,
  withReadState,
  withState,
} from "../../data/state.ts";
import { type Column, printTable } from "../../terminal/table.ts";
import { figures } from "../../words/figures.ts";
import { printValue } from "../../words/show-value.ts";

export const orgCreateCommand: Command = {
  summary: "Create an organization with an active subscription",
  examples: ['"Cooperativa Sul" --quota 10000'],
  operands: "NAME",
  options: [
    defineOption("quota N", "billable requests per period in live mode", { required: true }),
    defineOption("test-quota N", "billable requests per period in test mode (default 10000)"),
    defineOption("anchor-day D", "day of the month on which each billing period begins (default: today's)"),
    defineOption("sources GLOB,…", "sources that the organization may use, e.g. 'demo:*,wdpa' (default all)"),
    ...STATE_OPTIONS,
  ],
  details: [
    "Prints the organization's id. Creates the store and its pepper if they do not exist. A billing period begins at 00:00 UTC on the anchor day, or on the last day of a shorter month.",
  ],
  async run(args, terminal) {
    const quota = args.findInteger("quota", 0, Number.MAX_SAFE_INTEGER) ?? 0;
    const testQuota = args.findInteger("test-quota", 0, Number.MAX_SAFE_INTEGER);
    const anchorDay = args.findInteger("anchor-day", 1, 31);
    const sources = args.find("sources")?.split(",");
    const { id } = await withMadeState(args, terminal, (ports) =>
      createOrganization(ports, {
        name: args.operands[0]!,
        liveQuota: quota,
        ...(testQuota !== undefined && { testQuota }),
        ...(anchorDay !== undefined && { anchorMs: computeAnchorDay(anchorDay, new Date()) }),
        ...(sources !== undefined && { sources }),
      }),
    );
    return printValue({ org_id: id }, args, terminal);
  },
};

/** The latest past such day, in a month that has it, since later periods are counted from it. */
function computeAnchorDay(day: number, now: Date): number {
  for (let months = 0; ; months++) {
    const anchor = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months, day));
    if (anchor.getUTCDate() === day && anchor <= now) return anchor.getTime();
  }
}

type Cell = (report: OrganizationReport, mode: ModeReport) => string;

/** The columns of the table, each with the least terminal width that has room for it. */
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
    const mode = readMode(args);
    const columns = COLUMNS.filter(({ room = 0 }) => room <= terminal.columns);
    const rows: string[][] = [];
    await withReadState(args, async (ports) => {
      for await (const report of reportOrganizations(ports)) {
        if (args.flag("json") || !terminal.human) await terminal.printJson(describeOrganization(report));
        else rows.push(columns.map(({ cell }) => cell(report, report.modes[mode])));
      }
    });
    if (args.flag("json") || !terminal.human) return EXIT.done;
    if (rows.length === 0) {
      terminal.note("groundrule: there are no organizations; groundrule org create makes one");
      return EXIT.done;
    }
    await printTable(columns, rows, terminal);
    return EXIT.done;
  },
};

function describeOrganization({ organization, modes }: OrganizationReport) {
  const { id, name, subscription, sources, createdAtMs } = organization;
  return {
    org_id: id,
    name,
    subscription,
    sources,
    created_at: new Date(createdAtMs).toISOString(),
    live: describeMode(modes.live),
    test: describeMode(modes.test),
  };
}

function describeMode({ usage, validKeys, lastUsedAtMs }: ModeReport) {
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

export const subscriptionSuspendCommand: Command = createSubscriptionCommand(
  "suspended",
  "Suspend an organization's subscription",
);
export const subscriptionResumeCommand: Command = createSubscriptionCommand(
  "active",
  "Resume an organization's subscription",
);
export const subscriptionExpireCommand: Command = createSubscriptionCommand(
  "expired",
  "End an organization's subscription",
);

function createSubscriptionCommand(status: SubscriptionStatus, summary: string): Command {
  return {
    summary,
    options: [ORG_OPTION, ...STATE_OPTIONS],
    details: [
      "Applies to both modes at once. Without an active subscription billable requests are refused; answers that were already charged can still be replayed.",
    ],
    async run(args, terminal) {
      const changed = await withState(args, (ports) => setSubscription(ports, args.get("org"), status));
      return printValue({ org_id: changed.id, subscription: changed.subscription }, args, terminal);
    },
  };
}

export const quotaSetCommand: Command = {
  summary: "Set an organization's quota of billable requests per period",
  examples: ['--org "Cooperativa Sul" --quota 20000'],
  operands: "[N]",
  options: [
    ORG_OPTION,
    defineOption("quota N", "billable requests per period, as for org create; or the operand N"),
    MODE_OPTION,
    ...STATE_OPTIONS,
  ],
  details: ["Takes effect at once. In the current period the quota never falls below what is already used."],
  async run(args, terminal) {
    const found = [...args.operands, ...args.all("quota")];
    const [text] = found;
    if (text === undefined || found.length > 1) {
      throw new UsageError(
        `found ${text === undefined ? "neither" : "both"} N and --quota N, expected one of them`,
      );
    }
    if (!/^\d{1,15}$/.test(text)) throw new UsageError(`found the quota "${text}", expected a whole number`);
    const mode = readMode(args);
    const period = await withState(args, (ports) =>
      setQuota(ports, { organization: args.get("org"), mode, quota: Number(text) }),
    );
    return printValue({ mode, limit: period.quota, used: period.used }, args, terminal);
  },
};

export const usageCommand: Command = {
  summary: "Show how much of its quota an organization has used",
  examples: ['--org "Cooperativa Sul"'],
  options: [ORG_OPTION, MODE_OPTION, ...READ_STATE_OPTIONS],
  async run(args, terminal) {
    const usage = await withReadState(args, (ports) =>
      readUsage(ports, { organization: args.get("org"), mode: readMode(args) }),
    );
    return printValue(usage, args, terminal);
  },
};

export const decisionsEraseCommand: Command = {
  summary: "Erase an organization's recorded requests and answers from before an instant",
  examples: ["--org org_7h3k --before 2025-01-01T00:00:00Z"],
  options: [
    ORG_OPTION,
    defineOption("before ISO", "erase decisions made before this instant", { required: true }),
    ...STATE_OPTIONS,
  ],
  details: [
    "Erases decisions of both modes. The charges and the digests stay. This cannot be undone.",
    "Jobs that were created before the instant lose their uploads and error lines; those that are unfinished are cancelled.",
  ],
  async run(args, terminal) {
    const beforeMs = parseInstantMs("before", args.get("before"));
    const erased = await withState(args, (ports) =>
      eraseDecisions(ports, { organization: args.get("org"), beforeMs }),
    );
    return printValue(erased, args, terminal);
  },
};

export const ledgerReleaseCommand: Command = {
  summary: "Release a frozen ledger, so that it charges again",
  options: [ORG_OPTION, MODE_OPTION, ...STATE_OPTIONS],
  details: [
    "A ledger is frozen when it does not add up. groundrule doctor says what is wrong; release the ledger once you understand the cause.",
  ],
  async run(args, terminal) {
    const mode = readMode(args);
    const organization = args.get("org");
    await withState(args, (ports) => releaseLedger(ports, { organization, mode }));
    return printValue({ released: organization, mode }, args, terminal);
  },
};
