// Shows that every check of the snapshot reader matters: takes each out in turn and opens the files that were
// made for it. A missing check is noticed when such a file then opens, or fails other than as corrupt. Exits 1
// if the absence of a check goes unnoticed. `npm run tool -- test-bounds`

import { readFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { CHECKING_SOURCES, listCheckNames, REFUSAL } from "../packages/engine/test/checking-sources.ts";
import { FAULTS, type Fault } from "../packages/engine/test/snapshot-faults.ts";

type Reader = typeof import("../packages/engine/src/snapshot/read/reader.ts");

const READER = new URL("../packages/engine/src/snapshot/read/reader.ts", import.meta.url);
const CHECKING = new Set(CHECKING_SOURCES.map((source) => source.href));

// The reader has no switch: what is loaded here is its sources with the named refusal taken out. Each
// that checks is loaded anew for every check, whichever of them imports it.
registerHooks({
  resolve(specifier, context, nextResolve) {
    const resolved = nextResolve(specifier, context);
    const without = context.parentURL && findSkippedCheck(context.parentURL);
    if (!without || !CHECKING.has(resolved.url)) return resolved;
    return { ...resolved, url: formatUrlWithout(resolved.url, without) };
  },
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    const without = findSkippedCheck(url);
    if (without === null) return loaded;
    const source = String(loaded.source).replace(REFUSAL, (call, name: string, check: string) =>
      check === without ? `overlook(${name}` : call,
    );
    return { ...loaded, source: `${source}\nfunction overlook() {}\n` };
  },
});

const checks = CHECKING_SOURCES.flatMap((source) => [...listCheckNames(readFileSync(source, "utf8"))]);
let survivors = 0;
for (const check of checks) {
  const reader: Reader = await import(formatUrlWithout(READER.href, check));
  const notices = FAULTS.filter((fault) => fault.check === check).map((fault) =>
    describeFaultEffect(reader, fault),
  );
  const noticed = notices.filter((found) => found !== undefined);
  if (noticed.length === 0) survivors++;
  const verdict = noticed.length === 0 ? "SURVIVES" : `noticed by ${noticed.length} of ${notices.length}`;
  console.log(`${check.padEnd(22)} ${verdict.padEnd(20)} ${noticed[0] ?? ""}`);
}
console.log(`${checks.length} checks; ${survivors} can be taken out without any file noticing`);
process.exitCode = survivors > 0 ? 1 : 0;

function formatUrlWithout(url: string, check: string): string {
  return `${url}?without=${encodeURIComponent(check)}`;
}

function findSkippedCheck(url: string): string | null {
  const [path = "", query = ""] = url.split("?");
  return CHECKING.has(path) ? new URLSearchParams(query).get("without") : null;
}

/** Effect of the file on a reader without its check; undefined if another check refuses it. */
function describeFaultEffect(reader: Reader, fault: Fault): string | undefined {
  const read = fault.onVerify ? reader.verifySnapshot : reader.openSnapshot;
  try {
    read(fault.make());
    return `opens ${fault.fault}`;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "SNAPSHOT_CORRUPT") return undefined;
    return `${fault.fault}: ${String(error).split("\n")[0]!.slice(0, 60)}`;
  }
}
