import { connect, type Socket } from "node:net";
import { exchangeRequest } from "../exchange.ts";
import { withServedProcess } from "../served-process.ts";
import { computeQuantile, requireNothingOver, roundToTenth } from "./figures.ts";
import { HARMLESS, makeHostileEditions } from "./hostile-world.ts";
import { buildRequestHead } from "./raw-request.ts";

const ANNOUNCED_BYTES = 10 * 1024 * 1024;
const AT_ONCE = 80;
const ROUNDS = 10;

/** Bodies of 10 MiB that are announced and never sent, while another organization asks 80 times at once. */
export function announceUnsentBodies(connections: number): Promise<object> {
  return withServedProcess({ editions: makeHostileEditions(), organizations: 2 }, async (served) => {
    const body = JSON.stringify({ input: { geometry: HARMLESS } });
    const headers = { Authorization: `Bearer ${served.keys[1]}`, "Content-Type": "application/json" };
    const ask = () => exchangeRequest(`${served.url}/v1/intersections`, "POST", headers, body);
    await Promise.all(Array.from({ length: AT_ONCE }, ask));
    const head = buildRequestHead("/v1/intersections", served.key, [`Content-Length: ${ANNOUNCED_BYTES}`]);
    let refused = 0;
    const silent = Array.from({ length: connections }, (): Socket => {
      const socket = connect(served.port, "127.0.0.1");
      socket.on("error", () => {});
      socket.on("data", (data: Buffer) => {
        if (data.includes("REQUEST_TIMEOUT")) refused++;
      });
      socket.write(`${head}{`);
      return socket;
    });
    const waits: number[] = [];
    const over: string[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      for (const { status, milliseconds } of await Promise.all(Array.from({ length: AT_ONCE }, ask))) {
        waits.push(milliseconds);
        if (status !== 200) over.push(`round ${round}: ${status}`);
      }
    }
    const closed = silent.map((socket) => new Promise<void>((resolve) => socket.once("close", resolve)));
    await Promise.all(closed);
    if (refused !== connections) over.push(`${refused} of ${connections} were refused with 408`);
    return requireNothingOver(
      { answered: waits.length, refused, otherP99Ms: roundToTenth(computeQuantile(waits, 0.99)) },
      over,
    );
  });
}
