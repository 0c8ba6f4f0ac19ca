import { effect } from "@preact/signals";
import { findings, mends, profile, quality, withoutBorders } from "../state/findings.ts";
import { plots } from "../state/store.ts";
import type { CheckedPlot, CheckMessage, CheckReply } from "./reading/check-protocol.ts";

/** Changes within this time are sent together: a file arrives in batches. */
const TOGETHER_MS = 200;
/** Plots per message, so that sending them delays no frame. */
const BATCH = 500;

/** A connection to the plot checker. */
export interface CheckPort {
  tell(message: CheckMessage): void;
}

/** The checker's version of each plot: the objects that were sent, which are never modified. */
interface SentPlot {
  readonly input: object;
  readonly properties: object;
}

/**
 * Keeps the findings of the list up to date, off the main thread. Nothing is loaded before there is a plot. Plots that
 * cannot be checked have no findings; answers do not wait for them.
 *
 * @param open opens the checker; it replies with the findings of all plots
 * @returns a function that ends it
 */
export function watchPlotFindings(open: (onReply: (reply: CheckReply) => void) => CheckPort): () => void {
  const sent = new Map<string, SentPlot>();
  let port: CheckPort | undefined;
  let sentProfile: string | undefined;
  let sentQuality = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const take = (reply: CheckReply): void => {
    const before = findings.peek();
    // A plot that changed while it was checked gets another reply.
    const listed = reply.found.filter(([key]) => sent.has(key));
    // Fixes are set first: views of the findings look them up.
    mends.value = new Map(reply.mends.filter(([key]) => sent.has(key)));
    withoutBorders.value = reply.withoutBorders;
    findings.value = new Map(listed.map(([key, found]) => [key, keepIfEqual(before.get(key), found)]));
  };
  const tell = (): void => {
    timer = undefined;
    const { put, removed } = listChangesSince(sent);
    const forProfile = profile.peek();
    const ofQuality = quality.peek();
    const isSame = forProfile === sentProfile && ofQuality === sentQuality;
    if (put.length === 0 && removed.length === 0 && (isSame || sent.size === 0)) return;
    sentProfile = forProfile;
    sentQuality = ofQuality;
    port ??= open(take);
    const gone = new Set([...removed, ...put.map(({ key }) => key)]);
    // A fix applies only to the shape that was checked.
    if (gone.size > 0) mends.value = new Map([...mends.peek()].filter(([key]) => !gone.has(key)));
    for (const { key } of put) gone.delete(key);
    if (gone.size > 0) findings.value = new Map([...findings.peek()].filter(([key]) => !gone.has(key)));
    for (const { key, input, properties } of put) sent.set(key, { input, properties });
    for (const key of removed) sent.delete(key);
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

/** The previous value if nothing has changed, so that its open details stay open. */
function keepIfEqual<Value>(before: Value | undefined, now: Value): Value {
  return before !== undefined && JSON.stringify(before) === JSON.stringify(now) ? before : now;
}

function listChangesSince(sent: ReadonlyMap<string, SentPlot>): { put: CheckedPlot[]; removed: string[] } {
  const listed = plots.peek();
  const put: CheckedPlot[] = [];
  const there = new Set<string>();
  for (const { key, id, input, properties } of listed) {
    if (input === undefined) continue;
    there.add(key);
    const known = sent.get(key);
    if (known?.input === input && known.properties === properties) continue;
    put.push({ key, id, input, properties });
  }
  return { put, removed: [...sent.keys()].filter((key) => !there.has(key)) };
}
