import type { Words } from "../../languages/en.ts";
import type { OpenedFile } from "../protocol.ts";

/** Why a file is not open, in the page's language; the engine's own words, which are English, come after. */
export function fileText({ code, message, source_name }: OpenedFile, say: Words): string {
  const own = ownText(code, say, source_name ?? "");
  return [own, message].filter((text) => text !== undefined).join(" ");
}

function ownText(code: string | undefined, say: Words, source: string): string | undefined {
  switch (code) {
    case "SNAPSHOT_CORRUPT":
      return say.hereCorrupt;
    case "SNAPSHOT_VERSION_UNSUPPORTED":
      return say.hereOtherVersion;
    case "FILE_UNREADABLE":
      return say.hereUnreadable;
    case "OTHER_EDITION":
      return say.hereOtherEdition(source);
    case "SAME_EDITION":
      return say.hereSameEdition(source);
    case "EDITION_NOT_CURRENT":
      return say.hereNotCurrent;
    case "EDITION_MISSING":
      return say.hereMissing;
    case "SECOND_CATALOG":
      return say.hereSecondCatalog;
    case "NO_RULESET":
      return say.hereNoRuleset;
    case "GROUP_INVALID":
      return say.hereGroup(source);
    default:
      return undefined;
  }
}
