import { StatementSync } from "node:sqlite";

/** SQLite's counters of a statement: instructions of its program, a few for each row that it visits. */
interface Counting {
  stat(counter: "vmStep"): number;
  resetStats(): void;
}

/** The dearest statement of this thread while something is done, and what it took. */
export async function findDearestStatement(
  action: () => Promise<unknown>,
): Promise<{ readonly steps: number; readonly text: string }> {
  const { all } = StatementSync.prototype;
  let dearest = { steps: 0, text: "" };
  StatementSync.prototype.all = function (this: StatementSync & Counting, ...values) {
    this.resetStats();
    const found = Reflect.apply(all, this, values);
    const steps = this.stat("vmStep");
    if (steps > dearest.steps) dearest = { steps, text: this.sourceSQL };
    return found;
  } as StatementSync["all"];
  try {
    await action();
  } finally {
    StatementSync.prototype.all = all;
  }
  return dearest;
}
