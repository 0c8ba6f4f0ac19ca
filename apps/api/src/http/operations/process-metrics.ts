import { collectDefaultMetrics, Registry } from "prom-client";

let registry: Registry | undefined;

/**
 * `process_*` and `nodejs_*`: what the process takes of its machine, under the names that every exporter gives. It is
 * watched from the first call on, however many services it runs.
 */
export function watchProcess(): Registry {
  if (registry === undefined) {
    registry = new Registry();
    collectDefaultMetrics({ register: registry });
  }
  return registry;
}

/** The metrics of the process in the text format of Prometheus (0.0.4). */
export async function processMetrics(): Promise<string> {
  return watchProcess().metrics();
}
