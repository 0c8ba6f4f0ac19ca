import { CHANGES } from "./changes-to-crash.ts";
import { crashAfterSteps } from "./crash-at.ts";

// Makes a change to a data folder and kills itself at a step; ends normally if there are fewer steps.
const [, , dir, change, step] = process.argv;
crashAfterSteps(Number(step), () => {
  process.kill(process.pid, "SIGKILL");
  throw new Error("killed");
});
await CHANGES[change!]!(dir!);
