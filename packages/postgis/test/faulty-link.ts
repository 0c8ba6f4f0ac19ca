import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

/** The fault of a link in the server's answers. */
export type LinkFault =
  | "none"
  /** Nothing is returned. */
  | "drops"
  /** The first bytes of an answer are returned, then the link is cut. */
  | "cuts"
  /** Other bytes than the server's are returned. */
  | "garbles"
  /** Every answer comes 300 ms late. */
  | "delays"
  /** One byte of an answer every 20 ms. */
  | "drips"
  /** New links are refused. */
  | "refuses";

export interface FaultyLink {
  readonly port: number;
  fault: LinkFault;
  /** Links that are open now. */
  readonly open: number;
  close(): Promise<void>;
}

/** A proxy between clients and a server that injects faults. */
export async function startFaultyLink(targetPort: number): Promise<FaultyLink> {
  const sockets = new Set<Socket>();
  let answers = 0;
  const link = { fault: "none" as LinkFault };
  const spoil = (client: Socket, bytes: Buffer): void => {
    answers++;
    switch (link.fault) {
      case "none":
        return void client.write(bytes);
      case "drops":
      case "refuses":
        return;
      case "cuts":
        client.write(bytes.subarray(0, Math.ceil(bytes.length / 2)));
        return void client.destroy();
      case "garbles":
        return void client.write(Buffer.from(bytes).map((byte, i) => (byte * 31 + i * answers + 7) & 0xff));
      case "delays":
        return void setTimeout(() => client.write(bytes), 300).unref();
      case "drips": {
        let at = 0;
        const timer = setInterval(() => {
          if (client.destroyed || at >= bytes.length) return clearInterval(timer);
          client.write(bytes.subarray(at, ++at));
        }, 20).unref();
      }
    }
  };
  const server = createServer((client) => {
    if (link.fault === "refuses") return void client.destroy();
    const upstream = connect(targetPort, "127.0.0.1");
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => {
        sockets.delete(socket);
        client.destroy();
        upstream.destroy();
      });
    }
    client.on("data", (bytes) => upstream.write(bytes));
    upstream.on("data", (bytes: Buffer) => spoil(client, bytes));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  return Object.assign(link, {
    port,
    get open() {
      return sockets.size / 2;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  });
}
