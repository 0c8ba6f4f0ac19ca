import { describe, expect, it } from "vitest";
import { isPublicAddress } from "./address.ts";

/**
 * The rows of the IANA IPv4 Special-Purpose Address Registry that are not globally reachable, and multicast: their first
 * and their last address, and the neighbours on both sides that are of the public internet.
 */
const IPV4: readonly (readonly [row: string, first: string, last: string, ...neighbours: string[]])[] = [
  ["this network", "0.0.0.0", "0.255.255.255", "1.0.0.0"],
  ["private use", "10.0.0.0", "10.255.255.255", "9.255.255.255", "11.0.0.0"],
  ["shared address space", "100.64.0.0", "100.127.255.255", "100.63.255.255", "100.128.0.0"],
  ["loopback", "127.0.0.0", "127.255.255.255", "126.255.255.255", "128.0.0.0"],
  ["link local", "169.254.0.0", "169.254.255.255", "169.253.255.255", "169.255.0.0"],
  ["private use", "172.16.0.0", "172.31.255.255", "172.15.255.255", "172.32.0.0"],
  ["IETF protocol assignments", "192.0.0.0", "192.0.0.255", "191.255.255.255", "192.0.1.0"],
  ["documentation (TEST-NET-1)", "192.0.2.0", "192.0.2.255", "192.0.1.255", "192.0.3.0"],
  ["6to4 relay anycast", "192.88.99.0", "192.88.99.255", "192.88.98.255", "192.88.100.0"],
  ["private use", "192.168.0.0", "192.168.255.255", "192.167.255.255", "192.169.0.0"],
  ["benchmarking", "198.18.0.0", "198.19.255.255", "198.17.255.255", "198.20.0.0"],
  ["documentation (TEST-NET-2)", "198.51.100.0", "198.51.100.255", "198.51.99.255", "198.51.101.0"],
  ["documentation (TEST-NET-3)", "203.0.113.0", "203.0.113.255", "203.0.112.255", "203.0.114.0"],
  ["multicast", "224.0.0.0", "239.255.255.255", "223.255.255.255"],
  ["reserved", "240.0.0.0", "255.255.255.254"],
  ["limited broadcast", "255.255.255.255", "255.255.255.255"],
];

/** The same of IPv6; what is globally reachable within 2001::/23 is not, since no publisher is there. */
const IPV6: typeof IPV4 = [
  ["unspecified, loopback, IPv4-compatible", "::", "::ffff:ffff", "2000::"],
  ["discard-only", "100::", "100::ffff:ffff:ffff:ffff"],
  ["dummy prefix", "100:0:0:1::", "100:0:0:1:ffff:ffff:ffff:ffff"],
  ["local-use translation", "64:ff9b:1::", "64:ff9b:1:ffff:ffff:ffff:ffff:ffff"],
  ["IETF protocol assignments", "2001::", "2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff", "2001:200::"],
  ["Teredo", "2001:0:808:808::", "2001:0:ffff:ffff:ffff:ffff:ffff:ffff"],
  ["benchmarking", "2001:2::", "2001:2:0:ffff:ffff:ffff:ffff:ffff"],
  ["ORCHID", "2001:10::", "2001:1f:ffff:ffff:ffff:ffff:ffff:ffff"],
  ["documentation", "2001:db8::", "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff", "2001:db7::", "2001:db9::"],
  ["documentation", "3fff::", "3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff", "3ffe::", "3fff:1000::"],
  ["segment routing", "5f00::", "5f00:ffff:ffff:ffff:ffff:ffff:ffff:ffff"],
  ["unique local", "fc00::", "fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"],
  ["link local", "fe80::", "febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff"],
  ["site local", "fec0::", "feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"],
  ["multicast", "ff00::", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"],
  ["translated by SIIT", "::ffff:0:808:808", "::ffff:0:ffff:ffff"],
];

/** Ways to write an IPv4 address in IPv6 that a network may lead to it. */
const WAYS: readonly (readonly [way: string, write: (dotted: string, hex: string) => string])[] = [
  ["mapped, dotted", (dotted) => `::ffff:${dotted}`],
  ["mapped, in capitals", (_, hex) => `::FFFF:${hex.toUpperCase()}`],
  ["mapped, written out", (_, hex) => `0000:0000:0000:0000:0000:ffff:${hex}`],
  ["translated", (dotted) => `64:ff9b::${dotted}`],
  ["translated, written out", (_, hex) => `0064:ff9b:0:0:0:0:${hex}`],
  ["6to4", (_, hex) => `2002:${hex}::1`],
  ["6to4, of a zone", (_, hex) => `2002:${hex}::1%eth0`],
];

function toHex(dotted: string): string {
  const hex = dotted.split(".").map((byte) => Number(byte).toString(16).padStart(2, "0"));
  return `${hex[0]}${hex[1]}:${hex[2]}${hex[3]}`;
}

describe("a public address", () => {
  it.each([...IPV4, ...IPV6])("is none of %s, and its neighbours are", (_, first, last, ...neighbours) => {
    expect([first, last].map(isPublicAddress)).toEqual([false, false]);
    expect(neighbours.filter((address) => !isPublicAddress(address))).toEqual([]);
  });

  it.each(WAYS)("is that of the IPv4 address in it: %s", (_, write) => {
    for (const [row, first, last, ...neighbours] of IPV4) {
      for (const dotted of [first, last]) {
        expect(isPublicAddress(write(dotted, toHex(dotted))), `${row}: ${dotted}`).toBe(false);
      }
      for (const dotted of neighbours) {
        expect(isPublicAddress(write(dotted, toHex(dotted))), `beside ${row}: ${dotted}`).toBe(true);
      }
    }
  });

  it("is none that is IPv4-compatible, which nothing routes, nor what is no address", () => {
    for (const address of ["::8.8.8.8", "::808:808", "", "localhost", "8.8.8", "[2606:4700::1]"]) {
      expect(isPublicAddress(address), address).toBe(false);
    }
    for (const address of [
      "8.8.8.8",
      "192.0.3.1",
      "192.31.196.1",
      "192.175.48.1",
      "2606:4700::1111",
      "2620:4F:8000::1",
    ]) {
      expect(isPublicAddress(address), address).toBe(true);
    }
  });
});
