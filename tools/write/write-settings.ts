// Writes the table of settings of docs/guides/settings.md from the code: `npm run tool -- write-settings`.
import { readFileSync, writeFileSync } from "node:fs";
import { withSettingsTable } from "../../apps/cli/test/settings-table.ts";

const page = new URL("../../docs/guides/settings.md", import.meta.url);
writeFileSync(page, withSettingsTable(readFileSync(page, "utf8")));
