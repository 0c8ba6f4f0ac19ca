/**
 * Runs a command beside busy processes, and exits with its exit code:
 *
 *     node tools/busy.ts 20 vitest run --project quick
 *
 * They only take CPU, at the same priority as the command. A test that passes beside them does not depend on
 * how long anything takes.
 */
import { spawn } from "node:child_process";

const [count, program, ...args] = process.argv.slice(2);
if (!Number.isInteger(Number(count)) || program === undefined) {
  console.error("usage: node tools/busy.ts COUNT COMMAND [ARGUMENT]…");
  process.exit(2);
}
// A loop is not told when its parent ends and would run for ever, so it checks whether the parent still exists.
const LOOP = `for (let turns = 0; ; turns++) if (turns % 1e8 === 0) process.kill(${process.pid}, 0);`;
const loops = Array.from({ length: Number(count) }, () => {
  return spawn(process.execPath, ["-e", LOOP], { stdio: "ignore" });
});
const end = (): void => {
  for (const loop of loops) loop.kill("SIGKILL");
};
process.on("exit", end);
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => command.kill(signal));
const command = spawn(program, args, { stdio: "inherit" });
command.on("error", (error) => {
  console.error(`cannot start ${program}: ${error.message}`);
  process.exit(127);
});
command.on("exit", (code, signal) => {
  console.log(`(ran beside ${count} busy process${count === "1" ? "" : "es"})`);
  process.exit(signal === null ? (code ?? 1) : 1);
});
