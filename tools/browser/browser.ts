import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";

/**
 * Where Chromium lies, or undefined where it is not installed: named by `CHROMIUM`, else looked for on the path. Its
 * build without a window draws the same, and opens a page with a quarter less of work.
 */
export function findChromium(
  programs: readonly string[] = ["chromium-headless-shell", ...WITH_WINDOW],
): string | undefined {
  const named = process.env.CHROMIUM;
  if (named !== undefined) return named;
  const folders = (process.env.PATH ?? "").split(delimiter);
  return programs
    .flatMap((name) => folders.map((folder) => join(folder, name)))
    .find((path) => existsSync(path));
}

/** Programs that people use. */
export const WITH_WINDOW = ["chromium", "chromium-browser", "google-chrome"] as const;

/** Reason that tests print if {@link findChromium} finds none. */
export const NO_CHROMIUM = "Chromium is not installed";

/**
 * Starts Chromium without a window, in a folder of its own. It asks nobody but the pages that it is sent to.
 *
 * Fails: an `Error` where there is none.
 */
export async function openBrowser(): Promise<Browser> {
  const executablePath = findChromium();
  if (executablePath === undefined) throw new Error(NO_CHROMIUM);
  return chromium.launch({
    executablePath,
    timeout: PATIENCE_MS,
    // Its requests to its makers are not part of the test, and refused networks make it slow.
    args: [
      "--disable-gpu",
      "--disable-quic",
      "--disable-dev-shm-usage",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      "--no-proxy-server",
      `--host-resolver-rules=MAP ${ELSEWHERE} 127.0.0.1`,
    ],
  });
}

/** A name by which a page is not of this machine, though a server here answers for it. */
export const ELSEWHERE = "elsewhere.example";

/** Ends what hangs, and decides nothing else: a busy machine may take thirty times as long as a quiet one. */
const PATIENCE_MS = 120_000;

/** A page, with all that it said and asked for. */
export interface WatchedPage {
  readonly page: Page;
  /** Warnings, errors and exceptions in its console so far. */
  readonly said: readonly string[];
  /** The URL of every request that it made, so far; `blob:` and `data:` are none. */
  readonly requested: readonly string[];
  /** Ends the page and what it kept. */
  close(): Promise<void>;
}

/** Options of a page that is drawn pixel by pixel as people see it. */
export const SHARP: BrowserContextOptions = { deviceScaleFactor: 1 };

/**
 * Opens a page that shares nothing with another: of 1280 by 800 CSS pixels, unless told. It is drawn with a quarter of
 * the pixels each way, which takes a sixth less of CPU than half of them: {@link SHARP} draws all.
 *
 * Fails: as Playwright does, where the page does not load.
 */
export async function openPage(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
): Promise<WatchedPage> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    deviceScaleFactor: 0.25,
    ...options,
  });
  context.setDefaultTimeout(PATIENCE_MS);
  context.setDefaultNavigationTimeout(PATIENCE_MS);
  const page = await context.newPage();
  const said: string[] = [];
  const requested: string[] = [];
  page.on("console", (message) => {
    if (["error", "warning", "assert"].includes(message.type())) said.push(message.text());
  });
  page.on("pageerror", (error) => said.push(error.stack ?? error.message));
  page.on("request", (request) => {
    if (!/^(?:blob|data):/.test(request.url())) requested.push(request.url());
  });
  await page.goto(url);
  return { page, said, requested, close: () => context.close() };
}
