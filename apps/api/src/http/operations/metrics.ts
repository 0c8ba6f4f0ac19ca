import type { SourceOutcome } from "@groundrule/engine";

/** One answered request, as logs and metrics see it: nothing of what was asked about. */
export interface RequestEvent {
  readonly requestId: string;
  readonly method: string;
  /** The route's template; undefined where no route was found. */
  readonly route: string | undefined;
  readonly status: number;
  readonly durationMs: number;
  /** What became of a billable request. */
  readonly outcome: string | undefined;
  /** Code of the problem it was refused with. */
  readonly code: string | undefined;
  readonly organization: string | undefined;
  readonly mode: string | undefined;
  readonly keyId: string | undefined;
}

/** Counters and a histogram in the text format of Prometheus (0.0.4), without labels that name a customer. */
export class Metrics {
  // By name: labels are written once.
  readonly #requests = new Map<string, Counter>();
  readonly #sources = new Map<string, Counter>();
  readonly #latencies = new Map<string, Latency>();
  readonly #gauges = new Map<
    string,
    {
      readonly type: "counter" | "gauge";
      readonly help: string;
      readonly read: () => Promise<readonly Sample[]>;
    }
  >();

  readonly #more: () => Promise<string>;

  /** @param more metrics of others, in the same format; asked whenever the metrics are */
  constructor(more: () => Promise<string> = async () => "") {
    this.#more = more;
  }

  countRequest({ method, route = "none", status, outcome, code, durationMs }: RequestEvent): void {
    const result = outcome ?? code ?? "answered";
    const name = `${method} ${route} ${status} ${result}`;
    const known = this.#requests.get(name);
    if (known === undefined) {
      const labels = labelsOf({ method, route, status: String(status), outcome: result });
      this.#requests.set(name, { labels, count: 1 });
    } else known.count++;
    let latency = this.#latencies.get(route);
    if (latency === undefined) {
      latency = { buckets: BUCKET_SECONDS.map(() => 0), sum: 0, count: 0, route };
      this.#latencies.set(route, latency);
    }
    const seconds = durationMs / 1_000;
    latency.count++;
    latency.sum += seconds;
    BUCKET_SECONDS.forEach((bound, i) => {
      if (seconds <= bound) latency.buckets[i]!++;
    });
  }

  countSources(sources: readonly Pick<SourceOutcome, "source_name" | "status">[]): void {
    for (const { source_name, status } of sources) {
      const name = `${source_name} ${status}`;
      const known = this.#sources.get(name);
      if (known === undefined) {
        this.#sources.set(name, { labels: labelsOf({ source: source_name, status }), count: 1 });
      } else known.count++;
    }
  }

  /** @param read asked whenever the metrics are */
  gauge(name: string, help: string, read: () => Promise<readonly Sample[]> | readonly Sample[]): void {
    this.#gauges.set(name, { type: "gauge", help, read: async () => read() });
  }

  /** A count that somebody else keeps. @param read asked whenever the metrics are */
  counter(name: string, help: string, read: () => readonly Sample[]): void {
    this.#gauges.set(name, { type: "counter", help, read: async () => read() });
  }

  /** What `/metrics` answers. A gauge that cannot be read is left out. */
  async text(): Promise<string> {
    const lines = [
      ...family("groundrule_requests_total", "counter", "Requests by route, status and outcome", [
        ...counted(this.#requests),
      ]),
      ...family("groundrule_source_answers_total", "counter", "Outcomes of sources in answers", [
        ...counted(this.#sources),
      ]),
      ...latencyLines([...this.#latencies.values()]),
    ];
    for (const [name, { type, help, read }] of this.#gauges) {
      const samples = await read().catch(() => []);
      if (samples.length === 0) continue;
      const told = samples.map(({ labels = {}, value }) => [labelsOf(labels), value] as const);
      for (const line of family(name, type, help, told)) lines.push(line);
    }
    return `${lines.join("\n")}\n${await this.#more()}`;
  }
}

export interface Sample {
  readonly labels?: Readonly<Record<string, string>>;
  readonly value: number;
}

interface Counter {
  readonly labels: string;
  count: number;
}

interface Latency {
  readonly route: string;
  readonly buckets: number[];
  sum: number;
  count: number;
}

const LATENCY = "groundrule_request_duration_seconds";
const BUCKET_SECONDS: readonly number[] = [
  0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5,
];

function latencyLines(latencies: readonly Latency[]): string[] {
  return [
    `# HELP ${LATENCY} Time from a request's headers to its answer`,
    `# TYPE ${LATENCY} histogram`,
    ...latencies.flatMap(({ route, buckets, sum, count }) => [
      ...BUCKET_SECONDS.map(
        (le, i) => `${LATENCY}_bucket${labelsOf({ route, le: String(le) })} ${buckets[i]}`,
      ),
      `${LATENCY}_bucket${labelsOf({ route, le: "+Inf" })} ${count}`,
      `${LATENCY}_sum${labelsOf({ route })} ${sum}`,
      `${LATENCY}_count${labelsOf({ route })} ${count}`,
    ]),
  ];
}

function family(
  name: string,
  type: "counter" | "gauge",
  help: string,
  samples: readonly (readonly [labels: string, value: number])[],
): string[] {
  return [
    `# HELP ${name} ${help}`,
    `# TYPE ${name} ${type}`,
    ...samples.map(([labels, value]) => `${name}${labels} ${value}`),
  ];
}

function labelsOf(labels: Readonly<Record<string, string>>): string {
  const written = Object.entries(labels).map(([name, value]) => `${name}="${escapeLabel(value)}"`);
  return written.length === 0 ? "" : `{${written.join(",")}}`;
}

function escapeLabel(value: string): string {
  return value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}

function counted(counters: ReadonlyMap<string, Counter>): [labels: string, value: number][] {
  return [...counters.values()].map(({ labels, count }) => [labels, count]);
}
