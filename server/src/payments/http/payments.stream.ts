import { servedStreamPaths } from '@portal/contract/calls.ts';
import { isAwaited } from '@portal/domain/payment/shown-status.ts';
import type { FastifyInstance } from 'fastify';
import { paymentTopic } from '../../db/notify.ts';
import type { EventStreams } from '../../http/event-streams.ts';
import { PortalError } from '../../http/portal-error.ts';
import type { RateLimits } from '../../http/rate-limit.ts';
import type { Visits } from '../../http/visits.ts';
import type { Live } from '../../live/live.service.ts';
import { paymentIdPattern, referencePattern } from '../core/payment-id.ts';
import type { Payments } from '../payments.service.ts';

/**
 * Server-sent events that tell a client when to poll a payment's status again. Access is the same as for polling, the
 * payment's id or reference, and an event does not say what changed.
 */
export function registerPaymentStream(
  app: FastifyInstance,
  deps: {
    payments: Pick<Payments, 'find' | 'idOf'>;
    live: Live;
    streams: EventStreams;
    limits: Pick<RateLimits, 'take'>;
    visits: Pick<Visits, 'ofBrowser'>;
  },
): void {
  const { payments, live, streams, limits, visits } = deps;
  const idOf = async (tid: string) => {
    if (referencePattern.test(tid)) return (await payments.idOf(tid)) ?? null;
    return paymentIdPattern.test(tid) ? tid : null;
  };
  for (const url of servedStreamPaths)
    app.route<{ Querystring: { tid?: unknown } }>({
      method: 'GET',
      url,
      config: { access: { limit: 'status', proof: 'none' }, isStream: true },
      schema: { hide: true },
      handler: async (request, reply) => {
        if ((await limits.take('status', request.ip)) !== null) throw new PortalError('tooManyThisMinute');
        const { tid } = request.query;
        const id = typeof tid === 'string' ? await idOf(tid) : null;
        let hasChanged = false;
        let notify = () => {
          hasChanged = true;
        };
        // Subscribe first, so that no change is missed while the payment is looked up.
        const unwatch = id === null ? () => {} : live.watch(paymentTopic(id), () => notify());
        try {
          const found = id === null ? undefined : await payments.find(id);
          if (!found) throw new PortalError('paymentUnknown');
          if (!live.isHearing()) throw new PortalError('unavailable');
          const stream = streams.open(request, reply, visits.ofBrowser(request.headers));
          notify = stream.notify;
          // The page may have rendered an older state.
          if (hasChanged || !isAwaited(found.payment.state)) notify();
          stream.onEnd(unwatch);
        } catch (error) {
          unwatch();
          throw error;
        }
      },
    });
}
