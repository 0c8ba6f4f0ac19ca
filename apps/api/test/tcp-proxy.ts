import { connect, createServer, type Socket } from "node:net";

/**
 * Where a link is cut around a COMMIT: `withheld` passes nothing on to the server, neither COMMIT nor that the
 * client is gone, until {@link TcpProxy.deliver}.
 */
export type Cut = "before" | "after" | "withheld" | undefined;

export interface TcpProxy {
  readonly port: number;
  /** Resolves when a COMMIT is withheld. */
  readonly withheld: Promise<void>;
  /** Passes on the COMMITs that are withheld. */
  deliver(): void;
  /** Leads new links to another server. */
  aim(port: number): void;
  /** Refuses new links, or takes them again. */
  refuse(isRefusing: boolean): void;
  /** Resolves when the server is next sent something. */
  nextRequest(): Promise<void>;
  close(): Promise<void>;
}

/** How a write ends in PostgreSQL's protocol: a simple query, whose last statement is COMMIT. */
const COMMIT = Buffer.from("COMMIT\0", "latin1");

/**
 * Stands between a client and PostgreSQL and cuts links at COMMIT.
 *
 * @param decide called at each COMMIT
 */
export async function startTcpProxy(targetPort: number, decide: () => Cut): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  const deliveries: (() => void)[] = [];
  const withheld = Promise.withResolvers<void>();
  let isRefusing = false;
  let target = targetPort;
  let request = Promise.withResolvers<void>();
  const server = createServer((client) => {
    if (isRefusing) return void client.destroy();
    const upstream = connect(target, "127.0.0.1");
    let isSilent = false;
    let isWithheld = false;
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => {
        sockets.delete(socket);
        client.destroy();
        // Bytes that were passed on reach the server, though nobody reads its answer.
        if (!isWithheld) upstream.end();
      });
    }
    client.on("data", (bytes: Buffer) => {
      request.resolve();
      request = Promise.withResolvers();
      if (!bytes.includes(COMMIT)) return void upstream.write(bytes);
      const cut = decide();
      if (cut === "before") return void client.destroy();
      if (cut === "withheld") {
        isWithheld = true;
        isSilent = true;
        deliveries.push(() => upstream.end(bytes));
        client.destroy();
        return withheld.resolve();
      }
      isSilent = cut === "after";
      upstream.write(bytes, () => {
        if (isSilent) client.destroy();
      });
    });
    upstream.on("data", (bytes: Buffer) => {
      if (!isSilent) client.write(bytes);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return {
    port: address.port,
    withheld: withheld.promise,
    deliver: () => {
      for (const deliver of deliveries.splice(0)) deliver();
    },
    aim: (port) => {
      target = port;
    },
    refuse: (refusing) => {
      isRefusing = refusing;
    },
    nextRequest: () => request.promise,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
