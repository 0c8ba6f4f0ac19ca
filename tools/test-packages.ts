/**
 * Packs every published package, installs the tarballs into an empty project as a stranger would,
 * and uses them there: ESM and `require`, types resolved, the README's snippet run; on Node 22, the
 * oldest the packages promise, and on the Node that runs this.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const OLDEST_NODE = "22.13.0";
const root = join(import.meta.dirname, "..");
const packages = ["engine", "node", "ingest", "contract", "report"];
const workshop = mkdtempSync(join(tmpdir(), "groundrule-packages-"));
let failures = 0;

try {
  run(root, join(root, "node_modules/.bin/tsc"), ["-b"]);
  const tarballs = packages.map(pack);
  const project = join(workshop, "project");
  mkdirSync(project);
  writeFileSync(join(project, "package.json"), `${JSON.stringify({ private: true, type: "module" })}\n`);
  run(project, "npm", ["install", "--no-audit", "--no-fund", "--silent", ...tarballs, `node@${OLDEST_NODE}`]);

  const nodes = [
    ["Node 22", join(project, "node_modules/.bin/node")],
    ["the pinned Node", process.execPath],
  ] as const;
  writeFileSync(join(project, "snippet.mjs"), readmeSnippet());
  for (const [label, node] of nodes) {
    const version = execFileSync(node, ["--version"], { encoding: "utf8" }).trim();
    for (const name of packages) {
      const load = `@groundrule/${name}`;
      check(`${load} imports on ${label} (${version})`, () => {
        run(project, node, ["--input-type=module", "-e", `await import("${load}")`]);
      });
      check(`${load} is required on ${label} (${version})`, () => {
        run(project, node, ["--input-type=commonjs", "-e", `require("${load}")`]);
      });
    }
    check(`the README's snippet runs on ${label} (${version})`, () => {
      const data = join(workshop, "data");
      const printed = execFileSync(node, ["snippet.mjs"], {
        cwd: project,
        encoding: "utf8",
        env: { ...process.env, GROUNDRULE_DATA: demoData(data) },
      });
      if (!/COMPLIANT|WARNING/.test(printed)) throw new Error(`it printed no verdict: ${printed}`);
    });
  }
  check("the types resolve, strictly, from the packed files alone", () => {
    const imports = packages.map((name, i) => `import * as p${i} from "@groundrule/${name}";`).join("\n");
    const uses = packages.map((_, i) => `p${i}`).join(", ");
    writeFileSync(join(project, "types.ts"), `${imports}\nexport const all: object[] = [${uses}];\n`);
    writeFileSync(
      join(project, "tsconfig.json"),
      JSON.stringify({
        compilerOptions: {
          module: "nodenext",
          target: "es2024",
          strict: true,
          noEmit: true,
          types: ["node"],
        },
        files: ["types.ts"],
      }),
    );
    run(project, "npm", ["install", "--no-audit", "--no-fund", "--silent", "@types/node@26.6.6"]);
    run(project, join(root, "node_modules/.bin/tsc"), ["-p", "."]);
  });
} finally {
  rmSync(workshop, { recursive: true, force: true });
}
process.exitCode = failures === 0 ? 0 : 1;

function check(promise: string, keep: () => void): void {
  try {
    keep();
    console.log(`ok      ${promise}`);
  } catch (error) {
    failures++;
    console.log(`FAILED  ${promise}\n${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Packs one package and says what a stranger would get. */
function pack(name: string): string {
  const folder = join(root, "packages", name);
  run(folder, "npx", ["--yes", "--prefer-offline", "pnpm@12.21.0", "pack", "--pack-destination", workshop]);
  const tarball = readdirSync(workshop).find((file) => file.startsWith(`groundrule-${name}-`));
  if (tarball === undefined) throw new Error(`packing ${name} left no tarball`);
  return join(workshop, tarball);
}

/** The README's first TypeScript block: what a newcomer copies. */
function readmeSnippet(): string {
  const found = /```(?:ts|js)\n([\s\S]*?)```/.exec(readFileSync(join(root, "README.md"), "utf8"))?.[1];
  if (found === undefined) throw new Error("README.md has no ts block");
  return found;
}

function demoData(folder: string): string {
  run(root, process.execPath, ["apps/cli/src/main.ts", "demo", "--build-only", "--data", folder]);
  return folder;
}

function run(cwd: string, command: string, args: readonly string[]): void {
  execFileSync(command, args, { cwd, stdio: ["ignore", "ignore", "inherit"] });
}
