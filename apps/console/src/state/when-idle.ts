/** Runs a task once the browser is idle. */
export function runWhenIdle(task: () => void): void {
  if ("requestIdleCallback" in globalThis) requestIdleCallback(task);
  else setTimeout(task, 2_000);
}
