import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { basename } from "node:path";
import type { PackedPackage } from "./pack.ts";

export interface Registry {
  /** The line of an `.npmrc` by which a package manager finds the packages here. */
  readonly npmrc: string;
  close(): void;
}

/** A registry of one scope, which holds packed packages and nothing else: packages come as strangers get them. */
export async function serveRegistry(packages: readonly PackedPackage[]): Promise<Registry> {
  const tarballs = new Map(packages.map(({ tarball }) => [basename(tarball), readFileSync(tarball)]));
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? "").slice(1);
    const tarball = tarballs.get(path);
    if (tarball !== undefined) {
      response.end(tarball);
      return;
    }
    const found = packages.find(({ name }) => name === path);
    response.statusCode = found === undefined ? 404 : 200;
    response.setHeader("Content-Type", "application/json");
    response.end(
      JSON.stringify(found === undefined ? {} : packument(found, `http://${request.headers.host}`)),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    npmrc: `@groundrule:registry=http://127.0.0.1:${port}/\n`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };

  function packument({ name, manifest, tarball }: PackedPackage, address: string): object {
    const file = basename(tarball);
    const integrity = `sha512-${createHash("sha512").update(tarballs.get(file)!).digest("base64")}`;
    const dist = { tarball: `${address}/${file}`, integrity };
    const { version } = manifest;
    return { name, "dist-tags": { latest: version }, versions: { [version]: { ...manifest, dist } } };
  }
}
