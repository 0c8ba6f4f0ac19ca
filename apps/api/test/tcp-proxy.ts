import { connect, createServer, type Socket } from "node:net";

/** Where a link is cut around a COMMIT. */
export type Cut = "before" | "after" | undefined;

export interface TcpProxy {
  readonly port: number;
  close(): Promise<void>;
}

/** The simple query `COMMIT` of PostgreSQL's protocol: type, length, text, zero. */
const COMMIT = Buffer.from("Q\0\0\0\u000bCOMMIT\0", "latin1");

/**
 * Stands between a client and PostgreSQL and cuts links at COMMIT: before it is passed on, or after,
 * with the answer held back.
 *
 * @param decide asked at each COMMIT
 */
export async function startTcpProxy(targetPort: number, decide: () => Cut): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(targetPort, "127.0.0.1");
    let isHeldBack = false;
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => {
        sockets.delete(socket);
        client.destroy();
        // What was passed on reaches the server, though nobody hears its answer.
        upstream.end();
      });
    }
    client.on("data", (bytes: Buffer) => {
      if (!bytes.includes(COMMIT)) return void upstream.write(bytes);
      const cut = decide();
      if (cut === "before") return void client.destroy();
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
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
