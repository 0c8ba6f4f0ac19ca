import assert from "node:assert/strict";
import { mulberry32 } from "@groundrule/testing/random";
import { type ServedProcess, withServedProcess } from "../served-process.ts";
import { requireNothingOver } from "./figures.ts";
import { HARMLESS, makeHostileEditions } from "./hostile-world.ts";
import { buildRequestHead as headOfPost, type RawAnswer, sendRawRequest } from "./raw-request.ts";

const BODY = JSON.stringify({ input: { geometry: HARMLESS } });

/** Lines of a head, and the answers that are right. */
type Abuse = readonly [name: string, head: string, expected: readonly string[]];

const MALFORMED = ["400 MALFORMED_REQUEST"];
const UNSUPPORTED = ["501 TRANSFER_ENCODING_UNSUPPORTED"];
const TOO_LARGE = ["431 HEADERS_TOO_LARGE"];
const KEY_INVALID = ["422 IDEMPOTENCY_KEY_INVALID"];
/** Legal as HTTP goes, and of no meaning here. */
const HARMLESS_ANSWER = ["200"];

/**
 * T-30. Heads that are too large, ambiguous or made to confuse, and that many more at random: each is
 * refused with a problem or means nothing, and nothing is left behind. With T-22's idempotency keys, as
 * they come over the wire.
 */
export function abuseHeaders(randomHeads: number, seed: number): Promise<object> {
  return withServedProcess({ editions: makeHostileEditions() }, async (served) => {
    const before = await fetchServedTexts(served);
    const { figures, over } = await sendAbusiveHeads(served.port, served.key);
    const statuses = new Map<string, number>();
    const random = mulberry32(seed);
    for (let i = 0; i < randomHeads; i++) {
      const head = mutateHeadRandomly(buildQuestionHead(served.key), random);
      const answer = await sendRawRequest(served.port, [head, BODY], { hangUp: true });
      const got = answer === undefined ? "hung up" : `${answer.status}`;
      statuses.set(got, (statuses.get(got) ?? 0) + 1);
      if (answer !== undefined && answer.status >= 500) {
        over.push(`seed ${seed}, head ${i}: ${answer.status} for ${JSON.stringify(head)}`);
      }
    }
    figures[`${randomHeads} heads at random`] = [...statuses]
      .map(([status, n]) => `${n} × ${status}`)
      .join(", ");
    // Neither the description nor an answer has anything that a head brought in.
    assert.deepEqual(await fetchServedTexts(served), before);
    if (/INTERNAL_ERROR|"level":"error"/.test(served.log())) over.push("an internal error was logged");
    const corner = String(HARMLESS.coordinates[0]![0]![0]).slice(0, 8);
    for (const secret of [served.key, served.key.slice("gr_test_".length), corner]) {
      if (served.log().includes(secret)) over.push(`T-47: the log holds ${secret}`);
    }
    return requireNothingOver(figures, over);
  });
}

/** Sends every head that has a name, and those of T-22: what each was answered, and what of that is wrong. */
export async function sendAbusiveHeads(port: number, key: string) {
  const figures: Record<string, string> = {};
  const over: string[] = [];
  const answers: RawAnswer[] = [];
  for (const [name, head, expected] of [...makeNamedAbuses(key), ...makeKeyAbuses(key)]) {
    const answer = await sendRawRequest(port, [head, BODY]);
    const got = answer === undefined ? "hung up" : `${answer.status} ${answer.code ?? ""}`.trim();
    figures[name] = got;
    if (!expected.includes(got)) over.push(`${name}: ${got}, expected ${expected.join(" or ")}`);
    if (answer !== undefined) answers.push(answer);
  }
  return { figures, over, answers };
}

/** A question that is answered, with other header lines on top. */
function buildQuestionHead(key: string, ...lines: string[]): string {
  return headOfPost("/v1/intersections", key, [`Content-Length: ${BODY.length}`, ...lines]);
}

function makeNamedAbuses(key: string): Abuse[] {
  const withLines = (...lines: string[]) => buildQuestionHead(key, ...lines);
  const chunked = (...lines: string[]) =>
    withLines(...lines).replace(`Content-Length: ${BODY.length}\r\n`, "");
  const lines = (count: number, name = (i: number) => `X-${i}`) =>
    Array.from({ length: count }, (_, i) => `${name(i)}: a`);
  const names = ["__proto__", "constructor", "prototype", "toString", "hasOwnProperty", "__defineGetter__"];
  return [
    ["one header of 16 KiB", withLines(`X: ${"a".repeat(16 * 1024)}`), TOO_LARGE],
    // The answer may be lost where the connection is gone before all of it is sent.
    ["one header of 1 MB", withLines(`X: ${"a".repeat(1_000_000)}`), [...TOO_LARGE, "hung up"]],
    ["a header name of 16 KiB", withLines(`${"a".repeat(16 * 1024)}: x`), TOO_LARGE],
    [
      "a target of 16 KiB",
      withLines().replace("HTTP/1.1", `${"a".repeat(16 * 1024)} HTTP/1.1`),
      [...TOO_LARGE, ...MALFORMED],
    ],
    ["a path of 16 KiB", withLines().replace("intersections", "a".repeat(16 * 1024)), TOO_LARGE],
    ["1,000 header lines", withLines(...lines(1_000)), TOO_LARGE],
    ["1,000 header lines of one name", withLines(...lines(1_000, () => "X")), TOO_LARGE],
    ["1,000 cookies", withLines(...lines(1_000, () => "Cookie")), TOO_LARGE],
    ["65 header lines", withLines(...lines(61)), TOO_LARGE],
    ["64 header lines", withLines(...lines(60)), HARMLESS_ANSWER],
    ["a length and chunks", withLines("Transfer-Encoding: chunked"), MALFORMED],
    [
      "chunks and a length",
      chunked("Transfer-Encoding: chunked", `Content-Length: ${BODY.length}`),
      MALFORMED,
    ],
    ["two lengths that agree", withLines(`Content-Length: ${BODY.length}`), MALFORMED],
    ["two lengths that differ", withLines("Content-Length: 1"), MALFORMED],
    ["chunked twice", chunked("Transfer-Encoding: chunked, chunked"), MALFORMED],
    ["chunked, then not", chunked("Transfer-Encoding: chunked, identity"), MALFORMED],
    ["an encoding of transfer nobody knows", chunked("Transfer-Encoding: xchunked"), UNSUPPORTED],
    ["chunked behind a tab", chunked("Transfer-Encoding:\tchunked", "X: a"), MALFORMED],
    ["a space before the colon", withLines("Transfer-Encoding : chunked"), MALFORMED],
    ["a header without a colon", withLines("X"), MALFORMED],
    ["a header without a name", withLines(": a"), MALFORMED],
    ["a folded header", withLines("X: a", " b"), MALFORMED],
    ["a folded length", withLines("Content-Length:", " 5"), MALFORMED],
    ["a header folded first", withLines().replace("\r\nHost", "\r\n Host"), MALFORMED],
    ["a NUL in a value", withLines("X: a\0b"), MALFORMED],
    ["a NUL in a name", withLines("X\0: a"), MALFORMED],
    ["a NUL in the target", withLines().replace("/v1/i", "/v1/\0i"), MALFORMED],
    ["a carriage return in a value", withLines("X: a\rb"), MALFORMED],
    ["a line feed that begins another header", withLines("X: a\nY: b"), [...MALFORMED, ...HARMLESS_ANSWER]],
    ["a DEL in a value", withLines("X: a\x7fb"), [...MALFORMED, ...HARMLESS_ANSWER]],
    ["letters past ASCII in a value", withLines("X: \xe4\xff"), HARMLESS_ANSWER],
    ["no host", withLines().replace("Host: x\r\n", ""), MALFORMED],
    ["a host that is none", withLines().replace("Host: x", "Host: a b"), MALFORMED],
    ["two hosts", withLines("Host: y"), MALFORMED],
    ["one host twice", withLines("Host: x"), MALFORMED],
    ["gzip and chunks", chunked("Transfer-Encoding: gzip, chunked"), UNSUPPORTED],
    [
      "gzip, and chunks on a line of their own",
      chunked("Transfer-Encoding: gzip", "Transfer-Encoding: chunked"),
      UNSUPPORTED,
    ],
    ["two keys to open with", withLines(`Authorization: Bearer ${key}`), ["401 API_KEY_INVALID"]],
    ["an upgrade", withLines("Connection: Upgrade", "Upgrade: websocket"), HARMLESS_ANSWER],
    [
      "an upgrade to HTTP/2",
      withLines(
        "Connection: Upgrade, HTTP2-Settings",
        "Upgrade: h2c",
        "HTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA",
      ),
      HARMLESS_ANSWER,
    ],
    ["no HTTP at all", "hello\r\n\r\n", MALFORMED],
    ["chunks in HTTP/1.0", chunked("Transfer-Encoding: chunked").replace("HTTP/1.1", "HTTP/1.0"), MALFORMED],
    ["the preface of HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", MALFORMED],
    ["a version of 9.9", withLines().replace("HTTP/1.1", "HTTP/9.9"), MALFORMED],
    ["a method nobody knows", withLines().replace("POST", "PWN"), MALFORMED],
    ["CONNECT", "CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n", [...MALFORMED, "hung up", "404 NOT_FOUND"]],
    ["TRACE", withLines().replace("POST", "TRACE"), ["405 METHOD_NOT_ALLOWED", ...MALFORMED]],
    [
      "a whole address as target",
      withLines().replace("/v1/intersections", "http://y/v1/intersections"),
      [...HARMLESS_ANSWER, ...MALFORMED],
    ],
    [
      "a path that climbs",
      withLines().replace("/v1/intersections", "/v1/../v1/intersections"),
      [...HARMLESS_ANSWER, "404 NOT_FOUND"],
    ],
    ...names.map((name): Abuse => [`a header ${name}`, withLines(`${name}: polluted`), HARMLESS_ANSWER]),
    ...names.map(
      (name): Abuse => [
        `a parameter ${name}`,
        withLines().replace(" HTTP/1.1", `?${name}=polluted HTTP/1.1`),
        ["422 VALIDATION_FAILED"],
      ],
    ),
    ...names.map(
      (name): Abuse => [
        `a parameter ${name}[polluted]`,
        withLines().replace(" HTTP/1.1", `?${name}[polluted]=1 HTTP/1.1`),
        ["422 VALIDATION_FAILED"],
      ],
    ),
  ];
}

/** T-22 over the wire: keys as bytes, which a client library would not send. */
function makeKeyAbuses(key: string): Abuse[] {
  const withKey = (value: string): string => buildQuestionHead(key, `Idempotency-Key: ${value}`);
  const bytes = Array.from({ length: 256 }, (_, byte) => byte);
  return [
    ["a key of 7 characters", withKey("a".repeat(7)), KEY_INVALID],
    ["a key of 8", withKey("a".repeat(8)), HARMLESS_ANSWER],
    ["a key of 128", withKey("b".repeat(128)), HARMLESS_ANSWER],
    ["a key of 129", withKey("b".repeat(129)), KEY_INVALID],
    ["an empty key", withKey(""), KEY_INVALID],
    ["a quoted key", withKey('"abcdefgh"'), KEY_INVALID],
    ["a key in UTF-8", withKey(Buffer.from("schlüssel").toString("latin1")), KEY_INVALID],
    [
      "two keys",
      buildQuestionHead(key, "Idempotency-Key: abcdefg1", "Idempotency-Key: abcdefg1"),
      KEY_INVALID,
    ],
    ["two keys in one", withKey("abcdefg1, abcdefg1"), KEY_INVALID],
    ["a key between spaces", withKey(" \tabcdefgh \t"), HARMLESS_ANSWER],
    ...bytes
      .filter((byte) => byte !== 10 && byte !== 13)
      .map((byte): Abuse => {
        const character = String.fromCharCode(byte);
        const refused = [...KEY_INVALID, ...(byte < 32 || byte === 127 ? MALFORMED : [])];
        const expected = /[A-Za-z0-9_:.-]/.test(character) ? HARMLESS_ANSWER : refused;
        return [`a key with byte ${byte}`, withKey(`abcd${character}efgh`), expected];
      }),
  ];
}

/** One to four bytes of a head changed, left out or repeated. */
function mutateHeadRandomly(head: string, random: () => number): string {
  const below = (limit: number) => Math.floor(random() * limit);
  let text = head;
  for (let i = 0; i <= below(4); i++) {
    const at = below(text.length);
    const byte = String.fromCharCode(
      random() < 0.5 ? below(256) : "\r\n\t :,;=%\0\x7f\xff".charCodeAt(below(12)),
    );
    const kind = below(4);
    if (kind === 0) text = text.slice(0, at) + byte + text.slice(at + 1);
    else if (kind === 1) text = text.slice(0, at) + byte + text.slice(at);
    else if (kind === 2) text = text.slice(0, at) + text.slice(at + 1 + below(8));
    else text = text.slice(0, at) + text.slice(Math.max(0, at - below(20)), at) + text.slice(at);
  }
  return text;
}

async function fetchServedTexts(served: ServedProcess): Promise<readonly unknown[]> {
  const described = await (await fetch(`${served.url}/openapi.json`)).text();
  const answer = await fetch(`${served.url}/v1/intersections`, {
    method: "POST",
    body: BODY,
    headers: {
      Authorization: `Bearer ${served.key}`,
      "Content-Type": "application/json",
      "X-Request-Id": "same",
    },
  });
  const { meta: _, ...rest } = (await answer.json()) as { readonly meta: unknown };
  return [described, rest];
}
