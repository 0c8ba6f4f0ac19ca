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

/** The folder for pictures of pages, if one is named. */
export const PICTURES = process.env.GROUNDRULE_SCREENSHOTS;

interface MapOptions {
  readonly width?: number;
  readonly height?: number;
  /** The initial view, as in the page's address. */
  readonly view?: string;
  /** The origin of a base map that the page may request too. */
  readonly also?: string;
  /** An origin that the style names and the page's policy refuses. */
  readonly refused?: string;
  /** True to render as for a person, for comparing pixels. */
  readonly isSharp?: boolean;
  /** Messages that the page may log. */
  readonly expected?: RegExp;
}

/** The built console, served over the demo's data to one browser. */
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

  /** Opens the page and waits for its map; its warnings and requests are checked afterwards. */
  async onMap(
    action: (map: DrawnMap) => Promise<void>,
    {
      width = 1280,
      height = 800,
      view,
      also,
      refused,
      expected,
      isSharp = PICTURES !== undefined,
    }: MapOptions = {},
  ): Promise<void> {
    const { url, key } = this.service;
    const address = `${url}/console/#key=${key}&ruleset=${ruleset.name}${view === undefined ? "" : `&${view}`}`;
    const watched = await openPage(this.#browser, address, {
      viewport: { width, height },
      ...(isSharp && SHARP),
    });
    try {
      const map = new DrawnMap(watched);
      await map.settle();
      await action(map);
      const known = [url, also, refused].filter((origin) => origin !== undefined);
      const strangers = watched.requested.filter((url) => !known.some((origin) => url.startsWith(origin)));
      expect(strangers).toEqual([]);
      // The browser itself logs refused requests.
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
