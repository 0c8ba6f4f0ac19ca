import { connect, createServer, type Socket } from "node:net";

/**
 * Where a link is cut around a COMMIT: `held` tells the server nothing, neither COMMIT nor that the
 * client is gone, until {@link TcpProxy.deliver}.
 */
export type Cut = "before" | "after" | "held" | undefined;

export interface TcpProxy {
  readonly port: number;
  /** Resolves when a COMMIT is held. */
  readonly held: Promise<void>;
  /** Passes on the COMMITs that are held. */
  deliver(): void;
  /** Leads new links to another server. */
  aim(port: number): void;
  /** Refuses new links, or takes them again. */
  refuse(isRefusing: boolean): void;
  /** Resolves when the server is next sent something. */
  nextAsked(): Promise<void>;
  close(): Promise<void>;
}

/** How a write ends in PostgreSQL's protocol: a simple query, whose last statement is COMMIT. */
const COMMIT = Buffer.from("COMMIT\0", "latin1");

/**
 * Stands between a client and PostgreSQL and cuts links at COMMIT.
 *
 * @param decide asked at each COMMIT
 */
export async function startTcpProxy(targetPort: number, decide: () => Cut): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  const deliveries: (() => void)[] = [];
  const held = Promise.withResolvers<void>();
  let isRefusing = false;
  let target = targetPort;
  let asked = Promise.withResolvers<void>();
  const server = createServer((client) => {
    if (isRefusing) return void client.destroy();
    const upstream = connect(target, "127.0.0.1");
    let isHeldBack = false;
    let isHeld = false;
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => {
        sockets.delete(socket);
        client.destroy();
        // What was passed on reaches the server, though nobody hears its answer.
        if (!isHeld) upstream.end();
      });
    }
    client.on("data", (bytes: Buffer) => {
      asked.resolve();
      asked = Promise.withResolvers();
      if (!bytes.includes(COMMIT)) return void upstream.write(bytes);
      const cut = decide();
      if (cut === "before") return void client.destroy();
      if (cut === "held") {
        isHeld = true;
        isHeldBack = true;
        deliveries.push(() => upstream.end(bytes));
        client.destroy();
        return held.resolve();
      }
      isHeldBack = cut === "after";
      upstream.write(bytes, () => {
        if (isHeldBack) client.destroy();
      });
    });
    upstream.on("data", (bytes: Buffer) => {
      if (!isHeldBack) client.write(bytes);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return {
    port: address.port,
    held: held.promise,
    deliver: () => {
      for (const deliver of deliveries.splice(0)) deliver();
    },
    aim: (port) => {
      target = port;
    },
    refuse: (refusing) => {
      isRefusing = refusing;
    },
    nextAsked: () => asked.promise,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
