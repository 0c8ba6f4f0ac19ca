import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { computeEntityDigest } from "../../api/src/http/exchange/entity-tag.ts";

/** Stands in for a service before and after an upgrade. */
export interface EarlierRelease {
  readonly url: string;
  /** Once true, answers are those of the upgraded service. */
  isUpgraded: boolean;
  /** True to answer every request like a proxy whose server is gone. */
  isDown: boolean;
  /** Paths answered with 304 so far. */
  readonly unchanged: string[];
  close(): void;
}

/** The policy of every answer of release 0.2.0 without its own, including a 304 for a page. */
const POLICY_0_2_0 = "default-src 'none'; frame-ancestors 'none'";

/**
 * Forwards a service's pages as another build with the headers of release 0.2.0: tags depend only on the bytes, and a
 * 304 has the policy of an empty answer. Only `GET` is forwarded.
 */
export async function startEarlierRelease(target: string): Promise<EarlierRelease> {
  const server = createServer(async (request, response) => {
    if (release.isDown) return void response.writeHead(502).end();
    const known = request.headers["if-none-match"];
    const asksAgain = release.isUpgraded && known !== undefined;
    const answer = await fetch(target + request.url, {
      headers: asksAgain ? { "if-none-match": known } : {},
      redirect: "manual",
    });
    let bytes = Buffer.from(await answer.arrayBuffer());
    if (!release.isUpgraded && request.url?.endsWith("/sw.js") === true) {
      bytes = Buffer.from(bytes.toString().replace(/PAGE_EDITION="\w+"/, 'PAGE_EDITION="earlier"'));
    }
    const headers = new Headers(answer.headers);
    for (const name of ["content-encoding", "content-length", "transfer-encoding", "connection"]) {
      headers.delete(name);
    }
    let { status } = answer;
    if (!release.isUpgraded && headers.has("etag")) {
      headers.set("etag", `"${computeEntityDigest(bytes)}"`);
      if (known === headers.get("etag")) {
        status = 304;
        headers.set("content-security-policy", POLICY_0_2_0);
        headers.delete("content-type");
      }
    }
    if (status === 304) release.unchanged.push(request.url ?? "");
    response.writeHead(status, Object.fromEntries(headers)).end(status === 304 ? undefined : bytes);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const release: EarlierRelease = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    isUpgraded: false,
    isDown: false,
    unchanged: [],
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
  return release;
}
