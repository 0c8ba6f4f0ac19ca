import { createHash } from "node:crypto";
import { dirname, resolve } from "node:path";
import { crc32 } from "node:zlib";
import { crsTable } from "@groundrule/crs";
import { readShape } from "@groundrule/engine/internal";
import { buildSnapshot, parseSource, type Source } from "@groundrule/ingest";
import { connectLiveSource, type ProviderConfig } from "@groundrule/node";
import { isConnection, parseAddressPassword, providerShape } from "@groundrule/node/internal";
import { type CheckedTable, checkPostgis } from "@groundrule/postgis";
import type { Command } from "../../command-line/command.ts";
import { defineOption } from "../../command-line/command-line.ts";
import { EXIT } from "../../command-line/exit-code.ts";
import { ALLOW_OPTION, readAllowedGuards } from "../../data/allow-option.ts";
import { getDataFolder } from "../../data/data-folder.ts";
import { InputFileError, readInputBytes, readJsonFile } from "../../files/input-file.ts";
import { type Terminal, toPrintable } from "../../terminal/terminal.ts";
import { noteSourceChanges } from "../../words/change-lines.ts";
import { figures } from "../../words/figures.ts";

export const sourcesConnectCommand: Command = {
  summary: "Connect a table of PostGIS as a live source, queried for each evaluation",
  options: [
    defineOption("manifest FILE", 'JSON file of the source\'s manifest, with its member "provider"', {
      required: true,
    }),
    ALLOW_OPTION,
    defineOption("no-check", "connect it without checking in the database that the table exists"),
  ],
  details: [
    'The manifest names the column of the ids ("id") and the type of every column that rulesets and answers read ("columns"). Its member "provider" says where the table is: {"kind": "postgis", "connection": "env:NAME", "table": "public.parks", "geometry": "geom"}. The environment variable NAME holds the address, postgresql://USER:PASSWORD@HOST/DATABASE; each command that queries the source reads it, and it is stored nowhere.',
    "Connecting a source again replaces its connection, and every change is reported. If its manifest leaves a group (regrouped), or loses declared coverage or columns (narrowed), the source stays as it was and the exit code is 1; --allow names the guards to skip.",
    "A running service starts to use it within a second.",
  ],
  async run(args, terminal) {
    const path = args.get("manifest");
    const { manifest, provider } = readLiveSource(path);
    if (!isConnection((provider as Partial<ProviderConfig>).connection)) {
      // Reported without the value, which may contain a password.
      throw new InputFileError(
        `"connection" of the provider in ${path} is neither "env:NAME" nor an address that begins with postgresql://`,
      );
    }
    const config = readShape(providerShape, provider, { name: "provider", pointer: "/provider" });
    const { file } = await buildSnapshot(streamEmptyCollection(), manifest, {
      sha256: () => createHash("sha256"),
      crc32,
      crs: crsTable,
      openPolygons: (named) => readInputBytes(resolve(dirname(path), named), terminal),
    });
    const checked = args.flag("no-check") ? undefined : await checkPostgis(config, file.meta.manifest);
    printConnectionWarnings(config, checked, terminal);
    const { source_name } = manifest;
    const { findings, changes } = await connectLiveSource(getDataFolder(args), file, config, {
      allow: readAllowedGuards(args),
    });
    if (findings.length > 0) {
      const messages = findings.map(({ guard, message }) => `${guard}: ${message}`);
      for (const line of messages)
        terminal.note(toPrintable(`${source_name} is not connected again: ${line}`));
      return EXIT.failOn;
    }
    noteSourceChanges(source_name, changes, terminal);
    if (args.flag("json")) await terminal.printJson({ source_name, table: config.table, ...checked });
    else await terminal.print(`connected ${source_name} to table ${config.table}${sizeInWords(checked)}`);
    return EXIT.done;
  },
};

/** Fails: `MANIFEST_INVALID`; {@link InputFileError} for members that only live sources need. */
function readLiveSource(path: string): Source & { readonly provider: object } {
  const source = parseSource(readJsonFile(path));
  const { manifest, provider } = source;
  const lack = (member: string, why: string): InputFileError =>
    new InputFileError(`${path} has no "${member}", which a live source needs: ${why}`);
  if (provider === undefined) throw lack("provider", "where its table is");
  if (manifest.kind !== "leaf") {
    throw new InputFileError(`${path} is of kind ${manifest.kind}; only areas (leaf) can be queried live`);
  }
  if (manifest.id === undefined) throw lack("id", "the column of the identifiers");
  if (manifest.columns === undefined) {
    throw lack(
      "columns",
      "the type of each column, {} for none, because no area is read before the first query",
    );
  }
  return { ...source, provider };
}

/** GeoJSON of a source without areas: enough to describe a source before it is queried. */
async function* streamEmptyCollection(): AsyncGenerator<Uint8Array, void, undefined> {
  yield new TextEncoder().encode('{"type":"FeatureCollection","features":[]}');
}

function printConnectionWarnings(
  config: ProviderConfig,
  checked: CheckedTable | undefined,
  terminal: Terminal,
): void {
  if (!config.connection.startsWith("env:") && parseAddressPassword(config.connection) !== "") {
    terminal.note(
      "warning: the manifest contains a password, and so does the catalog of the data folder now; write env:NAME as its connection instead",
    );
  }
  if (checked?.is_indexed === false) {
    terminal.note(
      `warning: column ${config.geometry} has no index, so every question reads the whole table; CREATE INDEX ON ${config.table} USING gist (${config.geometry})`,
    );
  }
}

function sizeInWords(checked: CheckedTable | undefined): string {
  if (checked?.estimated_areas === undefined) return "";
  return `, about ${figures.decimal(checked.estimated_areas, 0)} areas`;
}
