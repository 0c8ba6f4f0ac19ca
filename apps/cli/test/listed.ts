import { runGroundrule } from "./groundrule.ts";

/** The one company on the register that {@link buildListedRegister} builds. */
export const LISTED = { type: "br:cnpj", value: "11.222.333/0001-81" } as const;

/** Builds the register `demo:listed` in the data folder of a directory: the least there can be to serve. */
export async function buildListedRegister(dir: string): Promise<void> {
  const columns = ["--id", "record", "--name", "holder", "--value", "cnpj", "--scheme", LISTED.type];
  const source = ["--source", "demo:listed", "--kind", "subject_register", ...columns, "-"];
  const rows = `record,holder,cnpj\n7,Madeiras SA,${LISTED.value}\n`;
  const { code, err } = await runGroundrule(["snapshot", "build", ...source], dir, rows);
  if (code !== 0) throw new Error(err);
}
