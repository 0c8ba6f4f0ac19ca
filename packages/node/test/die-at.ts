import { CHANGES } from "./changes-to-crash.ts";
import { crashAt } from "./crash-at.ts";

// Makes a change to a data folder and kills itself at a step of it; ends by itself where it comes to no such step.
const [, , dir, change, step] = process.argv;
crashAt(Number(step), () => {
  process.kill(process.pid, "SIGKILL");
  throw new Error("killed");
});
await CHANGES[change!]!(dir!);
