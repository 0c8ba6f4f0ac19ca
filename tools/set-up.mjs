// Sets up a clone: installs what the lockfile asks for, and builds the web page.
import { buildConsole, install } from "./fresh-clone.mjs";

await install();
await buildConsole();
