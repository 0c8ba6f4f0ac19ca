import type { SourceOutcome } from "@groundrule/engine";
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";

/** One answered request, as logs and metrics see it: nothing of what was asked about. */
export interface RequestEvent {
  readonly requestId: string;
  readonly method: string;
  /** The route's template; undefined where no route was found. */
  readonly route: string | undefined;
  readonly status: number;
  readonly durationMs: number;
  /** Outcome of a billable request. */
  readonly outcome: string | undefined;
  /** Code of the problem it was refused with. */
  readonly code: string | undefined;
  /** A remark for the operator. */
  readonly note: string | undefined;
  readonly organization: string | undefined;
  readonly mode: string | undefined;
  readonly keyId: string | undefined;
}

/** Counters and a histogram in the text format of Prometheus (0.0.4), without labels that name a customer. */
export class Metrics {
  readonly #registry = new Registry();
  readonly #requests: Counter = new Counter({
    name: "groundrule_requests_total",
    help: "Requests by route, status and outcome",
    labelNames: ["method", "route", "status", "outcome"],
    registers: [this.#registry],
  });
  readonly #sources: Counter = new Counter({
    name: "groundrule_source_answers_total",
    help: "Outcomes of sources in answers",
    labelNames: ["source", "status"],
    registers: [this.#registry],
  });
  readonly #latencies: Histogram = new Histogram({
    name: "groundrule_request_duration_seconds",
    help: "Time from a request's headers to its answer",
    labelNames: ["route"],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers: [this.#registry],
  });

  countRequest({ method, route = "none", status, outcome, code, durationMs }: RequestEvent): void {
    this.#requests.inc({ method, route, status, outcome: outcome ?? code ?? "answered" });
    this.#latencies.observe({ route }, durationMs / 1_000);
  }

  countSources(sources: readonly Pick<SourceOutcome, "source_name" | "status">[]): void {
    for (const { source_name, status } of sources) this.#sources.inc({ source: source_name, status });
  }

  /** @param read asked whenever the metrics are; while it fails, they go without it */
  gauge(name: string, help: string, read: Read, ...labelNames: string[]): void {
    const metric = new Gauge({
      name,
      help,
      labelNames,
      registers: [this.#registry],
      collect: async () => {
        const samples = await readSamplesOrNone(read);
        metric.reset();
        if (labelNames.length === 0) metric.remove(); // a value that could not be read is not 0
        for (const { labels = {}, value } of samples) metric.set(labels, value);
      },
    });
  }

  /** A count that somebody else keeps. @param read asked whenever the metrics are */
  counter(name: string, help: string, read: Read, ...labelNames: string[]): void {
    const metric = new Counter({
      name,
      help,
      labelNames,
      registers: [this.#registry],
      collect: async () => {
        const samples = await readSamplesOrNone(read);
        metric.reset(); // nothing is awaited from here on: another scrape would count twice
        for (const { labels = {}, value } of samples) metric.inc(labels, value);
      },
    });
  }

  /** The answer of `/metrics`, with the metrics of the process. */
  async text(): Promise<string> {
    return `${await this.#registry.metrics()}\n${await getProcessRegistry().metrics()}`;
  }
}

export interface Sample {
  readonly labels?: Record<string, string>;
  readonly value: number;
}

type Read = () => Promise<readonly Sample[]> | readonly Sample[];

async function readSamplesOrNone(read: Read): Promise<readonly Sample[]> {
  try {
    return await read();
  } catch {
    return [];
  }
}

let ofProcess: Registry | undefined;

/**
 * `process_*` and `nodejs_*`: what the process takes of its machine, under the names that every exporter gives. It is
 * watched from the first call on, however many services it runs.
 */
export function getProcessRegistry(): Registry {
  if (ofProcess === undefined) {
    ofProcess = new Registry();
    collectDefaultMetrics({ register: ofProcess });
  }
  return ofProcess;
}
