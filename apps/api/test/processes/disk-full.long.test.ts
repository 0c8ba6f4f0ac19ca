import { expect, it } from "vitest";
import { withTemporaryFolder } from "../temporary-folder.ts";
import { fillDisk, fillIdleDisk } from "./disk-full.ts";

const NEEDS_ROOT = "needs root, to mount a small disk";

it("T-11: a full disk refuses charges whole, goes on answering, and charges again once there is room", async ({
  skip,
}) => {
  const report = await withTemporaryFolder((dir) => fillDisk(dir, 1_500));
  if (report === undefined) return skip(NEEDS_ROOT);
  expect(report.charged).toBeGreaterThan(0);
  expect(report.refused).toBeGreaterThan(0);
  expect(report.chargedAfterwards).toBe(30);
  expect(report.trouble).toMatch(/full/);
});

it("T-11: a disk that fills up while nobody is charged makes the service unready, until there is room", async ({
  skip,
}) => {
  const trouble = await withTemporaryFolder(fillIdleDisk);
  if (trouble === undefined) return skip(NEEDS_ROOT);
  expect(trouble).toMatch(/full/);
});
