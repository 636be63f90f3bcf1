import type { FastifyInstance } from 'fastify';
import type { Content } from '../content/content.service.ts';
import { PortalError } from '../http/portal-error.ts';
import type { RateLimits } from '../http/rate-limit.ts';
import type { Payments } from '../payments/payments.service.ts';
import { hasReceipt, type Receipts } from './receipts.service.ts';

/** A receipt is a file behind a link, so that it works without script. */
export function registerReceipts(
  app: FastifyInstance,
  deps: { payments: Payments; receipts: Receipts; content: Content; limits: RateLimits; slug: string },
): void {
  app.route<{ Params: { id: string }; Querystring: { lang?: string } }>({
    method: 'GET',
    url: '/receipts/:id.pdf',
    config: { access: { limit: 'status', proof: 'none' } },
    schema: { hide: true },
    handler: async (request, reply) => {
      if ((await deps.limits.take('status', request.ip)) !== null) throw new PortalError('tooManyThisMinute');
      const { id } = request.params;
      const record = /^[0-9a-z]{12,40}$/.test(id)
        ? await deps.payments.find((await deps.payments.idOf(id)) ?? id)
        : undefined;
      if (!record) throw new PortalError('paymentUnknown');
      if (!hasReceipt(record)) throw new PortalError('nothingTaken');
      const lang = typeof request.query.lang === 'string' ? request.query.lang : request.headers.lang;
      const { locale } = deps.content.languageOf({ ...request.headers, lang });
      const pdf = await deps.receipts.pdf(record, locale);
      return reply
        .type('application/pdf')
        .header('cache-control', 'no-store')
        .header('content-disposition', `inline; filename="${deps.slug}-${record.payment.short_reference}.pdf"`)
        .send(pdf);
    },
  });
}
