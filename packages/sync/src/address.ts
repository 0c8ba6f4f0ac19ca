import { BlockList, isIP } from "node:net";
import { isLoopback } from "@groundrule/ingest";
import { SyncError } from "./sync-error.ts";

/** An address as it may be shown: without user, password, query and fragment, each of which may be a secret. */
export function shownAddress(url: URL): string {
  const query = url.search === "" ? "" : "?…";
  return `${url.protocol}//${url.host}${url.pathname}${query}`;
}

/**
 * Refuses an address that no redirect may lead to: of another scheme, or of `http` where the manifest does not take it.
 *
 * Fails: `FETCH_ADDRESS`.
 */
export function assertFollowable(from: URL, to: URL, allowHttp: boolean): void {
  if (to.protocol === "https:") return;
  const wasPlain = from.protocol === "http:";
  if (to.protocol === "http:" && (allowHttp || (wasPlain && isLoopback(to.hostname)))) return;
  const scheme = to.protocol.slice(0, -1);
  throw new SyncError(
    "FETCH_ADDRESS",
    `${shownAddress(from)} leads to an address of ${scheme}, expected https${scheme === "http" ? '; "allow_http": true takes it all the same' : ""}`,
    { url: shownAddress(from), scheme },
  );
}

/** Whether an IP address is of this machine or of a network that is not public. */
export function isPrivateAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 0) return false;
  return PRIVATE.check(address, family === 6 ? "ipv6" : "ipv4");
}

const PRIVATE = new BlockList();
for (const [network, prefix] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.168.0.0", 16],
] as const) {
  PRIVATE.addSubnet(network, prefix, "ipv4");
}
PRIVATE.addAddress("::1", "ipv6");
PRIVATE.addAddress("::", "ipv6");
PRIVATE.addSubnet("fc00::", 7, "ipv6");
PRIVATE.addSubnet("fe80::", 10, "ipv6");
