import { existsSync } from "node:fs";
import { appendFile, truncate, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createSharedFolder } from "@groundrule/testing/folder";
import { describe, expect, it } from "vitest";
import { collectItems as readAll } from "../../test/reading.ts";
import { openLocalFile, spoolStreamToFile } from "../host/node/files.ts";

const dir = createSharedFolder().at();

async function* generateChunks(...sizes: number[]): AsyncGenerator<Uint8Array> {
  let next = 0;
  for (const size of sizes) yield Uint8Array.from({ length: size }, () => next++);
}

const all = async (stream: AsyncIterable<Uint8Array>) => Buffer.concat(await readAll(stream));

describe("openLocalFile", () => {
  it("reads from anywhere, and fewer bytes only at the end", async () => {
    const path = join(dir, "ten");
    await writeFile(
      path,
      Uint8Array.from({ length: 10 }, (_, i) => i),
    );
    const file = await openLocalFile(path);
    expect([...(await file.read(4, 3))]).toEqual([4, 5, 6]);
    expect([...(await file.read(8, 100))]).toEqual([8, 9]);
    expect([...(await file.read(10, 1))]).toEqual([]);
    expect([...(await file.read(1e12, 1e12))]).toEqual([]);
    expect(await all(file.stream(7))).toEqual(Buffer.from([7, 8, 9]));
    await file.close();
    await file.close();
    expect(existsSync(path)).toBe(true);
  });

  it("refuses a file that is cut or written to while it is read", async () => {
    for (const change of [
      (path: string) => truncate(path, 300_000),
      (path: string) => appendFile(path, "x"),
    ]) {
      const path = join(dir, "changing");
      await writeFile(path, new Uint8Array(600_000));
      await utimes(path, 1, 1);
      const file = await openLocalFile(path);
      const reading = async () => {
        for await (const _ of file.stream()) await change(path);
      };
      await expect(reading()).rejects.toMatchObject({ code: "FILE_DAMAGED" });
      await file.close();
    }
  });

  it("reports what is no file", async () => {
    await expect(openLocalFile(dir)).rejects.toMatchObject({ code: "EISDIR" });
    await expect(openLocalFile(join(dir, "none"))).rejects.toMatchObject({ code: "ENOENT" });
  });
});

describe("spool", () => {
  it("keeps a stream until it is closed", async () => {
    const file = await spoolStreamToFile(generateChunks(3, 0, 4), "standard input", 7);
    expect(file.size).toBe(7);
    expect(await all(file.stream())).toEqual(Buffer.from([0, 1, 2, 3, 4, 5, 6]));
    await file.close();
    expect(existsSync(file.path)).toBe(false);
  });

  it("refuses more than the limit", async () => {
    const spooled = spoolStreamToFile(generateChunks(3, 5), "standard input", 7);
    await expect(spooled).rejects.toMatchObject({ code: "UNPACKED_TOO_LARGE", details: { limit: 7 } });
  });
});
