import { servedStreamPaths } from '@portal/contract/calls.ts';
import { isAwaited } from '@portal/domain/payment/shown.ts';
import type { FastifyInstance } from 'fastify';
import { paymentTopic } from '../../db/notify.ts';
import type { EventStreams } from '../../http/event-streams.ts';
import { PortalError } from '../../http/portal-error.ts';
import type { RateLimits } from '../../http/rate-limit.ts';
import type { Visits } from '../../http/visits.ts';
import type { Live } from '../../live/live.service.ts';
import { paymentIdPattern } from '../core/payment-id.ts';
import type { Payments } from '../payments.service.ts';

/**
 * Says when a payment is worth asking about again. It takes what the question itself takes, the payment's id, and tells no
 * more than that: what has become of it is for the question to answer.
 */
export function registerPaymentStream(
  app: FastifyInstance,
  deps: {
    payments: Pick<Payments, 'find'>;
    live: Live;
    streams: EventStreams;
    limits: Pick<RateLimits, 'take'>;
    visits: Pick<Visits, 'ofBrowser'>;
  },
): void {
  const { payments, live, streams, limits, visits } = deps;
  for (const url of servedStreamPaths)
    app.route<{ Querystring: { tid?: unknown } }>({
      method: 'GET',
      url,
      config: { access: { limit: 'status', proof: 'none' }, isStream: true },
      schema: { hide: true },
      handler: async (request, reply) => {
        if ((await limits.take('status', request.ip)) !== null) throw new PortalError('tooManyThisMinute');
        const { tid } = request.query;
        const id = typeof tid === 'string' && paymentIdPattern.test(tid) ? tid : null;
        let hasChanged = false;
        let look = () => {
          hasChanged = true;
        };
        // First of all, so that nothing changes unheard of while the payment is looked up.
        const unwatch = id === null ? () => {} : live.watch(paymentTopic(id), () => look());
        try {
          const found = id === null ? undefined : await payments.find(id);
          if (!found) throw new PortalError('paymentUnknown');
          if (!live.isHearing()) throw new PortalError('unavailable');
          const stream = streams.open(request, reply, visits.ofBrowser(request.headers));
          look = stream.look;
          // What its page knows may be older than this.
          if (hasChanged || !isAwaited(found.payment.state)) look();
          stream.onEnd(unwatch);
        } catch (error) {
          unwatch();
          throw error;
        }
      },
    });
}
