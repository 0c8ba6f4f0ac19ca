import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { findFreePort } from "@groundrule/testing/postgres-server";
import { describe, expect, it } from "vitest";
import { openPostgis } from "./open-postgis.ts";

const manifest = { source_name: "live:areas", kind: "leaf", id: "code" } as const;
const config = { kind: "postgis", table: "areas", geometry: "geom", deadline_ms: 150 } as const;
const need = { source_name: "live:areas", boxes: [[0, 0, 1, 1]], wide: [] } as const;
const SECRET = "s3cr3t";

/** A server of PostgreSQL's protocol that answers short questions and never one with parameters. */
async function startBusyServer(isDown: () => boolean): Promise<{ port: number; close(): void }> {
  const message = (type: string, ...parts: (number[] | string)[]): Buffer => {
    const body = Buffer.concat(parts.map((part) => Buffer.from(part as string)));
    const length = Buffer.alloc(4);
    length.writeUInt32BE(body.length + 4);
    return Buffer.concat([Buffer.from(type), length, body]);
  };
  const ready = message("Z", "I");
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.once("data", () => {
      if (!isDown()) socket.write(Buffer.concat([message("R", [0, 0, 0, 0]), ready]));
      socket.on("data", (bytes: Buffer) => {
        if (bytes[0] === "Q".charCodeAt(0)) socket.write(Buffer.concat([message("C", "SELECT 1\0"), ready]));
      });
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as { port: number }).port,
    close: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

describe("openPostgis", () => {
  it.each([
    ["env:NOWHERE", "the environment variable NOWHERE is not set"],
    ["env:EMPTY", "the environment variable EMPTY is not set"],
    ["env:WRONG", "found no address in the environment variable WRONG"],
    [`mysql://u:${SECRET}@host/db`, "found no address in connection"],
    [`postgresql://u:${SECRET}@[host/db`, "found no address in connection"],
  ])("refuses the connection %s, and does not repeat it", (connection, message) => {
    const environment = { EMPTY: "", WRONG: `${SECRET}@host` };
    const open = () => openPostgis({ ...config, connection }, manifest, { environment });
    expect(open).toThrow(message);
    expect(open).not.toThrow(SECRET);
  });

  it("refuses a source without a column of identifiers", () => {
    const { id: _, ...without } = manifest;
    const connection = "postgresql://u@host/db";
    expect(() => openPostgis({ ...config, connection }, without)).toThrow('needs "id"');
  });

  it("fails where nobody listens, and after some failures at once", async () => {
    const port = await findFreePort();
    const connection = `postgresql://u:${SECRET}@127.0.0.1:${port}/db`;
    const provider = openPostgis({ ...config, connection }, manifest, { failuresInARow: 2 });
    const answers = [];
    for (let i = 0; i < 3; i++) answers.push(await provider.candidates(need, {}));
    expect(answers[0]).toEqual({
      failed: "the database cannot be reached (ECONNREFUSED)",
      code: "PROVIDER_UNAVAILABLE",
    });
    expect(answers[2]).toEqual({
      failed:
        "the database is left alone for a while after failures: the database cannot be reached (ECONNREFUSED)",
      code: "PROVIDER_UNAVAILABLE",
    });
    expect(provider.breaker).toBe("open");
    await provider.close();
  });

  it("is no outage where a question is late and the database answers others, and one where it answers nobody", async () => {
    let isDown = false;
    const server = await startBusyServer(() => isDown);
    const url = `postgresql://u@127.0.0.1:${server.port}/db`;
    const limits = { failuresInARow: 2, pauseMs: 60_000 };
    const provider = openPostgis({ ...config, deadline_ms: 1_000, connection: url }, manifest, limits);
    const ask = () => Promise.all([1, 2, 3].map(() => provider.candidates(need, {})));
    for (const answer of await ask()) {
      expect(answer).toMatchObject({ failed: expect.stringContaining("while the database answers others") });
    }
    expect(provider.breaker).toBe("closed");
    isDown = true;
    for (const answer of await ask()) expect(answer).toMatchObject({ code: "PROVIDER_TIMEOUT" });
    expect(provider.breaker).toBe("open");
    await provider.close();
    server.close();
  });

  it.each([
    ["says nothing", () => {}],
    ["talks HTTP", (bytes: (text: string) => void) => bytes("HTTP/1.1 400 Bad Request\r\n\r\n")],
  ])("fails within its deadline where a server %s", async (_, greet) => {
    const server = createServer((socket) => {
      socket.on("error", () => {});
      socket.once("data", () => greet((text) => void socket.write(text)));
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as { port: number };
    const provider = openPostgis({ ...config, connection: `postgresql://u@127.0.0.1:${port}/db` }, manifest);
    const answers = await Promise.all([provider.candidates(need, {}), provider.candidates(need, {})]);
    for (const answer of answers) expect(answer).toHaveProperty("failed");
    await provider.close();
    server.close();
  });
});
