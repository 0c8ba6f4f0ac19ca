import { spawn } from "node:child_process";

/**
 * Opens a page in the user's browser, if there is a desktop. The command does not wait for it; if it does not open, the
 * printed address is still there.
 */
export function openBrowser(url: string): void {
  const program = programOf(process.platform, process.env);
  if (program === undefined) return;
  const [command, ...args] = program;
  const child = spawn(command, [...args, url], { stdio: "ignore", detached: true });
  child.on("error", () => {});
  child.unref();
}

function programOf(platform: string, env: NodeJS.ProcessEnv): [string, ...string[]] | undefined {
  if (env.CI !== undefined || env.SSH_CONNECTION !== undefined) return undefined;
  if (platform === "darwin") return ["open"];
  if (platform === "win32") return ["rundll32", "url.dll,FileProtocolHandler"];
  return env.DISPLAY === undefined && env.WAYLAND_DISPLAY === undefined ? undefined : ["xdg-open"];
}
