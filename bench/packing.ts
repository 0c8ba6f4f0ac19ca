/**
 * What it costs to pack an answer, and what the thread that speaks HTTP has of it.
 *
 *   node bench/packing.ts [--rounds N]
 *
 * Answers of several lengths, packed as the service packs them: CPU time is of the process, `thread` is how long the
 * thread that speaks HTTP was busy with it.
 */
import { parseArgs } from "node:util";
import { mulberry32 } from "@groundrule/testing/random";
import { pack } from "../apps/api/src/http/exchange/pack.ts";

const { values } = parseArgs({ options: { rounds: { type: "string", default: "5" } } });

const random = mulberry32(1);
const position = () => [Number((random() * 10).toFixed(7)), Number((random() * 10).toFixed(7))];
/** Features as an answer tells them, of about that many bytes. */
function featuresOf(bytes: number): Uint8Array {
  const features: object[] = [];
  for (let length = 0; length < bytes; ) {
    const feature = {
      type: "Feature",
      geometry: { type: "Polygon", coordinates: [Array.from({ length: 40 }, position)] },
      properties: {
        source_name: "demo:parks",
        source_id: `park-${features.length}`,
        overlap_area_m2: random() * 1e6,
      },
    };
    length += JSON.stringify(feature).length + 1;
    features.push(feature);
  }
  return Buffer.from(JSON.stringify({ type: "FeatureCollection", features }));
}

const rounds = Number(values.rounds);
for (const kibibytes of [4, 16, 17, 64, 1_024, 32 * 1_024]) {
  const answer = featuresOf(kibibytes * 1_024 - 1_024);
  const times = kibibytes < 1_024 ? rounds * 100 : rounds;
  await pack(answer);
  const cpu = process.cpuUsage();
  const started = process.threadCpuUsage();
  let packed: Uint8Array = answer;
  for (let i = 0; i < times; i++) packed = await pack(answer);
  const { user, system } = process.cpuUsage(cpu);
  const ofThread = process.threadCpuUsage(started);
  const thread = (ofThread.user + ofThread.system) / 1_000;
  console.log(
    `${String(answer.length).padStart(9)} bytes to ${(packed.length / answer.length).toFixed(2)}: ` +
      `CPU ${((user + system) / times / 1_000).toFixed(2)} ms, thread ${(thread / times).toFixed(2)} ms`,
  );
}
