import assert from "node:assert/strict";
import { gzipSync } from "node:zlib";
import { type ServedProcess, withServedProcess } from "../served-process.ts";
import { assertFigures, quantile, rounded } from "./figures.ts";
import { HARMLESS, hostileEditions, RULESET } from "./hostile-world.ts";
import { headOf, type RawAnswer, sendRaw } from "./raw-request.ts";

const LIMIT = 10 * 1024 * 1024;
const MEGABYTE = 1_000_000;

/** Limits of time, which mean nothing on shared machines, of CPU and of memory. */
export interface Allowance {
  readonly refusalMs: number;
  readonly depthMs: number;
  /** CPU of all threads of the service, for a body that is refused for its depth. */
  readonly depthCpuMs: number;
  readonly memoryBytes: number;
}

const BODY_ALLOWANCE: Allowance = {
  refusalMs: 100,
  depthMs: 5,
  depthCpuMs: 400,
  memoryBytes: 20 * MEGABYTE,
};

interface Case {
  readonly name: string;
  readonly parts: () => Iterable<string | Uint8Array>;
  readonly expected: readonly (string | undefined)[];
  readonly hangUp?: boolean;
}

/** T-24. Bodies that are too large, or not as large as they say: refused soon, and kept nowhere. */
export function sendOversizedBodies(rounds: number, allowed: Allowance = BODY_ALLOWANCE): Promise<object> {
  return withServedProcess({ editions: hostileEditions() }, async (served) => {
    const cases = oversizedBodies(served.key);
    await warmUp(served);
    const figures: Record<string, object> = {};
    const over: string[] = [];
    for (const { name, parts, expected, hangUp = false } of cases) {
      const times: number[] = [];
      let grownBytes = 0;
      let last: RawAnswer | undefined;
      for (let round = 0; round < rounds; round++) {
        await served.watched();
        last = await sendRaw(served.port, parts(), { hangUp });
        const { peakBytes, startBytes } = await served.watched();
        grownBytes = Math.max(grownBytes, peakBytes - startBytes);
        assert.ok(expected.includes(last?.code), `${name}: ${last?.status} ${last?.code}`);
        if (last !== undefined) times.push(last.milliseconds);
      }
      const slowest = Math.max(0, ...times);
      figures[name] = {
        answer: `${last?.status ?? "hung up"} ${last?.code ?? ""}`.trim(),
        slowestMs: rounded(slowest),
        grownMB: rounded(grownBytes / MEGABYTE),
      };
      if (slowest > allowed.refusalMs) over.push(`${name} took ${slowest} ms`);
      if (grownBytes > allowed.memoryBytes) over.push(`${name} took ${grownBytes} bytes`);
    }
    assert.equal((await fetch(`${served.url}/healthz`)).status, 200);
    assert.doesNotMatch(served.log(), /INTERNAL_ERROR|"level":"error"/);
    return assertFigures(figures, over);
  });
}

function oversizedBodies(key: string): Case[] {
  const head = (...headers: string[]) => headOf("/v1/intersections", key, headers);
  const mebibyte = Buffer.alloc(1024 * 1024, " ");
  const chunk = Buffer.concat([Buffer.from("10000\r\n"), Buffer.alloc(65_536, " "), Buffer.from("\r\n")]);
  // Members of a gzip stream may follow each other: 103 of 97 kB unpack to 10 GB.
  const member = gzipSync(Buffer.alloc(100 * MEGABYTE));
  const bomb = Buffer.concat(Array.from({ length: 103 }, () => member)).subarray(0, LIMIT);
  return [
    {
      name: "declared one byte too large, none sent",
      parts: () => [head(`Content-Length: ${LIMIT + 1}`)],
      expected: ["PAYLOAD_TOO_LARGE"],
    },
    {
      name: "declared 11 MiB, all sent",
      parts: () => [head(`Content-Length: ${11 * mebibyte.length}`), ...repeated(mebibyte, 11)],
      expected: ["PAYLOAD_TOO_LARGE"],
    },
    {
      name: "declared 10 GB",
      parts: () => [head(`Content-Length: ${10_000 * MEGABYTE}`), ...repeated(mebibyte, 20)],
      expected: ["PAYLOAD_TOO_LARGE"],
    },
    {
      name: "in chunks, 64 MiB",
      parts: () => [head("Transfer-Encoding: chunked"), ...repeated(chunk, 1_024)],
      expected: ["PAYLOAD_TOO_LARGE"],
    },
    {
      name: "in one chunk of 4 GB",
      parts: () => [head("Transfer-Encoding: chunked"), "ffffffff\r\n", ...repeated(mebibyte, 20)],
      expected: ["PAYLOAD_TOO_LARGE"],
    },
    {
      name: "in a chunk larger than any number",
      parts: () => [head("Transfer-Encoding: chunked"), "ffffffffffffffffff\r\n{}"],
      expected: ["MALFORMED_REQUEST"],
    },
    {
      name: "with chunk extensions, 1 MB of them",
      parts: () => [head("Transfer-Encoding: chunked"), `1;${"x".repeat(MEGABYTE)}\r\n `],
      // The answer may be lost where the connection is gone before all of it is sent.
      expected: ["MALFORMED_REQUEST", "PAYLOAD_TOO_LARGE", undefined],
    },
    {
      name: "longer than it says",
      parts: () => [`${head("Content-Length: 2")}{}garbage\r\n\r\n`],
      // The two bytes are a request of their own and get its answer.
      expected: ["VALIDATION_FAILED", "MALFORMED_REQUEST"],
    },
    {
      name: "shorter than it says, then gone",
      parts: () => [head(`Content-Length: ${MEGABYTE}`), "{}"],
      expected: [undefined, "MALFORMED_REQUEST"],
      hangUp: true,
    },
    ...["-1", "+5", "5, 6", "0x10", "1e3", "999999999999999999999999"].map(
      (length): Case => ({
        name: `length ${length}`,
        parts: () => [head(`Content-Length: ${length}`), "{}"],
        expected: ["MALFORMED_REQUEST"],
      }),
    ),
    {
      name: "without a length",
      parts: () => [head(), "{}"],
      expected: ["MALFORMED_JSON", "MALFORMED_REQUEST"],
    },
    {
      name: "gzip, 10 MB that unpack to 10 GB",
      parts: () => [head("Content-Encoding: gzip", `Content-Length: ${bomb.length}`), bomb],
      expected: ["PAYLOAD_TOO_LARGE"],
    },
  ];
}

/** T-25. Arrays and objects in each other: as deep as is allowed, and deeper. */
export function sendDeepBodies(rounds: number, allowed: Allowance = BODY_ALLOWANCE): Promise<object> {
  return withServedProcess({ editions: hostileEditions() }, async (served) => {
    await warmUp(served);
    const figures: Record<string, object> = {};
    const over: string[] = [];
    for (const [place, bodyOf] of Object.entries(DEEP_BODIES)) {
      for (const [form, open, close] of [
        ["arrays", "[", "]"],
        ["objects", '{"":', "}"],
      ] as const) {
        for (const levels of [64, 65, 10_000, form === "arrays" ? 5_000_000 : 2_000_000]) {
          const times: number[] = [];
          const waits: number[] = [];
          const cpu: number[] = [];
          for (let round = 0; round < rounds; round++) {
            const body = bodyOf((room) => {
              const inner = levels - room;
              return `${open.repeat(inner)}${form === "objects" ? "0" : ""}${close.repeat(inner)}`;
            });
            await served.watched();
            const sent = await sendRaw(served.port, [
              headOf("/v1/intersections", served.key, [`Content-Length: ${body.length}`]),
              body,
            ]);
            const { maxDelayMs, cpuMicroseconds } = await served.watched();
            waits.push(maxDelayMs);
            cpu.push(cpuMicroseconds / 1_000);
            const expected = levels <= 64 ? ACCEPTED[place] : "400 MALFORMED_JSON";
            assert.equal(
              `${sent?.status} ${sent?.code ?? ""}`.trim(),
              expected,
              `${levels} ${form} ${place}`,
            );
            times.push(sent!.milliseconds);
          }
          const typical = quantile(times, 0.5);
          figures[`${levels} ${form} ${place}`] = {
            medianMs: rounded(typical),
            threadBlockedMs: rounded(quantile(waits, 0.5)),
          };
          // Megabytes take their time on the way; what is asked of them is that they are not parsed.
          const onTheWay = levels >= 1_000_000 ? allowed.refusalMs : 0;
          if (levels > 64 && typical > allowed.depthMs + onTheWay)
            over.push(`${levels} ${form} ${place}: ${typical} ms`);
          const cpuMs = quantile(cpu, 0.5);
          if (levels > 64 && cpuMs > allowed.depthCpuMs)
            over.push(`${levels} ${form} ${place}: ${cpuMs} ms of CPU`);
        }
      }
    }
    return assertFigures(figures, over);
  });
}

/** Bodies by where the nesting is; `nest` is told how many levels are about it, its own value is one more. */
const DEEP_BODIES: Readonly<Record<string, (nest: (room: number) => string) => string>> = {
  "as the body": (nest) => nest(0),
  "in a member nobody reads": (nest) =>
    `{"input":{"geometry":{"type":"Polygon","unread":${nest(3)},"coordinates":${JSON.stringify(HARMLESS.coordinates)}}}}`,
  "in an unknown member": (nest) => `{"unknown":${nest(1)}}`,
  "after a fault": (nest) => `{"input":null,"input2":${nest(1)}}`,
};

const ACCEPTED: Readonly<Record<string, string>> = {
  "as the body": "422 VALIDATION_FAILED",
  "in a member nobody reads": "200",
  "in an unknown member": "422 VALIDATION_FAILED",
  "after a fault": "422 VALIDATION_FAILED",
};

/** T-26. A million vertices, each edge of which crosses others: refused before geometry looks at them. */
export function sendMillionVertices(
  rounds: number,
  allowed: Allowance = BODY_ALLOWANCE,
  vertices = 1_000_000,
): Promise<object> {
  return withServedProcess({ editions: hostileEditions() }, async (served) => {
    await warmUp(served);
    const position = (i: number) => (i % 2 === 0 ? "[1.1,2]," : "[2.1,1],");
    const short = Array.from({ length: vertices }, (_, i) => position(i)).join("");
    const long = Array.from({ length: vertices }, (_, i) =>
      `[${(1 + (i % 2)).toFixed(6)},${(2 - (i % 2)).toFixed(6)}],`.padEnd(20),
    ).join("");
    const figures: Record<string, object> = {};
    const over: string[] = [];
    for (const [name, ring] of [
      ["20 bytes each", `${long}[1.000000,2.000000]`],
      ["8 bytes each", `${short}[1.1,2]`],
    ] as const) {
      const body = `{"input":{"geometry":{"type":"Polygon","coordinates":[[${ring}]]}}}`;
      for (const path of ["/v1/intersections", "/v1/evaluate"]) {
        const whole =
          path === "/v1/evaluate" ? `${body.slice(0, -1)},"ruleset":${JSON.stringify(RULESET)}}` : body;
        const times: number[] = [];
        const expected = whole.length > LIMIT ? "413 PAYLOAD_TOO_LARGE" : "422 GEOMETRY_TOO_COMPLEX";
        let grownBytes = 0;
        let blockedMs = 0;
        for (let round = 0; round < rounds; round++) {
          await served.watched();
          const parts = [headOf(path, served.key, [`Content-Length: ${whole.length}`]), whole];
          let sent = await sendRaw(served.port, parts);
          // A machine with other work may give it up before it is looked at.
          for (let i = 0; i < 20 && sent?.code === "EVALUATION_ABORTED"; i++) {
            sent = await sendRaw(served.port, parts);
          }
          const watched = await served.watched();
          grownBytes = Math.max(grownBytes, watched.peakBytes - watched.startBytes);
          blockedMs = Math.max(blockedMs, watched.maxDelayMs);
          assert.equal(`${sent?.status} ${sent?.code}`, expected, `${name} at ${path}`);
          times.push(sent!.milliseconds);
        }
        figures[`${name}, ${path}`] = {
          bytes: whole.length,
          answer: expected,
          medianMs: rounded(quantile(times, 0.5)),
          threadBlockedMs: rounded(blockedMs),
          grownMB: rounded(grownBytes / MEGABYTE),
        };
        const typical = quantile(times, 0.5);
        if (expected.startsWith("413") && typical > allowed.refusalMs)
          over.push(`${name} at ${path}: ${typical} ms`);
      }
    }
    return assertFigures(figures, over);
  });
}

/** The first answers of a process are slow whatever is asked. */
async function warmUp(served: ServedProcess): Promise<void> {
  const body = JSON.stringify({ input: { geometry: HARMLESS } });
  for (let i = 0; i < 50; i++) {
    const answer = await sendRaw(served.port, [
      headOf("/v1/intersections", served.key, [`Content-Length: ${body.length}`]),
      body,
    ]);
    assert.equal(answer?.status, 200);
    const tooLarge = headOf("/v1/intersections", served.key, [`Content-Length: ${LIMIT + 1}`]);
    assert.equal((await sendRaw(served.port, [tooLarge]))?.status, 413);
  }
}

function* repeated(part: Uint8Array, count: number): Iterable<Uint8Array> {
  for (let i = 0; i < count; i++) yield part;
}
