import { describe, expect, it } from "vitest";
import { notice, runSaveTask } from "./notice.ts";

describe("a file that is saved", () => {
  it("is reported where it fails, at once or later, and no more once another is saved", async () => {
    for (const save of [
      () => {
        throw new Error("no room");
      },
      async () => Promise.reject(new Error("no room")),
    ]) {
      runSaveTask(save);
      await expect.poll(() => notice.value).toBe("This could not be saved: no room");
    }
    runSaveTask(() => {});
    expect(notice.value).toBeUndefined();
  });
});
