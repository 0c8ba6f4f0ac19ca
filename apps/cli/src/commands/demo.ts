import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { buildDemo, type DemoFolder } from "@groundrule/data/demo";
import type { Command } from "../command.ts";
import { dataFolder } from "../data-folder.ts";
import { EXIT } from "../exit-code.ts";
import { decimal } from "../format.ts";
import { SERVE_OPTIONS, serveData } from "../serve-data.ts";
import { printable } from "../terminal.ts";

export const demoCommand: Command = {
  path: "demo",
  summary: "Build fictional demo data, serve it, and show what to ask",
  operands: "",
  operandCount: [0, 0],
  options: [
    ...SERVE_OPTIONS,
    { name: "build-only", help: "build the data and stop there" },
    { name: "once", help: "ask the questions, print the answers, and stop" },
  ],
  details: [
    "The data is generated from a seed and goes the way of real data: source files, checked and built into snapshots. Plots, the ruleset and the questions are written to the folder demo of the data folder.",
  ],
  async run(args, terminal) {
    const dir = dataFolder(args);
    const demo = await buildDemo(dir, ({ source_name, stored, repaired }) => {
      const mended = repaired.length === 0 ? "" : `, ${decimal(repaired.length, 0)} of them repaired`;
      terminal.note(`built ${source_name}: ${decimal(stored, 0)}${mended}`);
    });
    const questions = writeQuestions(join(dir, "demo"), demo);
    if (args.flag("build-only")) return EXIT.done;

    const server = await serveData(dir, args, terminal);
    if (!args.flag("once")) {
      await terminal.print("");
      for (const { path, file } of questions) {
        await terminal.print(
          `curl -s ${server.url}${path} -H 'authorization: Bearer ${server.key}' \\\n  -H 'content-type: application/json' -d @${file}`,
        );
      }
      await server.stopped;
      return EXIT.done;
    }
    let answered = 0;
    for (const { path, body } of questions) {
      const response = await fetch(`${server.url}${path}`, {
        method: "POST",
        headers: { authorization: `Bearer ${server.key}`, "content-type": "application/json" },
        body,
      });
      const text = await response.text();
      await terminal.print(`POST ${path} ${response.status}\n${printable(text)}`);
      if (response.ok) answered++;
    }
    await server.stop();
    await server.stopped;
    return answered === questions.length ? EXIT.done : EXIT.unavailable;
  },
};

interface Question {
  readonly path: string;
  readonly body: string;
  readonly file: string;
}

/** Three questions about the first plot, whose owner is listed, and the files to ask more from. */
function writeQuestions(folder: string, { plots, ruleset }: DemoFolder): Question[] {
  const plot = plots[0];
  if (plot === undefined) throw new Error("the demo has no plots");
  const { geometry } = plot;
  const scheme: unknown = plot.properties?.scheme;
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, "plots.geojson"),
    JSON.stringify({ type: "FeatureCollection", features: plots }),
  );
  writeFileSync(join(folder, "ruleset.json"), JSON.stringify(ruleset, undefined, 2));
  const bodies = {
    evaluate: { input: { geometry, scheme }, ruleset },
    intersections: { input: { geometry } },
    subjects: { input: { scheme: withoutRole(scheme) } },
  };
  return Object.entries(bodies).map(([name, value]) => {
    const body = JSON.stringify(value);
    const file = join(folder, `${name}.json`);
    writeFileSync(file, body);
    return { path: `/v1/${name}`, body, file };
  });
}

/** A look-up asks about an identifier, not about what its bearer does. */
function withoutRole(scheme: unknown): unknown {
  const { type, value } = scheme as { readonly type: string; readonly value: string };
  return { type, value };
}
