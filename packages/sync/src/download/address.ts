import { BlockList, isIP } from "node:net";
import { isLoopback } from "@groundrule/ingest";
import { SyncError } from "../sync-error.ts";

/** An address as it may be shown: without user, password, query and fragment, each of which may be a secret. */
export function redactAddress(url: URL): string {
  const query = url.search === "" ? "" : "?…";
  return `${url.protocol}//${url.host}${url.pathname}${query}`;
}

/**
 * Refuses an address that no redirect may lead to: of another scheme, or of `http` where the manifest does not take it.
 *
 * Fails: `FETCH_ADDRESS`.
 */
export function assertRedirectAllowed(from: URL, to: URL, allowHttp: boolean): void {
  if (to.protocol === "https:") return;
  const wasPlain = from.protocol === "http:";
  if (to.protocol === "http:" && (allowHttp || (wasPlain && isLoopback(to.hostname)))) return;
  const scheme = to.protocol.slice(0, -1);
  throw new SyncError(
    "FETCH_ADDRESS",
    `${redactAddress(from)} leads to an address of ${scheme}, expected https${scheme === "http" ? '; "allow_http": true takes it all the same' : ""}`,
    { url: redactAddress(from), scheme },
  );
}

/**
 * True if an IP address is of the public internet, according to the registries of IANA: not of this machine, of a
 * private network or of a special purpose, nor a group of hosts. An address that embeds an IPv4 address, for
 * translation or a tunnel, is judged by the embedded one.
 *
 * @param address in any spelling; anything else is not public
 *
 * Source: IANA IPv4 and IPv6 Special-Purpose Address Registries; IPv6 Address Space (2000::/3 is all that is allocated to
 * hosts of the internet); RFC 6052 (64:ff9b::/96), RFC 3056 (2002::/16), RFC 4291 (::ffff:0:0/96).
 */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 0) return false;
  if (family === 4) return !SPECIAL.check(address, "ipv4");
  const groups = parseIpv6Groups(address);
  const embedded = findEmbeddedIpv4(groups);
  if (embedded !== undefined) return !SPECIAL.check(embedded, "ipv4");
  return (groups[0]! & 0xe000) === 0x2000 && !SPECIAL.check(address, "ipv6");
}

/** The IPv4 address that an IPv6 address leads to; undefined where it leads to none. */
function findEmbeddedIpv4(groups: readonly number[]): string | undefined {
  const begins = (...prefix: readonly number[]) => prefix.every((group, i) => groups[i] === group);
  const isMapped = begins(0, 0, 0, 0, 0, 0xffff);
  const isTranslated = begins(0x64, 0xff9b, 0, 0, 0, 0);
  if (!isMapped && !isTranslated && !begins(0x2002)) return undefined;
  const [high, low] = begins(0x2002) ? groups.slice(1, 3) : groups.slice(6, 8);
  return [high! >> 8, high! & 0xff, low! >> 8, low! & 0xff].join(".");
}

/** The eight groups of an IPv6 address; a zone does not affect where it leads. */
function parseIpv6Groups(address: string): readonly number[] {
  const { hostname } = new URL(`http://[${address.split("%", 1)[0]}]`);
  const [before = [], after] = hostname
    .slice(1, -1)
    .split("::")
    .map((half) => half.split(":").filter((group) => group !== ""));
  const groups =
    after === undefined
      ? before
      : [...before, ...Array(8 - before.length - after.length).fill("0"), ...after];
  return groups.map((group) => Number.parseInt(group, 16));
}

const SPECIAL = new BlockList();
for (const [network, prefix] of [
  ["0.0.0.0", 8], // this network
  ["10.0.0.0", 8], // private
  ["100.64.0.0", 10], // shared, behind a carrier's translation
  ["127.0.0.0", 8], // this machine
  ["169.254.0.0", 16], // this link; clouds serve credentials there
  ["172.16.0.0", 12], // private
  ["192.0.0.0", 24], // protocols
  ["192.0.2.0", 24], // documentation
  ["192.88.99.0", 24], // relays of 6to4
  ["192.168.0.0", 16], // private
  ["198.18.0.0", 15], // benchmarks
  ["198.51.100.0", 24], // documentation
  ["203.0.113.0", 24], // documentation
  ["224.0.0.0", 4], // multicast
  ["240.0.0.0", 4], // reserved, broadcast
] as const) {
  SPECIAL.addSubnet(network, prefix, "ipv4");
}
for (const [network, prefix] of [
  ["2001::", 23], // protocols, Teredo among them
  ["2001:db8::", 32], // documentation
  ["3fff::", 20], // documentation
] as const) {
  SPECIAL.addSubnet(network, prefix, "ipv6");
}
