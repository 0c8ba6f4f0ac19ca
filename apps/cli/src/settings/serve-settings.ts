import {
  type ConsoleStyle,
  type ConsoleTiles,
  DEFAULT_ADMISSION,
  DEFAULT_OUTBOX,
  originFault,
  type ServeOptions,
} from "@groundrule/api";
import type { LiveLimits, OpenDataOptions } from "@groundrule/node";
import { type Arguments, UsageError } from "../command-line/arguments.ts";
import { getEffectiveNumber } from "./effective-setting.ts";
import { findTextSetting, getNumberSetting, getTextSetting } from "./read-setting.ts";
import { SETTINGS, type SettingName } from "./settings.ts";

const MEBIBYTE = 1024 * 1024;

/** Settings of the service, apart from the data and the state. */
export type ServeSettings = Required<
  Pick<
    ServeOptions,
    | "host"
    | "port"
    | "burst"
    | "admission"
    | "outbox"
    | "charging"
    | "holdings"
    | "unknownKeys"
    | "jobs"
    | "drainDelayMs"
    | "stopTimeoutMs"
    | "corsOrigins"
  >
> & {
  readonly workers: number;
  readonly live: LiveLimits;
  /** True if each request is logged. */
  readonly logsRequests: boolean;
  /** True if the web page is served. */
  readonly rasters: Required<Pick<OpenDataOptions, "rasterBytes" | "tileBytes">>;
  readonly servesConsole: boolean;
  readonly consoleTiles: ConsoleTiles | undefined;
  readonly consoleStyle: ConsoleStyle | undefined;
};

/**
 * The settings of the service for a call.
 *
 * Fails: {@link UsageError} for a value outside of its range, or a part larger than its whole.
 */
export function readServeSettings(args: Arguments): ServeSettings {
  const places = getNumberSetting(args, "requests_in_progress");
  const bodies = getNumberSetting(args, "large_bodies_mib");
  return {
    host: getTextSetting(args, "host"),
    port: getNumberSetting(args, "port"),
    workers: getEffectiveNumber(args, "workers"),
    live: {
      waitingOfLane: getNumberSetting(args, "live_questions_waiting"),
      waitMs: getNumberSetting(args, "request_wait_seconds") * 1_000,
    },
    burst: { perSecond: getNumberSetting(args, "rate_limit"), burst: getNumberSetting(args, "burst") },
    charging: {
      retentionMs: getNumberSetting(args, "replay_ttl") * 1_000,
      unchargedLimit: getNumberSetting(args, "uncharged_answers"),
    },
    holdings: {
      job_bytes: getNumberSetting(args, "jobs_held_mib") * MEBIBYTE,
      ruleset_bytes: getNumberSetting(args, "rulesets_held_mib") * MEBIBYTE,
      ruleset_names: getNumberSetting(args, "ruleset_names"),
      ruleset_versions: getNumberSetting(args, "ruleset_versions"),
    },
    unknownKeys: getNumberSetting(args, "unknown_keys_per_second"),
    rasters: {
      rasterBytes: getNumberSetting(args, "raster_memory_mib") * MEBIBYTE,
      tileBytes: getNumberSetting(args, "raster_tiles_mib") * MEBIBYTE,
    },
    admission: {
      ...DEFAULT_ADMISSION,
      places,
      placesOfOrganization: readLimitedNumber(args, "requests_of_organization", "requests_in_progress"),
      workMsOfOrganization: getNumberSetting(args, "work_of_organization_seconds") * 1_000,
      waiting: getNumberSetting(args, "requests_waiting"),
      waitMs: getNumberSetting(args, "request_wait_seconds") * 1_000,
      bodies: {
        ...DEFAULT_ADMISSION.bodies,
        bytes: bodies * MEBIBYTE,
        bytesOfOrganization:
          readLimitedNumber(args, "large_bodies_of_organization_mib", "large_bodies_mib") * MEBIBYTE,
      },
    },
    outbox: { ...DEFAULT_OUTBOX, bytes: getNumberSetting(args, "unread_answers_mib") * MEBIBYTE },
    jobs: {
      atOnce: getNumberSetting(args, "jobs_at_once"),
      underWay: getNumberSetting(args, "job_plots_at_once"),
    },
    drainDelayMs: getNumberSetting(args, "drain_delay_seconds") * 1_000,
    stopTimeoutMs: getNumberSetting(args, "drain_timeout_seconds") * 1_000,
    corsOrigins: readCorsOrigins(args),
    logsRequests: getTextSetting(args, "log") === "requests",
    servesConsole: getTextSetting(args, "console") === "on",
    consoleTiles: readConsoleTiles(args),
    consoleStyle: readConsoleStyle(args),
  };
}

function readCorsOrigins(args: Arguments): readonly string[] {
  const origins = (findTextSetting(args, "cors_origins") ?? "").split(",").map((each) => each.trim());
  if (origins.length === 1 && origins[0] === "") return [];
  for (const origin of origins) {
    const fault = originFault(origin);
    if (fault === undefined) continue;
    throw new UsageError(
      `found "${origin}" in ${args.placeOf(SETTINGS.cors_origins.option)}, expected ${fault}`,
    );
  }
  return [...new Set(origins)];
}

function readConsoleTiles(args: Arguments): ConsoleTiles | undefined {
  const url = findTextSetting(args, "console_tiles");
  const attribution = findTextSetting(args, "console_tiles_attribution") ?? "";
  if (url === undefined) return undefined;
  if (isWebAddress(url) && ["{z}", "{x}", "{y}"].every((part) => url.includes(part)))
    return { url, attribution };
  throw new UsageError(
    `found ${args.placeOf(SETTINGS.console_tiles.option)} "${url}", expected an http or https URL with {z}, {x} and {y}`,
  );
}

function readConsoleStyle(args: Arguments): ConsoleStyle | undefined {
  const url = findTextSetting(args, "console_style");
  if (url === undefined) return undefined;
  const place = args.placeOf(SETTINGS.console_style.option);
  if (!isWebAddress(url))
    throw new UsageError(`found ${place} "${url}", expected an http or https URL of a style`);
  if (findTextSetting(args, "console_tiles") !== undefined) {
    throw new UsageError(
      `${place} cannot be combined with ${args.placeOf(SETTINGS.console_tiles.option)}: each sets the base map`,
    );
  }
  return { url, attribution: findTextSetting(args, "console_tiles_attribution") ?? "" };
}

function isWebAddress(url: string): boolean {
  return URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
}

function readLimitedNumber(args: Arguments, name: SettingName, whole: SettingName): number {
  const part = getEffectiveNumber(args, name);
  const most = getNumberSetting(args, whole);
  if (part <= most) return part;
  throw new UsageError(
    `found ${args.placeOf(SETTINGS[name].option)} "${part}", expected at most ${most}, which is ${whole}`,
  );
}
