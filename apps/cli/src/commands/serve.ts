import type { Command } from "../command.ts";
import { dataFolder } from "../data-folder.ts";
import { EXIT } from "../exit-code.ts";
import { SERVE_OPTIONS, serveData } from "../serve-data.ts";

export const serveCommand: Command = {
  path: "serve",
  summary: "Serve the HTTP API over the data folder",
  operands: "",
  operandCount: [0, 0],
  options: SERVE_OPTIONS,
  details: [
    "Prints the address, and a key that is valid while it runs. Editions that become current are switched to; requests finish on those they began with. Stops when interrupted, after the requests that run.",
  ],
  async run(args, terminal) {
    const server = await serveData(dataFolder(args), args, terminal);
    await server.stopped;
    return EXIT.done;
  },
};
