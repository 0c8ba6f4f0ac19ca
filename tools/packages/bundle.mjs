import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { rolldown } from "rolldown";

/** Code that runs as a program of its own, found by its file's name. */
const WORKER = /-worker\.js$/;

/**
 * Puts the modules of a built package into a few files: a start spends more time on finding and opening hundreds of
 * small ones than on their code. What others name stays where it is, every module is in one file only, and types
 * are left as they are.
 *
 * @param folder of the package
 * @param outDir where its code was built, from there
 * @param rootDir where it was built from
 */
export async function bundlePackage(folder, outDir, rootDir) {
  const dist = join(folder, outDir);
  const { publishConfig } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const named = [
    ...Object.values(publishConfig.exports ?? {}).flatMap((entry) => entry.default ?? []),
    ...Object.values(publishConfig.bin ?? {}),
    ...Object.values(publishConfig.imports ?? {}).flatMap(Object.values),
  ].map((path) => path.slice(`./${outDir}/`.length));
  const built = listCodeFiles(dist);
  const inputs = [...named, ...built.filter((path) => WORKER.test(path))];
  const bundle = await rolldown({
    input: Object.fromEntries(
      inputs.map((path) => [path.replace(/\.js$/, ""), join(folder, rootDir, path.replace(/\.js$/, ".ts"))]),
    ),
    platform: "node",
    external: (name) => !name.startsWith(".") && !name.startsWith("/"),
    transform: { target: "es2024" },
    logLevel: "silent",
  });
  for (const path of built) for (const file of [path, `${path}.map`]) rmSync(join(dist, file));
  await bundle.write({ dir: dist, format: "esm", chunkFileNames: "[name]-[hash].js", sourcemap: true });
  await bundle.close();
}

function listCodeFiles(dist) {
  return readdirSync(dist, { recursive: true }).filter((path) => path.endsWith(".js"));
}
