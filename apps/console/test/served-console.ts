import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Browser } from "playwright-core";
import { expect } from "vitest";
import { openBrowser, openPage } from "../../../tools/browser/browser.ts";
import { type DemoService, withDemoService } from "../../api/test/demo-service.ts";
import { DrawnMap } from "./drawn-map.ts";

const root = join(import.meta.dirname, "../../..");
const ruleset = JSON.parse(readFileSync(join(root, "data/demo/forest-areas.json"), "utf8"));

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

  static async start(): Promise<ServedConsole> {
    await promisify(execFile)(process.execPath, [join(root, "apps/console/build.ts")]);
    const stopped = Promise.withResolvers<void>();
    const started = Promise.withResolvers<DemoService>();
    const ended = withDemoService(async (service) => {
      started.resolve(service);
      await stopped.promise;
    });
    ended.catch(started.reject);
    const service = await started.promise;
    expect((await service.ask("/v1/rulesets", ruleset)).status).toBe(201);
    return new ServedConsole(service, await openBrowser(), () => {
      stopped.resolve();
      return ended;
    });
  }

  /** Opens the page and waits for its map; what it warned of, and whom it asked, is looked at afterwards. */
  async onMap(action: (map: DrawnMap) => Promise<void>, width = 1280): Promise<void> {
    const { url, key } = this.service;
    const address = `${url}/console/#key=${key}&ruleset=${ruleset.name}`;
    const watched = await openPage(this.#browser, address, { viewport: { width, height: 800 } });
    try {
      const map = new DrawnMap(watched);
      await map.settle();
      await action(map);
      expect(watched.requested.filter((asked) => !asked.startsWith(url))).toEqual([]);
      // What the service refused, the browser tells by itself.
      expect(watched.said.filter((text) => !/GPU stall|status of 422/.test(text))).toEqual([]);
    } finally {
      await watched.close();
    }
  }

  async stop(): Promise<void> {
    await this.#browser.close();
    await this.#stop();
  }
}
