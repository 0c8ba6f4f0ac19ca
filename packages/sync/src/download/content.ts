import { closeSync, openSync, readSync } from "node:fs";
import { constants, gunzipSync } from "node:zlib";
import { SyncError } from "../sync-error.ts";
import { redactAddress } from "./address.ts";

const HEAD_BYTES = 4096;

/**
 * Refuses what is no data, whatever its status: an empty file, or a web page, as servers send it in place of a file
 * that has moved or wants a login.
 *
 * Fails: `FETCH_NOT_DATA`, with the title of the page.
 */
export function assertFileIsData(path: string, url: URL): void {
  const head = readFileHead(path);
  const at = redactAddress(url);
  if (head.length === 0) {
    throw new SyncError("FETCH_NOT_DATA", `${at} sent an empty file`, { url: at }, {});
  }
  const text = unpackGzipHead(head).toString("utf8");
  if (!/^\ufeff?\s*(?:<!--[\s\S]*?-->\s*)*<(?:!doctype\s+html|html|head|body|title|script)\b/i.test(text))
    return;
  const title = /<title[^>]*>([^<]{1,200})/i.exec(text)?.[1]?.trim().replace(/\s+/g, " ");
  const named = title === undefined ? "" : `, titled "${title}"`;
  const message = `${at} sent a web page${named}, expected data`;
  throw new SyncError("FETCH_NOT_DATA", message, { url: at, ...(title !== undefined && { title }) });
}

function readFileHead(path: string): Buffer {
  const file = openSync(path, "r");
  try {
    const head = Buffer.alloc(HEAD_BYTES);
    return head.subarray(0, readSync(file, head));
  } finally {
    closeSync(file);
  }
}

function unpackGzipHead(head: Buffer): Buffer {
  if (head[0] !== 0x1f || head[1] !== 0x8b) return head;
  try {
    // 4 KiB unpack to 4 MiB at most.
    return gunzipSync(head, { finishFlush: constants.Z_SYNC_FLUSH }).subarray(0, HEAD_BYTES);
  } catch {
    return head;
  }
}
