import { effect } from "@preact/signals";
import { findings, mends, profile, quality, withoutBorders } from "../state/findings.ts";
import { plots } from "../state/store.ts";
import type { CheckedPlot, CheckMessage, CheckReply } from "./reading/check-protocol.ts";

/** Changes are told together that come within this time: a file arrives in batches. */
const TOGETHER_MS = 200;
/** Plots that are told in one piece, so that handing them over holds up no frame. */
const BATCH = 500;

/** Who checks plots. */
export interface CheckPort {
  tell(message: CheckMessage): void;
}

/** What the checker knows of each plot: the objects that were told, which are never changed. */
interface Told {
  readonly input: object;
  readonly properties: object;
}

/**
 * Keeps the findings of the list up to date, off the main thread. Nothing is loaded before there is a plot. What cannot
 * be checked has no findings; the answers do not wait for them.
 *
 * @param open how the checker is opened; it replies with the findings of all plots
 * @returns ends it
 */
export function watchFindings(open: (onReply: (reply: CheckReply) => void) => CheckPort): () => void {
  const told = new Map<string, Told>();
  let port: CheckPort | undefined;
  let toldProfile: string | undefined;
  let toldQuality = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const take = (reply: CheckReply): void => {
    const before = findings.peek();
    // Of plots that were changed while they were checked, another reply comes.
    const listed = reply.found.filter(([key]) => told.has(key));
    // The mends first: who sees the findings looks for them.
    mends.value = new Map(reply.mends.filter(([key]) => told.has(key)));
    withoutBorders.value = reply.withoutBorders;
    findings.value = new Map(listed.map(([key, found]) => [key, sameAs(before.get(key), found)]));
  };
  const tell = (): void => {
    timer = undefined;
    const { put, removed } = changesSince(told);
    const forProfile = profile.peek();
    const ofQuality = quality.peek();
    const isSame = forProfile === toldProfile && ofQuality === toldQuality;
    if (put.length === 0 && removed.length === 0 && (isSame || told.size === 0)) return;
    toldProfile = forProfile;
    toldQuality = ofQuality;
    port ??= open(take);
    const gone = new Set([...removed, ...put.map(({ key }) => key)]);
    // A mend is of the shape that was checked.
    if (gone.size > 0) mends.value = new Map([...mends.peek()].filter(([key]) => !gone.has(key)));
    for (const { key } of put) gone.delete(key);
    if (gone.size > 0) findings.value = new Map([...findings.peek()].filter(([key]) => !gone.has(key)));
    for (const { key, input, properties } of put) told.set(key, { input, properties });
    for (const key of removed) told.delete(key);
    for (let i = 0; i === 0 || i < put.length; i += BATCH) {
      port.tell({
        put: put.slice(i, i + BATCH),
        removed: i === 0 ? removed : [],
        ...(forProfile !== undefined && { profile: forProfile }),
        ...(ofQuality && { quality: true }),
      });
    }
  };
  const stop = effect(() => {
    void plots.value;
    void profile.value;
    void quality.value;
    timer ??= setTimeout(tell, TOGETHER_MS);
  });
  return () => {
    stop();
    clearTimeout(timer);
  };
}

/** The findings that were there before, where nothing has changed: what is open about them stays open. */
function sameAs<Value>(before: Value | undefined, now: Value): Value {
  return before !== undefined && JSON.stringify(before) === JSON.stringify(now) ? before : now;
}

function changesSince(told: ReadonlyMap<string, Told>): { put: CheckedPlot[]; removed: string[] } {
  const listed = plots.peek();
  const put: CheckedPlot[] = [];
  const there = new Set<string>();
  for (const { key, id, input, properties } of listed) {
    if (input === undefined) continue;
    there.add(key);
    const known = told.get(key);
    if (known?.input === input && known.properties === properties) continue;
    put.push({ key, id, input, properties });
  }
  return { put, removed: [...told.keys()].filter((key) => !there.has(key)) };
}
