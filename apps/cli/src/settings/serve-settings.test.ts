import {
  DEFAULT_ADMISSION,
  DEFAULT_CHARGING,
  DEFAULT_HOLDING_LIMITS,
  DEFAULT_OUTBOX,
  DEFAULT_UNKNOWN_KEYS,
} from "@groundrule/api";
import { DEFAULT_LIVE_LIMITS } from "@groundrule/node/internal";
import { expect, it } from "vitest";
import { parseArguments } from "../command-line/arguments.ts";
import { completeCommand } from "../command-line/command.ts";
import { serveCommand } from "../commands/service/serve.ts";
import { readServeSettings } from "./serve-settings.ts";

const settingsOf = (...argv: string[]) =>
  readServeSettings(parseArguments(completeCommand("serve", serveCommand), argv));

it("gives the service what it takes by itself where nothing is set", () => {
  expect(settingsOf()).toMatchObject({
    host: "127.0.0.1",
    port: 8080,
    burst: { perSecond: 50, burst: 100 },
    charging: { retentionMs: 86_400_000, unchargedLimit: DEFAULT_CHARGING.unchargedLimit },
    holdings: DEFAULT_HOLDING_LIMITS,
    unknownKeys: DEFAULT_UNKNOWN_KEYS,
    live: DEFAULT_LIVE_LIMITS,
    rasters: { rasterBytes: 64 << 20, tileBytes: 64 << 20 },
    admission: DEFAULT_ADMISSION,
    outbox: DEFAULT_OUTBOX,
    jobs: { atOnce: 2, underWay: 4 },
    drainDelayMs: 3_000,
    stopTimeoutMs: 7_000,
    logsRequests: true,
    corsOrigins: [],
  });
});

it("gives it each setting in the unit that it takes", () => {
  const set = settingsOf(
    ...["--rate-limit", "0.5", "--burst", "3", "--replay-ttl", "60", "--workers", "7"],
    ...["--requests-in-progress", "10", "--requests-waiting", "0", "--request-wait-seconds", "0.5"],
    ...["--large-bodies-mib", "20", "--large-bodies-of-organization-mib", "5", "--unread-answers-mib", "64"],
    ...["--drain-delay-seconds", "0.1", "--drain-timeout-seconds", "0", "--log", "notes"],
    ...["--uncharged-answers", "0", "--unknown-keys-per-second", "7", "--jobs-held-mib", "64"],
    ...["--rulesets-held-mib", "1", "--ruleset-names", "5", "--ruleset-versions", "6"],
    ...["--live-questions-waiting", "4", "--raster-memory-mib", "0", "--raster-tiles-mib", "8"],
    ...["--work-of-organization-seconds", "0.5", "--jobs-at-once", "0", "--job-plots-at-once", "1"],
    ...["--cors-origins", "https://app.example.com, http://localhost:5173,https://app.example.com"],
  );
  const bodies = { ...DEFAULT_ADMISSION.bodies, bytes: 20 << 20, bytesOfOrganization: 5 << 20 };
  expect(set).toMatchObject({
    workers: 7,
    burst: { perSecond: 0.5, burst: 3 },
    charging: { retentionMs: 60_000, unchargedLimit: 0 },
    holdings: { job_bytes: 64 << 20, ruleset_bytes: 1 << 20, ruleset_names: 5, ruleset_versions: 6 },
    unknownKeys: 7,
    rasters: { rasterBytes: 0, tileBytes: 8 << 20 },
    live: { waitingOfLane: 4, waitMs: 500 },
    admission: {
      places: 10,
      placesOfOrganization: 8,
      workMsOfOrganization: 500,
      waiting: 0,
      waitMs: 500,
      bodies,
    },
    outbox: { ...DEFAULT_OUTBOX, bytes: 64 << 20 },
    jobs: { atOnce: 0, underWay: 1 },
    drainDelayMs: 100,
    stopTimeoutMs: 0,
    logsRequests: false,
    corsOrigins: ["https://app.example.com", "http://localhost:5173"],
  });
});

it.each([
  ["*", 'found "*" in --cors-origins, expected exact origins without *, such as https://app.example.com'],
  ["https://a.example,", 'found "" in --cors-origins, expected an origin such as https://app.example.com'],
  ["https://a.example https://b.example", "expected an origin such as"],
  [
    "https://a.example,https://App.example.com/",
    'found "https://App.example.com/" in --cors-origins, expected it as browsers send it: https://app.example.com',
  ],
])("refuses origins that no browser sends: %j", (value, expected) => {
  expect(() => settingsOf("--cors-origins", value)).toThrow(expected);
});

it.each([
  [
    "--requests-of-organization",
    "11",
    ["--requests-in-progress", "10"],
    "expected at most 10, which is requests_in_progress",
  ],
  ["--large-bodies-of-organization-mib", "65", [], "expected at most 64, which is large_bodies_mib"],
] as const)("refuses a part that is larger than its whole: %s %s", (option, value, whole, expected) => {
  expect(() => settingsOf(option, value, ...whole)).toThrow(`found ${option} "${value}", ${expected}`);
});

it("takes a base map of raster tiles or of a style, and not both", () => {
  const style = ["--console-style", "https://maps.example/land.json"];
  const tiles = ["--console-tiles", "https://tiles.example/{z}/{x}/{y}.png"];
  const whose = ["--console-tiles-attribution", "Somebody"];
  expect(settingsOf(...style, ...whose)).toMatchObject({
    consoleStyle: { url: "https://maps.example/land.json", attribution: "Somebody" },
    consoleTiles: undefined,
  });
  expect(() => settingsOf("--console-style", "land.json")).toThrow(
    'found --console-style "land.json", expected an http or https URL of a style',
  );
  expect(() => settingsOf(...style, ...tiles)).toThrow(
    "--console-style cannot be combined with --console-tiles",
  );
});
