import type { PageWords } from "@groundrule/words";
import type { OpenedFile } from "../protocol.ts";

/** The reason why a file is not open, in the page's language; the engine's own English message follows. */
export function describeFileFailure(
  { code = "", message, source_name: source = "" }: OpenedFile,
  say: PageWords,
): string {
  const own: Readonly<Record<string, string>> = {
    SNAPSHOT_CORRUPT: say.hereCorrupt,
    SNAPSHOT_VERSION_UNSUPPORTED: say.hereOtherVersion,
    FILE_UNREADABLE: say.hereUnreadable,
    OTHER_EDITION: say.hereOtherEdition(source),
    SAME_EDITION: say.hereSameEdition(source),
    EDITION_NOT_CURRENT: say.hereNotCurrent,
    EDITION_MISSING: say.hereMissing,
    SECOND_CATALOG: say.hereSecondCatalog,
    NO_RULESET: say.hereNoRuleset,
    GROUP_INVALID: say.hereGroup(source),
  };
  return [own[code], message].filter((text) => text !== undefined).join(" ");
}
