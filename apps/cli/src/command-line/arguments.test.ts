import { describe, expect, it } from "vitest";
import { distanceCommand } from "../commands/questions/distance.ts";
import { sourcesGroupCommand } from "../commands/sources/stored-sources.ts";
import { parseArguments } from "./arguments.ts";
import { type Command, completeCommand } from "./command.ts";

const parse = (argv: string[], command: Command = distanceCommand) =>
  parseArguments(completeCommand("distance", command), argv);

describe("parseArguments", () => {
  it("reads values, repeated options and operands in any order", () => {
    const args = parse(["plots.json", "--source=a", "--max-distance-m", "1e3", "--source", "b", "--json"]);
    expect(args.operands).toEqual(["plots.json"]);
    expect(args.all("source")).toEqual(["a", "b"]);
    expect(args.findNumber("max-distance-m")).toBe(1000);
    expect(args.flag("json")).toBe(true);
    expect(args.find("country")).toBeUndefined();
  });

  it.each([
    [["--max-distance", "5"], "unknown option --max-distance; did you mean --max-distance-m?"],
    [["--sorce", "a"], "unknown option --sorce; did you mean --source?"],
    [["-x"], "unknown option -x"],
    [[], "--max-distance-m N is required"],
    [["--max-distance-m"], "--max-distance-m needs a value: --max-distance-m N"],
    [["--max-distance-m", "--json"], "--max-distance-m needs a value: --max-distance-m N"],
    [["--max-distance-m", "1", "--max-distance-m", "2"], "found --max-distance-m twice, expected it once"],
    [["--max-distance-m", "1", "--json=yes"], "--json is a flag and takes no value"],
    [["--max-distance-m", "1", "a", "b"], 'unexpected operand "b", expected only [FILE]'],
    [["a", "b"], "--max-distance-m N is required; did you mean --max-distance-m a?"],
  ])("refuses %j with a sentence that helps", (argv, message) => {
    expect(() => parse(argv)).toThrow(expect.objectContaining({ name: "UsageError", message }));
  });

  it("takes --help however incomplete the rest is", () => {
    expect(parse(["--help"]).flag("help")).toBe(true);
    expect(parse(["-h"]).flag("help")).toBe(true);
    expect(parse(["--help"], sourcesGroupCommand).flag("help")).toBe(true);
  });

  it("takes what follows -- as operands", () => {
    expect(parse(["--max-distance-m", "1", "--", "--odd name"]).operands).toEqual(["--odd name"]);
  });

  it.each(["", "x", "1x", "0x10", "Infinity", "NaN", "-1", "1e999", "١"])(
    "takes %j for no number",
    (text) => {
      expect(() => parse([`--max-distance-m=${text}`]).findNumber("max-distance-m")).toThrow();
    },
  );
});
