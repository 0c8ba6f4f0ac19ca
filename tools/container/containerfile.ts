/** A line of a Containerfile: `RUN npm ci` is the instruction RUN with the text `npm ci`. */
export interface Instruction {
  readonly name: string;
  /** What follows the flags, on one line. */
  readonly text: string;
  /** `--from=build` is the flag `from` with the value `build`. */
  readonly flags: ReadonlyMap<string, string>;
}

/** A stage: what follows one FROM, up to the next. */
export interface Stage {
  /** As other stages name it; absent: its number only. */
  readonly name?: string | undefined;
  readonly image: string;
  readonly instructions: readonly Instruction[];
}

/**
 * The stages of a Containerfile; arguments before the first are those of images.
 *
 * Fails: an `Error` for what is no instruction, or stands before any FROM and is no ARG.
 */
export function parseContainerfile(text: string): Stage[] {
  const stages: (Stage & { instructions: Instruction[] })[] = [];
  const lines = text.replaceAll(/^\s*#.*\n/gm, "").replaceAll(/\\\n\s*/g, " ");
  for (const line of lines.split("\n").filter((each) => each.trim() !== "")) {
    const instruction = parseInstruction(line);
    if (instruction.name === "FROM") {
      const [image = "", as, name] = instruction.text.split(/\s+/);
      stages.push({ image, name: as?.toUpperCase() === "AS" ? name : undefined, instructions: [] });
      continue;
    }
    const stage = stages.at(-1);
    if (stage === undefined && instruction.name === "ARG") continue;
    if (stage === undefined) throw new Error(`found ${line} before any FROM`);
    stage.instructions.push(instruction);
  }
  return stages;
}

function parseInstruction(line: string): Instruction {
  const [, name, rest] = /^([A-Z]+) +(\S.*)$/.exec(line.trimEnd()) ?? [];
  if (name === undefined || rest === undefined) throw new Error(`found ${line}, expected an instruction`);
  const words = rest.split(" ");
  const count = words.findIndex((word) => !word.startsWith("--"));
  const flags = words.slice(0, count).map((word) => {
    const [flag = "", value = ""] = word.slice(2).split("=");
    return [flag, value] as const;
  });
  return { name, text: words.slice(count).join(" ").trim(), flags: new Map(flags) };
}
