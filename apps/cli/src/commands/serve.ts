import { serviceLog } from "@groundrule/api";
import type { Command } from "../command.ts";
import { dataFolder } from "../data-folder.ts";
import { EXIT } from "../exit-code.ts";
import { SERVE_OPTIONS, serveData } from "../serve-data.ts";
import { openServedState, PEPPER_OPTION, STORE_OPTIONS, TRUST_CLOCK_OPTION } from "../state.ts";

export const serveCommand: Command = {
  path: "serve",
  summary: "Serve the HTTP API over the data folder",
  operands: "",
  operandCount: [0, 0],
  options: [
    ...STORE_OPTIONS,
    PEPPER_OPTION,
    { name: "init", help: "make the store first; refused where there is one" },
    TRUST_CLOCK_OPTION,
    ...SERVE_OPTIONS,
  ],
  details: [
    "Callers need a key: groundrule org create, which makes the store, then groundrule key create. Prints the address, then logs requests as JSON lines on standard error, without what they asked. Editions that become current are switched to; requests finish on those they began with. Stops when interrupted, after the requests that run.",
  ],
  async run(args, terminal) {
    const { store, pepper } = await openServedState(args);
    const log = serviceLog({ write: (line) => void process.stderr.write(line) });
    const server = await serveData(dataFolder(args), args, terminal, { store, pepper, log });
    await server.stopped;
    return EXIT.done;
  },
};
