import { iso2OfCountry, iso3OfCountry } from "@groundrule/borders/country-names";
import { countryName } from "@groundrule/borders/iso-3166";
import type { Countries } from "@groundrule/plots";
import type { CheckMessage, CheckReply } from "./check-protocol.ts";
import { ListChecker } from "./list-checker.ts";

/** Interval in milliseconds at which it checks if the list has changed again. */
const SLICE_MS = 50;

/** Messages received before the borders of countries were loaded. */
const early: CheckMessage[] = [];
let checker: ListChecker | undefined;
let withoutBorders: string | undefined;
let turn = 0;

void startChecker();

addEventListener("message", ({ data }: MessageEvent<CheckMessage>) => {
  if (checker === undefined) early.push(data);
  else {
    checker.change(data);
    void runChecker(checker, ++turn);
  }
});

async function startChecker(): Promise<void> {
  const countries = await loadCountryBorders().catch((error: unknown) => {
    withoutBorders = error instanceof Error ? error.message : String(error);
    return undefined;
  });
  checker = new ListChecker(countries);
  for (const message of early) checker.change(message);
  if (early.length > 0) void runChecker(checker, ++turn);
}

/** Fails: if the borders cannot be fetched. */
async function loadCountryBorders(): Promise<Countries> {
  const { BordersHere } = await import("../../here/borders-here.ts");
  // The page is in the parent of its scripts' folder.
  const borders = new BordersHere(new URL("../borders.gz", self.location.href).href);
  await borders.ready();
  return {
    countryName,
    iso2Of: iso2OfCountry,
    iso3Of: iso3OfCountry,
    territoryOf: (iso3) => borders.territoryOf(iso3),
    countriesAt: (longitude, latitude) => borders.countriesAt(longitude, latitude),
  };
}

async function runChecker(by: ListChecker, own: number): Promise<void> {
  const steps = by.run();
  for (let until = performance.now() + SLICE_MS; ; ) {
    const step = steps.next();
    if (step.done === true) return postCheckReply(step.value);
    if (performance.now() < until) continue;
    await new Promise((resolve) => setTimeout(resolve));
    // The list has changed meanwhile: the later call continues.
    if (own !== turn) return;
    until = performance.now() + SLICE_MS;
  }
}

function postCheckReply(found: CheckReply): void {
  postMessage({ ...found, ...(withoutBorders !== undefined && { withoutBorders }) } satisfies CheckReply);
}
