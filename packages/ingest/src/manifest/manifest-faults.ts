import type { Fault, SourceManifest } from "@groundrule/engine";
import { checkShape, isCountryIso3, sourceManifestShape } from "@groundrule/engine/internal";
import { escapePointerToken } from "@groundrule/engine/internal/json";
import { IngestError } from "../ingest-error.ts";
import { listCellsFaults } from "./cells-faults.ts";
import { compileDateFormat } from "./date-format.ts";

/** A value that should be a manifest, and its faults: of its shape, or members that contradict each other. */
export function checkManifest(value: unknown): { manifest?: SourceManifest; faults: readonly Fault[] } {
  const checked = checkShape(sourceManifestShape, value, { exact: true });
  if (checked.faults !== undefined) return { faults: checked.faults.map(toShapeFault) };
  return { manifest: checked.value, faults: listContradictions(checked.value) };
}

/** The error that lists these faults, of which there is at least one. */
export function manifestInvalidError(faults: readonly Fault[]): IngestError {
  const more = faults.length > 1 ? ` (and ${faults.length - 1} more)` : "";
  const first = faults[0]!;
  return new IngestError("MANIFEST_INVALID", `manifest, ${first.pointer || "/"}: ${first.message}${more}`, {
    faults,
  });
}

/** Every fault of a known member has one code. */
export function toShapeFault({ pointer, code, message }: Fault): Fault {
  return { pointer, code: code === "MEMBER_UNKNOWN" ? code : "MEMBER_INVALID", message };
}

const OF_AREAS = ["country", "country_iso3", "coverage", "crs", "cells"] as const;
const OF_REGISTERS = ["value", "scheme", "scheme_from", "schemes", "scheme_country"] as const;

/** Faults that no member has on its own. */
function listContradictions(manifest: SourceManifest): Fault[] {
  const faults: Fault[] = [];
  const fault = (member: keyof SourceManifest, code: string, message: string, column = ""): void => {
    faults.push({ pointer: `/${member}${column && `/${escapePointerToken(column)}`}`, code, message });
  };
  const foreign = manifest.kind === "leaf" ? OF_REGISTERS : OF_AREAS;
  for (const member of foreign) {
    if (manifest[member] === undefined) continue;
    const belongs =
      manifest.kind === "leaf" ? "registers, but this is a source of areas" : "areas, but this is a register";
    fault(member, "MEMBER_FOREIGN", `"${member}" is for ${belongs}`);
  }
  if (manifest.kind === "subject_register") reportRegisterFaults(manifest, fault);
  if (manifest.cells !== undefined)
    for (const each of listCellsFaults(manifest, manifest.cells)) faults.push(each);
  if (manifest.groups?.includes(manifest.source_name)) {
    fault(
      "groups",
      "GROUP_IS_SOURCE",
      `a group cannot have the source's own name, "${manifest.source_name}"`,
    );
  }
  if (manifest.country_iso3 !== undefined && !isCountryIso3(manifest.country_iso3)) {
    fault(
      "country_iso3",
      "COUNTRY_UNKNOWN",
      `found "${manifest.country_iso3}", expected an ISO 3166-1 alpha-3 code`,
    );
  }
  if (Array.isArray(manifest.coverage)) {
    for (const [i, code] of manifest.coverage.entries()) {
      if (isCountryIso3(code)) continue;
      const message = `found "${code}", expected an ISO 3166-1 alpha-3 code`;
      faults.push({ pointer: `/coverage/${i}`, code: "COUNTRY_UNKNOWN", message });
    }
  }
  for (const [column, format] of Object.entries(manifest.date_formats ?? {})) {
    const type = new Map(Object.entries(manifest.columns ?? {})).get(column);
    if (type !== undefined && type !== "date") {
      fault(
        "date_formats",
        "COLUMN_NOT_DATE",
        `column "${column}" has a date format, but its declared type is ${type}`,
        column,
      );
    }
    try {
      compileDateFormat(format);
    } catch (error) {
      if (!(error instanceof IngestError)) throw error;
      fault("date_formats", "DATE_FORMAT_INVALID", error.message, column);
    }
  }
  return faults;
}

function reportRegisterFaults(
  manifest: SourceManifest,
  fault: (member: keyof SourceManifest, code: string, message: string) => void,
): void {
  const { value, scheme, scheme_from, schemes, scheme_country } = manifest;
  if (value === undefined) {
    fault("value", "MEMBER_MISSING", `a register needs "value", the column of its identifiers`);
  }
  if ((scheme === undefined) === (scheme_from === undefined)) {
    const found = scheme === undefined ? "neither" : "both";
    fault("scheme", "SCHEME_AMBIGUOUS", `found ${found} of "scheme" and "scheme_from", expected one of them`);
  }
  if (scheme_from === undefined && schemes !== undefined) {
    fault("schemes", "MEMBER_FOREIGN", `found "schemes" without "scheme_from", expected both`);
  }
  const byCountry = Object.keys(schemes ?? {}).find((name) => typeof schemes?.[name] === "object");
  if (byCountry !== undefined && scheme_country === undefined) {
    const message = `"schemes" maps "${byCountry}" by country; name the column of the countries in "scheme_country"`;
    fault("scheme_country", "MEMBER_MISSING", message);
  }
  if (byCountry === undefined && scheme_country !== undefined) {
    const message = `found "scheme_country", but "schemes" maps no type name by country`;
    fault("scheme_country", "MEMBER_FOREIGN", message);
  }
}
