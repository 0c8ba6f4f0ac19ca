import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { createAreaWriter, type SnapshotFile } from "@groundrule/engine/build";
import { createBoxPositions } from "@groundrule/testing/shapes";
import { exchangeRequest } from "../exchange.ts";
import {
  type Callers,
  collectAnswers,
  listAnswerFaults,
  startSingleCaller,
} from "../overload/raw-callers.ts";
import { type ServedProcess, withServedProcess } from "../served-process.ts";
import { computeQuantile, requireNothingOver, roundToTenth } from "./figures.ts";
import { fitRingToSquare, HARMLESS, makeHostileEditions } from "./hostile-world.ts";
import { buildRequestHead } from "./raw-request.ts";

const MEGABYTE = 1_000_000;

/** Limits of memory, and of another client's wait, as times what it was before. */
export interface UnreadAllowance {
  readonly grownBytes: number;
  readonly otherSlower: number;
}

/** The outbox's 256 MiB, and what strings and garbage take beside it. */
const UNREAD_ALLOWANCE: UnreadAllowance = { grownBytes: 600 * MEGABYTE, otherSlower: 5 };

/** Requests a connection sends at once. */
const PIPELINED = 8;
/** Areas with outlines of 200 positions, asked for whole: an answer of some 10 MB. */
const AREAS = 1_400;
/** One answer is replayed a hundred times. */
const REPLAYS_A_KEY = 90;

/**
 * Connections that ask, many times at once, for what is long, and never read: files that take no key, and
 * stored answers. What that takes of memory, and how another client fares.
 */
export async function leaveAnswersUnread(
  sockets: number,
  allowed: UnreadAllowance = UNREAD_ALLOWANCE,
): Promise<object> {
  const editions = [...makeHostileEditions(), makeManyAreas()];
  return withServedProcess({ editions, organizations: 2 }, async (served) => {
    const figures: Record<string, object> = {};
    const over: string[] = [];
    const other = await startSingleCaller({
      port: served.port,
      path: "/v1/intersections",
      key: served.keys[1]!,
      body: JSON.stringify({ input: { geometry: HARMLESS }, reference_areas_source: "demo:hostile" }),
    });
    try {
      await other.called();
      const attacks: Record<string, () => Promise<(i: number) => string>> = {
        "a page that takes no key": async () => () =>
          "GET /docs HTTP/1.1\r\nHost: x\r\n\r\n".repeat(PIPELINED),
        "stored answers": () => createReplayRequests(served, sockets),
      };
      for (const [name, prepare] of Object.entries(attacks)) {
        const requestsOf = await prepare();
        await other.called();
        const before = computeQuantile(await collectNextWaits(other), 0.5);
        await served.watched();
        const unread: Socket[] = [];
        for (let i = 0; i < sockets; i++) unread.push(await sendWithoutReading(served.port, requestsOf(i)));
        const during = computeQuantile(await collectNextWaits(other), 0.5);
        const { peakBytes, startBytes } = await served.watched();
        for (const socket of unread) socket.destroy();
        const grown = peakBytes - startBytes;
        figures[name] = {
          grownMB: roundToTenth(grown / MEGABYTE),
          otherMedianMs: [roundToTenth(before), roundToTenth(during)],
        };
        if (grown > allowed.grownBytes) over.push(`${name}: ${grown} bytes`);
        if (during > allowed.otherSlower * before) over.push(`${name}: others waited ${during} ms`);
      }
      assert.equal((await fetch(`${served.url}/healthz`)).status, 200);
      return requireNothingOver(figures, over);
    } finally {
      await other.stop();
    }
  });
}

/** Waits for the answers since the last call. */
async function collectNextWaits(other: Callers): Promise<readonly number[]> {
  const heard = await collectAnswers(other, 100);
  assert.deepEqual(listAnswerFaults(heard), []);
  return heard.waits;
}

/** A connection that has asked, and reads nothing. */
async function sendWithoutReading(port: number, requests: string): Promise<Socket> {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => {});
  await once(socket, "connect");
  socket.pause();
  socket.write(requests);
  return socket;
}

/** Charges some long answers, for connections to ask for again. */
async function createReplayRequests(
  { url, key }: ServedProcess,
  sockets: number,
): Promise<(i: number) => string> {
  const body = JSON.stringify({
    input: { geometry: AROUND_AREAS },
    reference_areas_source: "demo:many",
  });
  const path = "/v1/intersections?geometry=area";
  const keyOf = (i: number) => `unread-${Math.floor(i / REPLAYS_A_KEY)}`;
  for (let i = 0; i < sockets; i += REPLAYS_A_KEY) {
    const headers = {
      Authorization: `Bearer ${key}`,
      "Content-Type": "application/json",
      "Idempotency-Key": keyOf(i),
    };
    let answer = await exchangeRequest(url + path, "POST", headers, body);
    for (let again = 0; answer.status === 503 && again < 1_000; again++) {
      answer = await exchangeRequest(url + path, "POST", headers, body);
    }
    assert.equal(answer.status, 200, answer.text.slice(0, 1_000));
    assert.ok(answer.text.length > 5 * MEGABYTE, `${answer.text.length} bytes`);
  }
  return (i) =>
    buildRequestHead(path, key, [`Content-Length: ${body.length}`, `Idempotency-Key: ${keyOf(i)}`]) + body;
}

function makeManyAreas(): SnapshotFile {
  const writer = createAreaWriter({ source_name: "demo:many", kind: "leaf" });
  for (let i = 0; i < AREAS; i++) {
    const middle = [40 + (i % 40) * 0.02, Math.floor(i / 40) * 0.02] as const;
    const polygons = [[fitRingToSquare(makeCircleRing(200), 0.0123456789, middle)]];
    writer.add({ id: `a${i}`, name: null, countryIso3: null, polygons, properties: {} });
  }
  return writer.finish();
}

const AROUND_AREAS = {
  type: "Polygon",
  coordinates: [createBoxPositions(39, -1, 42, 2)],
};

function makeCircleRing(positions: number): Float64Array {
  const ring = new Float64Array(2 * (positions + 1));
  for (let i = 0; i <= positions; i++) {
    const angle = ((i % positions) / positions) * 2 * Math.PI;
    ring[2 * i] = Math.cos(angle);
    ring[2 * i + 1] = Math.sin(angle);
  }
  return ring;
}
