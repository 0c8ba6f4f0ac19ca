import { serviceLog } from "@groundrule/api";
import type { Command } from "../../command-line/command.ts";
import { defineOption } from "../../command-line/command-line.ts";
import { EXIT } from "../../command-line/exit-code.ts";
import { getDataFolder } from "../../data/data-folder.ts";
import { SERVE_OPTIONS, serveDataFolder } from "../../data/serve-data.ts";
import { openServedState, PEPPER_OPTION, STORE_OPTIONS, TRUST_CLOCK_OPTION } from "../../data/state.ts";
import { describeDoubtfulNames } from "../../settings/doubtful-names.ts";
import { readServeSettings } from "../../settings/serve-settings.ts";

export const serveCommand: Command = {
  summary: "Serve the HTTP API over the data folder",
  examples: ["--init --port 9000"],
  options: [
    ...STORE_OPTIONS,
    PEPPER_OPTION,
    defineOption("init", "create the store first; fails if it already exists"),
    TRUST_CLOCK_OPTION,
    ...SERVE_OPTIONS,
  ],
  details: [
    "Every option that has a value can also be set by an environment variable, such as GROUNDRULE_RATE_LIMIT for --rate-limit, or in groundrule.yaml, as rate_limit; they are read once, at the start. groundrule config print shows the settings in effect.",
    "Callers need an API key: run groundrule org create, which creates the store, then groundrule key create. Prints the address, then logs each request as a JSON line on standard error, without its body. Switches to new editions as they become current; a running request finishes on the editions it began with. When interrupted, the server finishes the running requests and stops.",
  ],
  async run(args, terminal) {
    readServeSettings(args); // a wrong one is reported before the state is opened
    const { store, pepper } = await openServedState(args);
    const log = serviceLog({ write: (line) => void process.stderr.write(line) });
    for (const doubt of describeDoubtfulNames(process.env)) log.note(doubt);
    const server = await serveDataFolder(getDataFolder(args), args, terminal, { store, pepper, log });
    await server.stopped;
    return EXIT.done;
  },
};
