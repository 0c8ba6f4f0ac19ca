import { BordersHere } from "../here/borders-here.ts";
import type { CheckMessage, CheckReply } from "./check-protocol.ts";
import { ListChecker } from "./list-checker.ts";

/** Milliseconds after which it looks whether the list has changed again. */
const SLICE_MS = 50;

const checker = new ListChecker();
let turn = 0;
let borders: BordersHere | undefined;

addEventListener("message", ({ data }: MessageEvent<CheckMessage & { readonly bordersUrl: string }>) => {
  checker.change(data);
  void run(++turn);
  if (borders === undefined) void compareWithBorders(data.bordersUrl);
});

/** Plots are checked without borders until they are there, and where they cannot be had. */
async function compareWithBorders(url: string): Promise<void> {
  const loaded = new BordersHere(url);
  borders = loaded;
  try {
    await loaded.ready();
  } catch {
    borders = undefined; // asked for again with the next change
    return;
  }
  checker.know({
    territoryOf: (iso3) => loaded.territoryOf(iso3),
    countriesAt: (longitude, latitude) => loaded.countriesAt(longitude, latitude),
  });
  void run(++turn);
}

async function run(own: number): Promise<void> {
  const steps = checker.run();
  for (let until = performance.now() + SLICE_MS; ; ) {
    const step = steps.next();
    if (step.done === true) return reply(step.value);
    if (performance.now() < until) continue;
    await new Promise((resolve) => setTimeout(resolve));
    // The list has changed meanwhile: whoever came later goes on.
    if (own !== turn) return;
    until = performance.now() + SLICE_MS;
  }
}

function reply(found: CheckReply): void {
  postMessage(found);
}
