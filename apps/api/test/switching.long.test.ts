import { setTimeout as sleep } from "node:timers/promises";
import type { Verdict } from "@groundrule/engine";
import { installEdition, releasePin, useEdition } from "@groundrule/node";
import { describe, expect, it } from "vitest";
import {
  EDITIONS,
  getAnsweredEdition,
  PLOT,
  RULESET,
  SOURCE,
} from "../../../packages/node/test/two-answers.ts";
import { withServedProcess } from "./served-process.ts";

const FULL = process.env.GROUNDRULE_FULL !== undefined;
const SWITCHES = FULL ? 100 : 6;
const REQUESTS = FULL ? 10_000 : 600;

describe("a server whose editions are switched", () => {
  it(`answers ${REQUESTS} requests across ${SWITCHES} switches and roll-backs, none failed, none mixed`, async () => {
    await withServedProcess({ editions: [EDITIONS.east()] }, async ({ url, key, dir, log }) => {
      const east = (await installEdition(dir, EDITIONS.east())).meta.edition;
      const west = (await installEdition(dir, EDITIONS.west())).meta.edition;
      const body = JSON.stringify({ input: { geometry: PLOT }, ruleset: RULESET });
      const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
      const answered: string[] = [];
      const switched = new AbortController();
      const ask = async () => {
        while (!switched.signal.aborted || answered.length < REQUESTS) {
          const response = await fetch(`${url}/v1/evaluate`, { method: "POST", headers, body });
          const text = await response.text();
          if (response.status !== 200) throw new Error(`${response.status}: ${text}`);
          const { data } = JSON.parse(text) as { readonly data: Verdict };
          answered.push(getAnsweredEdition(data, { east, west }));
          await sleep(2);
        }
      };
      const clients = Promise.all(Array.from({ length: 8 }, ask));
      const switching = (async () => {
        // The server began on the other edition; each switch below is then a turn that is seen.
        while (answered.at(-1) !== west) await Promise.race([clients, sleep(10)]);
        for (let i = 0; i < SWITCHES; i++) {
          // Back with a pin, then forward: by release of the pin, or by name.
          if (i % 2 === 0) await useEdition(dir, SOURCE, east, { pin: true });
          else if (i % 4 === 1) await releasePin(dir, SOURCE);
          else await useEdition(dir, SOURCE, west, { pin: false });
          const expected = i % 2 === 0 ? east : west;
          while (answered.at(-1) !== expected) await Promise.race([clients, sleep(10)]);
        }
        switched.abort();
      })();
      await Promise.all([clients, switching]);
      const turns = answered.filter((edition, i) => i > 0 && edition !== answered[i - 1]).length;
      console.log(
        `${answered.length} answers, none failed, none mixed, ${turns} turns, ${SWITCHES} switches`,
      );
      expect(answered.length).toBeGreaterThanOrEqual(REQUESTS);
      expect(new Set(answered)).toEqual(new Set([east, west]));
      expect(turns).toBeGreaterThanOrEqual(SWITCHES);
      expect(log()).not.toMatch(/error/i);
    });
  }, 600_000);
});
