import type { ChildProcess } from "node:child_process";
import { createInterface } from "node:readline";

/** The address that a service prints once it listens. */
export async function listening({ stdout, stderr }: ChildProcess): Promise<string> {
  const said: string[] = [];
  for (const stream of [stderr!, stdout!]) stream.setEncoding("utf8");
  return new Promise((resolve, reject) => {
    for (const stream of [stderr!, stdout!]) {
      createInterface({ input: stream }).on("line", (line) => {
        said.push(line);
        const [address] = /http:\/\/[\w.:[\]]+/.exec(line) ?? [];
        if (address !== undefined) resolve(address);
      });
    }
    stdout!.once("close", () => reject(new Error(`it ended before it listened: ${said.join("\n")}`)));
  });
}
