import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { installPythonPackages } from "@groundrule/testing/python-packages";

const PACKAGES = ["exactextract==0.3.0", "rasterstats==0.21.0", "rasterio==1.4.4"];

/** Asks the peers in Python, one process a task; undefined where there is no Python with pip, or no wheels for it. */
export function startPythonPeers(): ((task: object) => unknown) | undefined {
  const folder = installPythonPackages("rasters-0.3.0", ...PACKAGES);
  if (folder === undefined) return undefined;
  return (task) => {
    const { stdout, stderr, status } = spawnSync("python3", [join(import.meta.dirname, "peers.py")], {
      input: `${JSON.stringify(task)}\n`,
      encoding: "utf8",
      maxBuffer: 2 ** 30,
      env: { ...process.env, PYTHONPATH: folder },
    });
    if (status !== 0) throw new Error(stderr);
    return JSON.parse(stdout);
  };
}
