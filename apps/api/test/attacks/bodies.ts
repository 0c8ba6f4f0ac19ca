import assert from "node:assert/strict";
import { gzipSync } from "node:zlib";
import { type ServedProcess, withServedProcess } from "../served-process.ts";
import { computeQuantile, requireNothingOver, roundToTenth } from "./figures.ts";
import { HARMLESS, makeHostileEditions, RULESET } from "./hostile-world.ts";
import { buildRequestHead, type RawAnswer, sendRawRequest } from "./raw-request.ts";

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
  readonly expected: readonly string[];
  readonly hangUp?: boolean;
}

/** T-24. Bodies that are too large, or not as large as they say: refused soon, and kept nowhere. */
export function sendOversizedBodies(rounds: number, allowed: Allowance = BODY_ALLOWANCE): Promise<object> {
  return withServedProcess({ editions: makeHostileEditions() }, async (served) => {
    const cases = makeOversizedBodies(served.key);
    await warmUpService(served);
    const figures: Record<string, object> = {};
    const over: string[] = [];
    for (const { name, parts, expected, hangUp = false } of cases) {
      const { answer, milliseconds, grownBytes } = await measureRounds(served, rounds, name, expected, () =>
        sendRawRequest(served.port, parts(), { hangUp }),
      );
      const slowest = Math.max(0, ...milliseconds);
      figures[name] = {
        answer,
        slowestMs: roundToTenth(slowest),
        grownMB: roundToTenth(grownBytes / MEGABYTE),
      };
      if (slowest > allowed.refusalMs) over.push(`${name} took ${slowest} ms`);
      if (grownBytes > allowed.memoryBytes) over.push(`${name} took ${grownBytes} bytes`);
    }
    assert.equal((await fetch(`${served.url}/healthz`)).status, 200);
    assert.doesNotMatch(served.log(), /INTERNAL_ERROR|"level":"error"/);
    return requireNothingOver(figures, over);
  });
}

function makeOversizedBodies(key: string): Case[] {
  const head = (...headers: string[]) => buildRequestHead("/v1/intersections", key, headers);
  const mebibyte = Buffer.alloc(1024 * 1024, " ");
  const chunk = Buffer.concat([Buffer.from("10000\r\n"), Buffer.alloc(65_536, " "), Buffer.from("\r\n")]);
  // Members of a gzip stream may follow each other: 103 of 97 kB unpack to 10 GB.
  const member = gzipSync(Buffer.alloc(100 * MEGABYTE));
  const bomb = Buffer.concat(Array.from({ length: 103 }, () => member)).subarray(0, LIMIT);
  return [
    {
      name: "declared one byte too large, none sent",
      parts: () => [head(`Content-Length: ${LIMIT + 1}`)],
      expected: ["413 PAYLOAD_TOO_LARGE"],
    },
    {
      name: "declared 11 MiB, all sent",
      parts: () => [head(`Content-Length: ${11 * mebibyte.length}`), ...repeatBodyPart(mebibyte, 11)],
      expected: ["413 PAYLOAD_TOO_LARGE"],
    },
    {
      name: "declared 10 GB",
      parts: () => [head(`Content-Length: ${10_000 * MEGABYTE}`), ...repeatBodyPart(mebibyte, 20)],
      expected: ["413 PAYLOAD_TOO_LARGE"],
    },
    {
      name: "in chunks, 64 MiB",
      parts: () => [head("Transfer-Encoding: chunked"), ...repeatBodyPart(chunk, 1_024)],
      expected: ["413 PAYLOAD_TOO_LARGE"],
    },
    {
      name: "in one chunk of 4 GB",
      parts: () => [head("Transfer-Encoding: chunked"), "ffffffff\r\n", ...repeatBodyPart(mebibyte, 20)],
      expected: ["413 PAYLOAD_TOO_LARGE"],
    },
    {
      name: "in a chunk larger than any number",
      parts: () => [head("Transfer-Encoding: chunked"), "ffffffffffffffffff\r\n{}"],
      expected: ["400 MALFORMED_REQUEST"],
    },
    {
      name: "with chunk extensions, 1 MB of them",
      parts: () => [head("Transfer-Encoding: chunked"), `1;${"x".repeat(MEGABYTE)}\r\n `],
      // The answer may be lost where the connection is gone before all of it is sent.
      expected: ["400 MALFORMED_REQUEST", "413 PAYLOAD_TOO_LARGE", "hung up"],
    },
    {
      name: "longer than it says",
      parts: () => [`${head("Content-Length: 2")}{}garbage\r\n\r\n`],
      // The two bytes are a request of their own and get its answer.
      expected: ["422 VALIDATION_FAILED", "400 MALFORMED_REQUEST"],
    },
    {
      name: "shorter than it says, then gone",
      parts: () => [head(`Content-Length: ${MEGABYTE}`), "{}"],
      expected: ["hung up", "400 MALFORMED_REQUEST"],
      hangUp: true,
    },
    ...["-1", "+5", "5, 6", "0x10", "1e3", "999999999999999999999999"].map(
      (length): Case => ({
        name: `length ${length}`,
        parts: () => [head(`Content-Length: ${length}`), "{}"],
        expected: ["400 MALFORMED_REQUEST"],
      }),
    ),
    {
      name: "without a length",
      parts: () => [head(), "{}"],
      expected: ["400 MALFORMED_JSON", "400 MALFORMED_REQUEST"],
    },
    {
      name: "gzip, 10 MB that unpack to 10 GB",
      parts: () => [head("Content-Encoding: gzip", `Content-Length: ${bomb.length}`), bomb],
      expected: ["413 PAYLOAD_TOO_LARGE"],
    },
  ];
}

/** T-25. Arrays and objects in each other: as deep as is allowed, and deeper. */
export function sendDeepBodies(rounds: number, allowed: Allowance = BODY_ALLOWANCE): Promise<object> {
  return withServedProcess({ editions: makeHostileEditions() }, async (served) => {
    await warmUpService(served);
    const figures: Record<string, object> = {};
    const over: string[] = [];
    for (const [place, bodyOf] of Object.entries(DEEP_BODIES)) {
      for (const [form, open, close] of [
        ["arrays", "[", "]"],
        ["objects", '{"":', "}"],
      ] as const) {
        for (const levels of [64, 65, 10_000, form === "arrays" ? 5_000_000 : 2_000_000]) {
          const body = bodyOf((room) => {
            const inner = levels - room;
            return `${open.repeat(inner)}${form === "objects" ? "0" : ""}${close.repeat(inner)}`;
          });
          const expected = levels <= 64 ? ACCEPTED[place]! : "400 MALFORMED_JSON";
          const name = `${levels} ${form} ${place}`;
          const head = buildRequestHead("/v1/intersections", served.key, [`Content-Length: ${body.length}`]);
          const { milliseconds, delays, cpu } = await measureRounds(served, rounds, name, [expected], () =>
            sendRawRequest(served.port, [head, body]),
          );
          const typical = computeQuantile(milliseconds, 0.5);
          figures[name] = {
            medianMs: roundToTenth(typical),
            threadBusyMs: roundToTenth(computeQuantile(delays, 0.5)),
          };
          // Megabytes take their time on the way; what is asked of them is that they are not parsed.
          const onTheWay = levels >= 1_000_000 ? allowed.refusalMs : 0;
          if (levels > 64 && typical > allowed.depthMs + onTheWay) over.push(`${name}: ${typical} ms`);
          const cpuMs = computeQuantile(cpu, 0.5);
          if (levels > 64 && cpuMs > allowed.depthCpuMs) over.push(`${name}: ${cpuMs} ms of CPU`);
        }
      }
    }
    return requireNothingOver(figures, over);
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
  return withServedProcess({ editions: makeHostileEditions() }, async (served) => {
    await warmUpService(served);
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
        const expected = whole.length > LIMIT ? "413 PAYLOAD_TOO_LARGE" : "422 GEOMETRY_TOO_COMPLEX";
        const parts = [buildRequestHead(path, served.key, [`Content-Length: ${whole.length}`]), whole];
        const send = async (): Promise<RawAnswer | undefined> => {
          let sent = await sendRawRequest(served.port, parts);
          // A machine with other work may give it up before it is looked at.
          for (let i = 0; i < 20 && sent?.code === "EVALUATION_ABORTED"; i++)
            sent = await sendRawRequest(served.port, parts);
          return sent;
        };
        const measured = await measureRounds(served, rounds, `${name} at ${path}`, [expected], send);
        const typical = computeQuantile(measured.milliseconds, 0.5);
        figures[`${name}, ${path}`] = {
          bytes: whole.length,
          answer: expected,
          medianMs: roundToTenth(typical),
          threadBusyMs: roundToTenth(Math.max(...measured.delays)),
          grownMB: roundToTenth(measured.grownBytes / MEGABYTE),
        };
        if (expected.startsWith("413") && typical > allowed.refusalMs)
          over.push(`${name} at ${path}: ${typical} ms`);
      }
    }
    return requireNothingOver(figures, over);
  });
}

/** Sends the same so many times. Fails: an assertion where an answer is not as expected. */
async function measureRounds(
  served: ServedProcess,
  rounds: number,
  name: string,
  expected: readonly string[],
  send: () => Promise<RawAnswer | undefined>,
) {
  const [milliseconds, delays, cpu]: [number[], number[], number[]] = [[], [], []];
  let grownBytes = 0;
  let answer = "";
  for (let round = 0; round < rounds; round++) {
    await served.watched();
    const sent = await send();
    const watched = await served.watched();
    grownBytes = Math.max(grownBytes, watched.peakBytes - watched.startBytes);
    delays.push(watched.maxDelayMs);
    cpu.push(watched.cpuMicroseconds / 1_000);
    answer = sent === undefined ? "hung up" : `${sent.status} ${sent.code ?? ""}`.trim();
    assert.ok(expected.includes(answer), `${name}: ${answer}`);
    if (sent !== undefined) milliseconds.push(sent.milliseconds);
  }
  return { answer, milliseconds, delays, cpu, grownBytes };
}

/** The first answers of a process are slow whatever is asked. */
async function warmUpService(served: ServedProcess): Promise<void> {
  const body = JSON.stringify({ input: { geometry: HARMLESS } });
  for (let i = 0; i < 50; i++) {
    const answer = await sendRawRequest(served.port, [
      buildRequestHead("/v1/intersections", served.key, [`Content-Length: ${body.length}`]),
      body,
    ]);
    assert.equal(answer?.status, 200);
    const tooLarge = buildRequestHead("/v1/intersections", served.key, [`Content-Length: ${LIMIT + 1}`]);
    assert.equal((await sendRawRequest(served.port, [tooLarge]))?.status, 413);
  }
}

function* repeatBodyPart(part: Uint8Array, count: number): Iterable<Uint8Array> {
  for (let i = 0; i < count; i++) yield part;
}
