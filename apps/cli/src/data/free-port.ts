import { once } from "node:events";
import { createServer } from "node:net";
import type { Arguments } from "../command-line/arguments.ts";
import { getNumberSetting, getTextSetting } from "../settings/read-setting.ts";

/** Ports that are tried after the default one. */
const NEXT_PORTS = 100;

/**
 * Finds a port to listen on: the one that is set, else the first free one from the default on.
 *
 * Fails: as `listen` does, if none of them is available.
 */
export async function findFreePort(args: Arguments): Promise<number> {
  const host = getTextSetting(args, "host");
  const first = getNumberSetting(args, "port");
  const last = args.has("port") ? first : first + NEXT_PORTS;
  for (let port = first; ; port++) {
    try {
      const server = createServer().listen(port, host);
      await once(server, "listening");
      await once(server.close(), "close");
      return port;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EADDRINUSE" || port === last) throw error;
    }
  }
}
