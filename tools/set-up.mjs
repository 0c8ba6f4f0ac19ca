// Sets up a clone: installs what the lockfile asks for, and builds the web page. With arguments, it then runs the script
// that they name, and skips the installation where the lockfile has not changed.
import { buildConsole, installDependencies, runScript } from "./fresh-clone.mjs";

const script = process.argv.slice(2);
if (script.length > 0) await runScript(script);
else {
  await installDependencies();
  await buildConsole();
}
