import { execFile } from "node:child_process";
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { checkPromise } from "../machine/promises.ts";
import { parseFences } from "../snippets/fences.ts";

const call = promisify(execFile);
const PAGE = "docs/guides/embed.md";

/** The oldest compiler that reads the types, as the page and the README state, and tools that the page names. */
export const EMBEDDING_TOOLS: readonly string[] = ["typescript@5.7.2", "jest@30.5.2", "esbuild@0.28.2"];

/**
 * Does what the page on embedding describes for CommonJS, Jest and bundlers, on a release of Node. What the page runs is in
 * a folder that `npm init` made: one of CommonJS.
 *
 * @param project a folder where the packages and the tools are installed
 * @param data the demo's data folder
 * @param node the program
 */
export async function tryEmbedding(
  project: string,
  data: string,
  [version, node]: readonly [version: string, node: string],
): Promise<void> {
  const fences = parseFences(PAGE, readFileSync(join(import.meta.dirname, "../..", PAGE), "utf8"));
  const findFence = (part: string): string => {
    const [text, ...others] = fences.map((fence) => fence.text).filter((each) => each.includes(part));
    if (text === undefined || others.length > 0) throw new Error(`${PAGE} has no single fence with ${part}`);
    return text;
  };
  await checkPromise(`the program in CommonJS runs on Node ${version}`, async () => {
    writeFileSync(join(project, "program.cjs"), findFence("console.log(openEngine([])"));
    const { stdout } = await call(node, ["program.cjs"], { cwd: project });
    if (stdout !== "0\n") throw new Error(`it printed ${JSON.stringify(stdout)}`);
  });
  await checkPromise(
    `the test of Jest passes with the switch on Node ${version}, and not without`,
    async () => {
      writeFileSync(join(project, "engine.test.cjs"), findFence('test("an engine'));
      const [, option] = /^NODE_OPTIONS=(\S+) npx jest$/.exec(findFence("npx jest")) ?? [];
      const jest = (...options: readonly string[]) =>
        call(node, [...options, "node_modules/jest/bin/jest.js", "engine.test.cjs"], {
          cwd: project,
        });
      await jest(option!);
      const { stderr } = await jest().then(
        () => ({ stderr: "" }),
        (error) => error,
      );
      if (!stderr.includes("without --experimental-vm-modules"))
        throw new Error(`without it, Jest ends with ${stderr}`);
    },
  );
  await checkPromise(
    `a bundle of esbuild evaluates in workers on Node ${version}, away from the packages`,
    async () => {
      writeFileSync(join(project, "app.mjs"), findFence("new EnginePool(data.current"));
      const env = { ...process.env, GROUNDRULE_DATA: data };
      const lines = findFence("npx esbuild").trim().split("\n");
      const [program, file] = lines.at(-1)!.split(" ");
      if (program !== "node") throw new Error("the last line runs no program");
      await call("sh", ["-ec", lines.slice(0, -1).join("\n")], { cwd: project });
      const away = join(project, `../bundle-${version}`);
      cpSync(join(project, "dist"), join(away, "dist"), { recursive: true });
      writeFileSync(join(away, "package.json"), '{ "type": "commonjs" }\n');
      const { stdout } = await call(node, [file!], { cwd: away, env });
      if (!/^(?:COMPLIANT|WARNING)\n$/.test(stdout)) throw new Error(`it printed ${JSON.stringify(stdout)}`);
    },
  );
}
