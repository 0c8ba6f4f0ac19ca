import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { PGlite } from "@electric-sql/pglite";
import { postgis } from "@electric-sql/pglite-postgis";

/** PostGIS in this process, behind a socket. */
export interface PgliteServer {
  readonly port: number;
  readonly url: string;
  exec(sql: string): Promise<void>;
  close(): Promise<void>;
}

const SSL_REQUEST = 80877103;

/** Starts it, in some ten seconds. It serves one connection at a time; others wait for their turn. */
export async function startPgliteServer(): Promise<PgliteServer> {
  const db = await PGlite.create({ extensions: { postgis } });
  await db.exec("CREATE EXTENSION postgis");
  let turn: Promise<unknown> = Promise.resolve();
  const server = createServer((socket) => {
    socket.on("error", () => {});
    const before = turn;
    const over = once(socket, "close").catch(() => {});
    turn = before.then(() => over);
    socket.pause();
    void before.then(() => serveSocket(db, socket));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  return {
    port,
    url: `postgresql://postgres@127.0.0.1:${port}/postgres`,
    exec: async (sql) => void (await db.exec(sql)),
    async close() {
      server.close();
      await db.close();
    },
  };
}

function serveSocket(db: PGlite, socket: Socket): void {
  let answered: Promise<unknown> = Promise.resolve();
  socket.on("data", (bytes: Buffer) => {
    answered = answered.then(async () => {
      if (bytes.length === 8 && bytes.readInt32BE(4) === SSL_REQUEST) return void socket.write("N");
      const answer = await db.execProtocolRaw(new Uint8Array(bytes));
      if (!socket.destroyed) socket.write(answer);
    });
  });
  socket.resume();
}
