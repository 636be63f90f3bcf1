import type { FastifyInstance } from 'fastify';
import type { Metrics } from './metrics.ts';
import { PortalError } from './portal-error.ts';
import type { RateLimits } from './rate-limit.ts';

export const reportsPath = '/policy-reports';
const maxBytes = 16 * 1024;
const maxReports = 20;

/** Any other directive counts as `other`: labels chosen by strangers would fill the memory. */
const directives = new Set([
  'base-uri',
  'connect-src',
  'font-src',
  'form-action',
  'frame-ancestors',
  'frame-src',
  'img-src',
  'manifest-src',
  'object-src',
  'require-trusted-types-for',
  'script-src',
  'script-src-attr',
  'script-src-elem',
  'style-src',
  'style-src-attr',
  'style-src-elem',
  'trusted-types',
  'worker-src',
]);

/**
 * Receives the browsers' reports of Content-Security-Policy violations. They are counted, not stored: a report contains
 * page URLs, and anybody may send one. A rising count means a broken page or an injected script.
 */
export async function registerPolicyReports(
  app: FastifyInstance,
  { limits, metrics }: { limits: RateLimits; metrics: Metrics },
): Promise<void> {
  const violations = metrics.counter('portal_policy_violations_total', 'What the policy of a page forbade', [
    'directive',
  ]);
  await app.register(async (reports) => {
    reports.removeAllContentTypeParsers();
    // The older report format and the newer one.
    reports.addContentTypeParser(
      ['application/csp-report', 'application/reports+json'],
      { parseAs: 'string', bodyLimit: maxBytes },
      (_request, body, done) => done(null, body),
    );
    reports.post(
      reportsPath,
      { config: { access: { limit: 'event', proof: 'none' } }, schema: { hide: true } },
      async (request, reply) => {
        const wait = await limits.take('event', request.ip);
        if (wait !== null) throw new PortalError('tooManyReports');
        for (const directive of directivesIn(String(request.body ?? ''))) violations.inc({ directive });
        return reply.code(204).send();
      },
    );
  });
}

/** The directive of each report, in either format; none if the text is not a report. */
export function directivesIn(text: string): string[] {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return [];
  }
  const reports = Array.isArray(parsed) ? parsed.slice(0, maxReports).map((report) => at(report, 'body')) : [parsed];
  return reports.flatMap((report) => {
    const own = at(report, 'csp-report') ?? report;
    const named = at(own, 'effectiveDirective') ?? at(own, 'effective-directive') ?? at(own, 'violated-directive');
    if (typeof named !== 'string') return [];
    const [directive = ''] = named.split(' ');
    return [directives.has(directive) ? directive : 'other'];
  });
}

const at = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined;
