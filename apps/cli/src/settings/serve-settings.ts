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
import { effectiveNumber } from "./effective-setting.ts";
import { findTextSetting, numberSetting, textSetting } from "./read-setting.ts";
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
export function serveSettings(args: Arguments): ServeSettings {
  const places = numberSetting(args, "requests_in_progress");
  const bodies = numberSetting(args, "large_bodies_mib");
  return {
    host: textSetting(args, "host"),
    port: numberSetting(args, "port"),
    workers: effectiveNumber(args, "workers"),
    live: {
      waitingOfLane: numberSetting(args, "live_questions_waiting"),
      waitMs: numberSetting(args, "request_wait_seconds") * 1_000,
    },
    burst: { perSecond: numberSetting(args, "rate_limit"), burst: numberSetting(args, "burst") },
    charging: {
      retentionMs: numberSetting(args, "replay_ttl") * 1_000,
      unchargedLimit: numberSetting(args, "uncharged_answers"),
    },
    holdings: {
      job_bytes: numberSetting(args, "jobs_held_mib") * MEBIBYTE,
      ruleset_bytes: numberSetting(args, "rulesets_held_mib") * MEBIBYTE,
      ruleset_names: numberSetting(args, "ruleset_names"),
      ruleset_versions: numberSetting(args, "ruleset_versions"),
    },
    unknownKeys: numberSetting(args, "unknown_keys_per_second"),
    rasters: {
      rasterBytes: numberSetting(args, "raster_memory_mib") * MEBIBYTE,
      tileBytes: numberSetting(args, "raster_tiles_mib") * MEBIBYTE,
    },
    admission: {
      ...DEFAULT_ADMISSION,
      places,
      placesOfOrganization: partOf(args, "requests_of_organization", "requests_in_progress"),
      workMsOfOrganization: numberSetting(args, "work_of_organization_seconds") * 1_000,
      waiting: numberSetting(args, "requests_waiting"),
      waitMs: numberSetting(args, "request_wait_seconds") * 1_000,
      bodies: {
        ...DEFAULT_ADMISSION.bodies,
        bytes: bodies * MEBIBYTE,
        bytesOfOrganization: partOf(args, "large_bodies_of_organization_mib", "large_bodies_mib") * MEBIBYTE,
      },
    },
    outbox: { ...DEFAULT_OUTBOX, bytes: numberSetting(args, "unread_answers_mib") * MEBIBYTE },
    jobs: {
      atOnce: numberSetting(args, "jobs_at_once"),
      underWay: numberSetting(args, "job_plots_at_once"),
    },
    drainDelayMs: numberSetting(args, "drain_delay_seconds") * 1_000,
    stopTimeoutMs: numberSetting(args, "drain_timeout_seconds") * 1_000,
    corsOrigins: corsOrigins(args),
    logsRequests: textSetting(args, "log") === "requests",
    servesConsole: textSetting(args, "console") === "on",
    consoleTiles: consoleTiles(args),
    consoleStyle: consoleStyle(args),
  };
}

function corsOrigins(args: Arguments): readonly string[] {
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

function consoleTiles(args: Arguments): ConsoleTiles | undefined {
  const url = findTextSetting(args, "console_tiles");
  const attribution = findTextSetting(args, "console_tiles_attribution") ?? "";
  if (url === undefined) return undefined;
  if (isWebAddress(url) && ["{z}", "{x}", "{y}"].every((part) => url.includes(part)))
    return { url, attribution };
  throw new UsageError(
    `found ${args.placeOf(SETTINGS.console_tiles.option)} "${url}", expected an http or https URL with {z}, {x} and {y}`,
  );
}

function consoleStyle(args: Arguments): ConsoleStyle | undefined {
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

function partOf(args: Arguments, name: SettingName, whole: SettingName): number {
  const part = effectiveNumber(args, name);
  const most = numberSetting(args, whole);
  if (part <= most) return part;
  throw new UsageError(
    `found ${args.placeOf(SETTINGS[name].option)} "${part}", expected at most ${most}, which is ${whole}`,
  );
}
