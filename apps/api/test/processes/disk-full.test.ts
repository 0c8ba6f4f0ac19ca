import { expect, it } from "vitest";
import { withTemporaryFolder } from "../temporary-folder.ts";
import { fillDisk, fillIdleDisk } from "./disk-full.ts";

it("T-11: a full disk refuses charges whole, goes on answering, and charges again once there is room", async () => {
  const report = await withTemporaryFolder((dir) => fillDisk(dir, 1_500));
  if (report === undefined) {
    console.warn("T-11 was NOT run: this user may not mount a small disk (it runs as root)");
    return;
  }
  expect(report.charged).toBeGreaterThan(0);
  expect(report.refused).toBeGreaterThan(0);
  expect(report.chargedAfterwards).toBe(30);
  expect(report.trouble).toMatch(/full/);
});

it("T-11: a disk that fills up while nobody is charged makes the service unready, until there is room", async () => {
  const trouble = await withTemporaryFolder(fillIdleDisk);
  if (trouble === undefined) {
    console.warn("T-11 was NOT run: this user may not mount a small disk (it runs as root)");
    return;
  }
  expect(trouble).toMatch(/full/);
});
