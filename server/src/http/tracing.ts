import { context, propagation, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type { FastifyInstance, FastifyRequest } from 'fastify';

const tracer = () => trace.getTracer('portal');

/** Sends spans to a collector. Until it is called, the rest of this file does nothing and costs next to nothing. */
export async function startTracing({ url, service }: { url: string; service: string }): Promise<() => Promise<void>> {
  const [{ NodeTracerProvider, BatchSpanProcessor }, { OTLPTraceExporter }, { resourceFromAttributes }] =
    await Promise.all([
      import('@opentelemetry/sdk-trace-node'),
      import('@opentelemetry/exporter-trace-otlp-http'),
      import('@opentelemetry/resources'),
    ]);
  const provider = new NodeTracerProvider({
    resource: resourceFromAttributes({ 'service.name': service }),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter({ url: `${url}/v1/traces` }))],
  });
  provider.register();
  return () => provider.shutdown();
}

/** A span for each request, named by its route, since a URL may contain an id, a number or an order. */
export function traceRequests(app: FastifyInstance): void {
  const spans = new WeakMap<FastifyRequest, Span>();
  const end = (request: FastifyRequest, status?: number) => {
    const span = spans.get(request);
    spans.delete(request);
    if (status) span?.setAttribute('http.response.status_code', status);
    if (!status || status >= 500) span?.setStatus({ code: SpanStatusCode.ERROR });
    span?.end();
  };
  app.addHook('onRequest', (request, _reply, done) => {
    const route = request.routeOptions.url ?? 'unknown';
    const parent = propagation.extract(context.active(), request.headers);
    const attributes = { 'http.request.method': request.method, 'http.route': route };
    const span = tracer().startSpan(`${request.method} ${route}`, { kind: SpanKind.SERVER, attributes }, parent);
    spans.set(request, span);
    context.with(trace.setSpan(parent, span), done);
  });
  app.addHook('onResponse', async (request, reply) => end(request, reply.statusCode));
  app.addHook('onRequestAbort', async (request) => end(request));
}

/** A span for a call to a provider: host and method only, because paths and bodies name customers. */
export function traceCall<T>(call: { method: string; url: string }, run: () => Promise<T>): Promise<T> {
  const host = URL.parse(call.url)?.host ?? 'unknown';
  const attributes = { 'http.request.method': call.method, 'server.address': host };
  return tracer().startActiveSpan(`${call.method} ${host}`, { kind: SpanKind.CLIENT, attributes }, (span) =>
    run().finally(() => span.end()),
  );
}

/** Adds an event to the active span, if any. */
export function traceEvent(name: string, attributes: Record<string, string>): void {
  trace.getActiveSpan()?.addEvent(name, attributes);
}
