/** A sync in a process of its own, which a test ends at any point: `node sync-child.ts DATA MANIFESTS`. */
import { readSourceFiles, syncSources } from "../src/index.ts";

const [dir, manifests] = process.argv.slice(2);
const outcomes = await syncSources(readSourceFiles([manifests!]), { dir: dir!, markBytes: 2000 });
console.log(JSON.stringify(outcomes));
