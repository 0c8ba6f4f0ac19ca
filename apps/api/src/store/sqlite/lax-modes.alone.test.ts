import { afterEach, describe, expect, it, vi } from "vitest";
import { assertPrivate } from "./lax-modes.ts";

afterEach(() => {
  vi.restoreAllMocks();
});

const SERVICE = 1000;

// The tests may run as root, who owns and may read everything, so the user id is replaced here.
describe.skipIf(process.platform === "win32")("the mode of a secret's file", () => {
  it.each<[string, number, number, number, string | undefined]>([
    ["its owner's alone", SERVICE, SERVICE, 0o600, undefined],
    ["its owner's to read", SERVICE, SERVICE, 0o400, undefined],
    [
      "its group's too",
      SERVICE,
      SERVICE,
      0o440,
      "found mode 440 on /f, which contains it, expected 600; run chmod 600 /f",
    ],
    ["everybody's", SERVICE, SERVICE, 0o604, "found mode 604"],
    [
      "its group's to write",
      SERVICE,
      SERVICE,
      0o620,
      "found mode 620 on /f, which contains it, expected 600",
    ],
    ["handed in by root, for a group", SERVICE, 0, 0o440, undefined],
    [
      "handed in by root, for a group to write",
      SERVICE,
      0,
      0o460,
      "found mode 460 on /f, which contains it, expected 440",
    ],
    ["handed in by root, for everybody", SERVICE, 0, 0o444, "expected 440; run chmod 440 /f"],
    ["of another user, for a group", SERVICE, 1001, 0o440, "expected 600"],
    ["root's own, for a group, and the process is root", 0, 0, 0o440, "expected 600"],
  ])("is taken or refused where it is %s", (_what, user, uid, mode, refusal) => {
    vi.spyOn(process, "geteuid").mockReturnValue(user);
    const check = () => assertPrivate("/f", { mode: 0o100_000 | mode, uid }, "it");
    if (refusal === undefined) expect(check).not.toThrow();
    else expect(check).toThrow(refusal);
  });
});
