import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { gunzipSync, gzipSync } from "node:zlib";
import { createSmallWorld, createSquarePlot } from "@groundrule/testing/small-world";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildRequestHead } from "../../test/attacks/raw-request.ts";
import { exchangeRequest } from "../../test/exchange.ts";
import { expectProblem, HttpCaller, NO_PARKS } from "../../test/http.ts";
import { createTestOrganization, startService, type TestService } from "../../test/service.ts";
import { parseAcceptEncoding } from "./exchange/request/content-coding.ts";

const PLOT = createSquarePlot(0.1, 0.05);
/** A question whose answer is long: it contains geometries. */
const LONG = { input: { geometry: PLOT }, ruleset: makeRulesetWithChecks(40) };
const MEBIBYTE = 1024 * 1024;

function makeRulesetWithChecks(count: number): object {
  const checks = Array.from({ length: count }, (_, i) => ({ ...NO_PARKS.checks[0], id: `park-${i}` }));
  return { ...NO_PARKS, checks };
}

let service: TestService;
let caller: HttpCaller;

beforeAll(async () => {
  service = await startService(createSmallWorld());
  caller = new HttpCaller(service);
});
afterAll(() => service.stop());

/** Returns the bytes as received, without unpacking. */
async function send(
  method: string,
  path: string,
  headers: Record<string, string> = {},
  body?: string | Uint8Array,
) {
  const common = {
    Authorization: `Bearer ${service.key}`,
    ...(body && { "Content-Type": "application/json" }),
  };
  const sent = await exchangeRequest(service.url + path, method, { ...common, ...headers }, body);
  return { ...sent, body: sent.bytes };
}

const GZIP = { "Accept-Encoding": "gzip" };
const PACKED = { "Content-Encoding": "gzip" };

describe("Accept-Encoding", () => {
  it.each([
    [undefined, false, true],
    ["", false, true],
    ["gzip", true, true],
    ["GZIP;Q=1", true, true],
    ["x-gzip", true, true],
    ["gzip, deflate, br, zstd", true, true],
    ["br;q=1, gzip;q=0.5", true, true],
    ["identity, gzip;q=0.5", false, true],
    ["gzip;q=0.5, identity;q=0.5", true, true],
    ["gzip;q=0", false, true],
    ["*", true, true],
    ["*;q=0", false, false],
    ["gzip, *;q=0", true, false],
    ["identity;q=0", false, false],
    ["identity;q=0, gzip", true, false],
    ["br, identity;q=0", false, false],
    ["gzip;q=abc", false, true],
    [';;;,,,===,"gzip"', false, true],
    ["gzip;q=0.5;q=1", true, true],
    [`${"a,".repeat(8_000)}gzip`, true, true],
  ])("%s: packed %s, plain %s", (header, gzip, identity) => {
    expect(parseAcceptEncoding(header)).toEqual({ gzip, identity });
  });

  it("compresses a long answer where the request accepts it, and decompressed it is the same", async () => {
    const body = JSON.stringify(LONG);
    const key = { "Idempotency-Key": "packed-answer" };
    const first = await send("POST", "/v1/evaluate", { ...key, ...GZIP }, body);
    expect(first.headers).toMatchObject({
      "content-encoding": "gzip",
      vary: "Accept, Accept-Encoding",
      "content-length": String(first.body.length),
    });
    const plain = await send("POST", "/v1/evaluate", key, body);
    expect(plain.headers).toMatchObject({ "idempotent-replayed": "true", vary: "Accept, Accept-Encoding" });
    expect(plain.headers["content-encoding"]).toBeUndefined();
    expect(gunzipSync(first.body).equals(plain.body)).toBe(true);
    expect(first.body.length).toBeLessThan(plain.body.length / 5);
    const replayed = await send("POST", "/v1/evaluate", { ...key, ...GZIP }, body);
    expect(gunzipSync(replayed.body).equals(plain.body)).toBe(true);
  });

  it("sends short answers and problems as they are", async () => {
    const short = await send("GET", "/v1/usage", GZIP);
    expect(short.headers["content-encoding"]).toBeUndefined();
    expect(short.headers.vary).toBeUndefined();
    const problem = await send("POST", "/v1/evaluate", GZIP, JSON.stringify({ ["x".repeat(8_000)]: 1 }));
    expect(problem.status).toBe(422);
    expect(problem.headers["content-encoding"]).toBeUndefined();
  });

  it("packs even a short answer where a plain one is refused, and refuses where both are", async () => {
    const short = await send("GET", "/v1/usage", { "Accept-Encoding": "gzip, identity;q=0" });
    expect(short.headers["content-encoding"]).toBe("gzip");
    expect(JSON.parse(gunzipSync(short.body).toString())).toHaveProperty("data.used");
    const before = (
      await service.store.usage({ scope: { organization: service.organization, mode: "test" } })
    )?.period.used;
    const refused = await caller.post("/v1/evaluate", LONG, { "Accept-Encoding": "br, *;q=0" });
    expect(await expectProblem(refused)).toMatchObject({
      code: "NOT_ACCEPTABLE",
      details: { offered: ["gzip", "identity"] },
    });
    const usage = await service.store.usage({ scope: { organization: service.organization, mode: "test" } });
    expect(usage?.period.used).toBe(before);
  });

  it("answers HEAD with the headers of a compressed GET, without a body", async () => {
    const got = await send("GET", "/openapi.json", GZIP);
    const answer = await send("HEAD", "/openapi.json", GZIP);
    expect(answer.body.length).toBe(0);
    for (const name of ["content-encoding", "content-length", "etag", "vary"]) {
      expect(answer.headers[name], name).toBe(got.headers[name]);
    }
    expect(JSON.parse(gunzipSync(got.body).toString())).toHaveProperty("openapi");
  });

  it("sends the whole where a request names a range", async () => {
    const whole = await send("GET", "/openapi.json");
    const part = await send("GET", "/openapi.json", { Range: "bytes=0-9" });
    expect(part.status).toBe(200);
    expect(part.body.equals(whole.body)).toBe(true);
    expect(whole.headers["accept-ranges"]).toBeUndefined();
  });
});

describe("a body as gzip", () => {
  const evaluate = { input: { geometry: PLOT }, ruleset: NO_PARKS };

  it("is the same request as without", async () => {
    const body = JSON.stringify(evaluate);
    const key = { "Idempotency-Key": "packed-body" };
    const first = await send("POST", "/v1/evaluate", { ...key, ...PACKED }, gzipSync(body));
    expect(first.status, first.body.toString()).toBe(200);
    const plain = await send("POST", "/v1/evaluate", key, body);
    expect(plain.headers["idempotent-replayed"]).toBe("true");
    expect(plain.body.equals(first.body)).toBe(true);
    const members = Buffer.concat([gzipSync(body.slice(0, 50)), gzipSync(""), gzipSync(body.slice(50))]);
    const inMembers = await send("POST", "/v1/evaluate", { ...key, "Content-Encoding": "X-GZip" }, members);
    expect(inMembers.headers["idempotent-replayed"]).toBe("true");
    const other = await send(
      "POST",
      "/v1/evaluate",
      { ...key, ...PACKED },
      gzipSync(JSON.stringify({ ...evaluate, reference_id: "other" })),
    );
    expect(JSON.parse(other.body.toString()).code).toBe("IDEMPOTENCY_KEY_CONFLICT");
  });

  it.each([
    ["cut off", gzipSync(JSON.stringify(evaluate)).subarray(0, -9)],
    ["empty", Buffer.alloc(0)],
    ["no gzip", Buffer.from(JSON.stringify(evaluate))],
    ["followed by something else", Buffer.concat([gzipSync(JSON.stringify(evaluate)), Buffer.from("{}")])],
    ["followed by zeros", Buffer.concat([gzipSync(JSON.stringify(evaluate)), Buffer.alloc(600)])],
    [
      "followed by a zero and something else",
      Buffer.concat([gzipSync(JSON.stringify(evaluate)), Buffer.from("\0{}")]),
    ],
    ["with a checksum that is wrong", damageByte(gzipSync(JSON.stringify(evaluate)))],
  ])("that is %s is refused", async (_, body) => {
    const { status, body: sent } = await send("POST", "/v1/evaluate", PACKED, body);
    expect([status, JSON.parse(sent.toString()).code]).toEqual([
      400,
      body.length === 0 ? expect.stringMatching(/MALFORMED_(JSON|REQUEST)/) : "MALFORMED_REQUEST",
    ]);
  });

  it.each(["br", "deflate", "zstd", "gzip, gzip", "gzip;q=1", "compress", "aws-chunked"])(
    "is told from one as %s, which is refused with what is taken",
    async (encoding) => {
      const refused = await caller.post("/v1/evaluate", evaluate, { "Content-Encoding": encoding });
      expect(refused.headers.get("Accept-Encoding")).toBe("gzip, identity");
      expect(await expectProblem(refused)).toMatchObject({ code: "UNSUPPORTED_MEDIA_TYPE", status: 415 });
    },
  );

  it("is held to the limit by what comes out of it", async () => {
    const fits = `{"x":"${"0".repeat(10 * MEBIBYTE - 8)}"}`;
    const taken = await send("POST", "/v1/evaluate", PACKED, gzipSync(fits));
    expect(JSON.parse(taken.body.toString()).code).toBe("VALIDATION_FAILED");
    const bomb = gzipSync(Buffer.alloc(60 * MEBIBYTE));
    expect(bomb.length).toBeLessThan(256 * 1024);
    const started = process.cpuUsage();
    const refused = await send("POST", "/v1/evaluate", PACKED, bomb);
    const { user, system } = process.cpuUsage(started);
    expect(JSON.parse(refused.body.toString())).toMatchObject({
      code: "PAYLOAD_TOO_LARGE",
      details: { limit_bytes: 10 * MEBIBYTE },
    });
    expect((user + system) / 1_000, "milliseconds: far from what would make room for all of it").toBeLessThan(
      300,
    );
  });

  it("is held to the limit by what goes into it, too", async () => {
    const empty = gzipSync("");
    const members = Buffer.concat(Array.from({ length: (10 * MEBIBYTE) / empty.length }, () => empty));
    const declared = await send("POST", "/v1/evaluate", PACKED, Buffer.concat([members, empty]));
    expect(JSON.parse(declared.body.toString()).code).toBe("PAYLOAD_TOO_LARGE");
    const socket = connect(Number(new URL(service.url).port), "127.0.0.1");
    socket.on("error", () => {});
    socket.write(postHead("Transfer-Encoding: chunked"));
    for (const part of [`${members.length.toString(16)}\r\n`, members, "\r\n1\r\n", empty])
      socket.write(part);
    const [answer] = await once(socket, "data");
    expect(String(answer)).toMatch(/^HTTP\/1.1 4(00|13) /);
    socket.destroy();
  });

  it("takes the room of what comes out of it, and gives it back", async () => {
    const socket = connect(Number(new URL(service.url).port), "127.0.0.1");
    socket.on("error", () => {});
    const packed = gzipSync(" ".repeat(3 * MEBIBYTE));
    socket.write(postHead(`Content-Length: ${packed.length}`));
    socket.write(packed.subarray(0, -4));
    const bodyBytes = async () =>
      Number(/^groundrule_bodies_bytes (\d+)$/m.exec((await send("GET", "/metrics")).body.toString())?.[1]);
    await expect.poll(bodyBytes).toBeGreaterThan(2 * MEBIBYTE);
    socket.destroy();
    await expect.poll(bodyBytes).toBe(0);
  });
});

function damageByte(packed: Buffer): Buffer {
  const last = packed.length - 5;
  packed[last] = packed[last]! ^ 1;
  return packed;
}

const postHead = (header: string) =>
  buildRequestHead("/v1/evaluate", service.key, ["Content-Encoding: gzip", header]);

describe("ETag", () => {
  const create = async (from: HttpCaller, ruleset: object) =>
    expect((await from.post("/v1/rulesets", ruleset)).status).toBe(201);
  const tagged = async (path: string, headers: Record<string, string> = {}) => {
    const { status, headers: sent, body } = await send("GET", path, headers);
    return { status, tag: String(sent.etag), sent, body };
  };

  it("of a published version saves sending it again, packed or not", async () => {
    await create(caller, { name: "tagged", ...makeRulesetWithChecks(60) });
    const whole = await tagged("/v1/rulesets/tagged/1");
    expect(whole.sent).toMatchObject({
      "cache-control": "private, max-age=86400, immutable",
      vary: "Authorization, Accept-Encoding",
    });
    const packed = await tagged("/v1/rulesets/tagged/1", GZIP);
    expect(packed.tag).toBe(whole.tag.replace(/"$/, '-gzip"'));
    expect(gunzipSync(packed.body).equals(whole.body)).toBe(true);
    for (const known of [whole.tag, packed.tag, `W/${whole.tag}`, `"other", ${whole.tag}`, "*"]) {
      const same = await tagged("/v1/rulesets/tagged/1", { "If-None-Match": known });
      expect([same.status, same.body.length, same.tag]).toEqual([304, 0, whole.tag]);
      expect(same.sent["cache-control"]).toBe("private, max-age=86400, immutable");
      expect(same.sent["content-type"]).toBeUndefined();
    }
    for (const other of ['"other"', whole.tag.slice(1, -1), "", "W/", ",,,", '"'.repeat(5_000)]) {
      expect((await tagged("/v1/rulesets/tagged/1", { "If-None-Match": other })).status, other).toBe(200);
    }
  });

  it("of the latest version is another once another is published", async () => {
    await create(caller, { name: "moving", ...NO_PARKS });
    const first = await tagged("/v1/rulesets/moving");
    expect(first.sent["cache-control"]).toBe("private, no-cache");
    expect((await tagged("/v1/rulesets/moving", { "If-None-Match": first.tag })).status).toBe(304);
    await create(caller, { name: "moving", ...makeRulesetWithChecks(2) });
    expect((await tagged("/v1/rulesets/moving", { "If-None-Match": first.tag })).status).toBe(200);
    expect((await tagged("/v1/rulesets/moving/1", { "If-None-Match": first.tag })).status).toBe(304);
  });

  it("answers nobody without the right key: neither none, a wrong one, another's nor one without the scope", async () => {
    await create(caller, { name: "secret", ...NO_PARKS });
    const { tag } = await tagged("/v1/rulesets/secret/1");
    const known = { "If-None-Match": tag };
    const path = "/v1/rulesets/secret/1";
    expect((await fetch(service.url + path, { headers: known })).status).toBe(401);
    expect((await caller.with("gr_test_wrong").get(path, known)).status).toBe(401);
    const stranger = caller.with((await createTestOrganization(service.store)).key);
    expect((await stranger.get(path, known)).status).toBe(404);
    expect((await stranger.get(path, { "If-None-Match": "*" })).status).toBe(404);
    const narrow = caller.with((await createTestOrganization(service.store, { scopes: ["evaluate"] })).key);
    expect((await narrow.get(path, known)).status).toBe(403);
    await sleep(5);
    await create(stranger, { name: "secret", ...NO_PARKS });
    expect((await stranger.get(path, known)).status).toBe(200);
  });

  it.each(["/openapi.json", "/docs", "/docs/errors", "/docs/docs.js", "/docs/docs.css"])(
    "of %s lets whoever has it ask whether it changed",
    async (path) => {
      const whole = await tagged(path);
      expect(whole.sent).toMatchObject({ "cache-control": "no-cache", vary: "Accept-Encoding" });
      const packed = await tagged(path, GZIP);
      expect(gunzipSync(packed.body).equals(whole.body)).toBe(true);
      const same = await tagged(path, { "If-None-Match": whole.tag });
      expect([same.status, same.body.length, same.tag]).toEqual([304, 0, whole.tag]);
    },
  );
});
