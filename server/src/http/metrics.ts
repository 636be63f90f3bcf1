import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

export interface Metrics {
  counter<L extends string>(name: string, help: string, labels: readonly L[]): Counter<L>;
  /** `collect` sets it on each scrape. */
  gauge<L extends string>(name: string, help: string, labels: readonly L[], collect?: () => Promise<void>): Gauge<L>;
  requestSeconds: Histogram<'method' | 'route' | 'status'>;
  text(): Promise<string>;
  contentType: string;
}

export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const requestSeconds = new Histogram({
    name: 'portal_request_seconds',
    help: 'Time to answer, by route',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: [0.005, 0.02, 0.05, 0.1, 0.3, 1, 2, 5, 10],
    registers: [registry],
  });
  return {
    counter: (name, help, labels) => new Counter({ name, help, labelNames: [...labels], registers: [registry] }),
    gauge: (name, help, labels, collect) =>
      new Gauge({ name, help, labelNames: [...labels], registers: [registry], ...(collect ? { collect } : {}) }),
    requestSeconds,
    text: () => registry.metrics(),
    contentType: registry.contentType,
  };
}
