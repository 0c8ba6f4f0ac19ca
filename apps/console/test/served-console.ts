import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Browser } from "playwright-core";
import { expect } from "vitest";
import { openBrowser, openPage, SHARP } from "../../../tools/browser/browser.ts";
import { type DemoService, withDemoService } from "../../api/test/demo-service.ts";
import { DrawnMap } from "./drawn-map.ts";

const root = join(import.meta.dirname, "../../..");
const ruleset = JSON.parse(readFileSync(join(root, "data/demo/forest-areas.json"), "utf8"));

/** The folder in which pictures of pages are kept, where one is named. */
export const PICTURES = process.env.GROUNDRULE_SCREENSHOTS;

interface MapOptions {
  readonly width?: number;
  /** Where the map begins, as the page's address has it. */
  readonly view?: string;
  /** The origin of a base map, which the page may ask too. */
  readonly also?: string;
  /** One that its style names, and the page's policy refuses. */
  readonly refused?: string;
  /** Whether it is drawn as people see it, for a look at its pixels. */
  readonly isSharp?: boolean;
  /** What the page may say to its console. */
  readonly expected?: RegExp;
}

/** The console as it is built, served over the demo's data to one browser. */
export class ServedConsole {
  readonly service: DemoService;
  readonly #browser: Browser;
  readonly #stop: () => Promise<void>;

  private constructor(service: DemoService, browser: Browser, stop: () => Promise<void>) {
    this.service = service;
    this.#browser = browser;
    this.#stop = stop;
  }

  /** @param options of `groundrule serve` */
  static async start(...options: readonly string[]): Promise<ServedConsole> {
    await promisify(execFile)(process.execPath, [join(root, "apps/console/build.ts")]);
    const stopped = Promise.withResolvers<void>();
    const started = Promise.withResolvers<DemoService>();
    const ended = withDemoService(async (service) => {
      started.resolve(service);
      await stopped.promise;
    }, options);
    ended.catch(started.reject);
    const service = await started.promise;
    expect((await service.ask("/v1/rulesets", ruleset)).status).toBe(201);
    return new ServedConsole(service, await openBrowser(), () => {
      stopped.resolve();
      return ended;
    });
  }

  /** Opens the page and waits for its map; what it warned of, and whom it asked, is looked at afterwards. */
  async onMap(
    action: (map: DrawnMap) => Promise<void>,
    { width = 1280, view, also, refused, expected, isSharp = PICTURES !== undefined }: MapOptions = {},
  ): Promise<void> {
    const { url, key } = this.service;
    const address = `${url}/console/#key=${key}&ruleset=${ruleset.name}${view === undefined ? "" : `&${view}`}`;
    const watched = await openPage(this.#browser, address, {
      viewport: { width, height: 800 },
      ...(isSharp && SHARP),
    });
    try {
      const map = new DrawnMap(watched);
      await map.settle();
      await action(map);
      const known = [url, also, refused].filter((origin) => origin !== undefined);
      const strangers = watched.requested.filter(
        (asked) => !known.some((origin) => asked.startsWith(origin)),
      );
      expect(strangers).toEqual([]);
      // What the service refused, the browser tells by itself.
      const said = watched.said.filter((text) => !/GPU stall|status of 422/.test(text));
      expect(said.filter((text) => expected === undefined || !expected.test(text))).toEqual([]);
    } finally {
      await watched.close();
    }
  }

  async stop(): Promise<void> {
    await this.#browser.close();
    await this.#stop();
  }
}
