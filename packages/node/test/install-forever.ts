import { installEdition } from "../src/editions/install-edition.ts";

// Installs one edition after another until it is killed; each edition's bytes tell its digest and count.
const dir = process.argv[2]!;
for (let turn = 0; ; turn++) {
  const digit = (turn % 16).toString(16);
  const count = 200_000 + turn;
  await installEdition(dir, {
    meta: {
      manifest: { source_name: "demo:parks", kind: "leaf" },
      edition: digit.repeat(64),
      feature_count: count,
      country_coverage: [],
      schemes: [],
    },
    byteLength: count,
    chunks: [new TextEncoder().encode(digit.repeat(count))],
  });
  if (turn === 0) process.stdout.write("started\n");
}
