import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { SandboxContext } from '../context.ts';
import { withFaults } from '../faults/http-faults.ts';
import { isWebAddress } from '../hosted/hosted-page.ts';
import { asInteger, asRecord, asText } from '../wire/json-fields.ts';
import { registerCardPages } from './card-pages.ts';
import { type CardCheckout, CardPayments, describeTransaction } from './card-payments.ts';

const secretKey = 'FLWSECK_TEST-sandbox';
const day = 24 * 60;

/** A gateway with hosted checkout pages, like Flutterwave. */
export function registerCardCheckout(app: FastifyInstance, context: SandboxContext): void {
  const payments = new CardPayments(context);
  registerCardPages(app, payments);

  app.register(
    async (scope) => {
      scope.addHook('onRequest', async (request, reply) => {
        if (request.headers.authorization !== `Bearer ${secretKey}`) {
          return reply.code(401).send(problem('Invalid authorization key'));
        }
      });

      scope.post(
        '/payments',
        withFaults(context, { provider: 'card', operation: 'pay', moves: true }, (request, reply, strike) => {
          const order = readOrder(request.body, context);
          if (typeof order === 'string') return refuse(reply, 400, order);
          if (payments.isKnown(order.reference)) return refuse(reply, 400, 'A payment has this tx_ref already');
          const takesTooMuch = strike.kind === 'wrongAmount';
          const checkout = payments.open({ ...order, declinesAll: strike.refused, takesTooMuch });
          if (strike.kind === 'unlistedCode') return { status: 'perhaps', message: 'Nobody knows', data: null };
          const link = `${request.protocol}://${request.host}/card/pay/${checkout.token}`;
          return { status: 'success', message: 'Hosted Link', data: { link } };
        }),
      );

      scope.get(
        '/transactions/verify_by_reference',
        withFaults(context, { provider: 'card', operation: 'enquire', moves: false }, (request, reply) => {
          const attempt = payments.attempts(queryText(request, 'tx_ref')).at(-1);
          if (!attempt) return refuse(reply, 400, 'No transaction was found for this id');
          const data = describeTransaction(attempt);
          return { status: 'success', message: 'Transaction fetched successfully', data };
        }),
      );

      scope.get(
        '/transactions',
        withFaults(context, { provider: 'card', operation: 'list', moves: false }, (request) => ({
          status: 'success',
          message: 'Transactions fetched',
          data: payments.attempts(queryText(request, 'tx_ref')).map(describeTransaction),
        })),
      );

      scope.get(
        '/refunds',
        withFaults(context, { provider: 'card', operation: 'refunds', moves: false }, (request) => {
          const id = queryText(request, 'tx_id');
          const data = payments.refunds(id === '' ? undefined : Number(id));
          return { status: 'success', message: 'Refunds fetched', data };
        }),
      );

      scope.post(
        '/transactions/:id/refund',
        withFaults(context, { provider: 'card', operation: 'refund', moves: true }, (request, reply, strike) => {
          const attempt = payments.transaction(Number(asRecord(request.params).id));
          if (!attempt) return refuse(reply, 400, 'No transaction was found for this id');
          if (strike.refused) return refuse(reply, 400, 'The refund was refused');
          const refund = payments.refund(attempt, asText(asRecord(request.body).amount) ?? attempt.amount);
          if (typeof refund === 'string') return refuse(reply, 400, `The refund is not possible: ${refund}`);
          return { status: 'success', message: 'Transaction refund initiated', data: refund };
        }),
      );
    },
    { prefix: '/card/v3' },
  );
}

function readOrder(
  body: unknown,
  { numbers }: SandboxContext,
): Omit<CardCheckout, 'token' | 'declinesAll' | 'takesTooMuch'> | string {
  const order = asRecord(body);
  const customer = asRecord(order.customer);
  const limits = asRecord(order.configurations);
  const reference = asText(order.tx_ref);
  const amount = String(order.amount);
  const currency = asText(order.currency);
  const redirectUrl = asText(order.redirect_url);
  const email = asText(customer.email);
  if (reference === undefined) return 'tx_ref is required';
  if (!/^\d{1,12}(\.\d{1,2})?$/.test(amount) || Number(amount) === 0) return 'amount must be above 0';
  if (currency === undefined || !/^[A-Z]{3}$/.test(currency)) return 'currency is required';
  if (!isWebAddress(redirectUrl)) return 'redirect_url is required';
  if (email === undefined) return 'customer email is required';
  const minutes = asInteger(limits.session_duration) ?? day;
  return {
    reference,
    amount,
    currency,
    redirectUrl,
    email,
    phone: numbers.line(asText(customer.phonenumber) ?? '') ?? '',
    title: asText(asRecord(order.customizations).title) ?? 'The shop',
    closesAt: Date.now() + Math.min(minutes, day) * 60_000,
    attemptsLeft: 1 + (asInteger(limits.max_retry_attempt) ?? 99),
  };
}

function refuse(reply: FastifyReply, status: number, message: string): unknown {
  reply.code(status);
  return problem(message);
}

function problem(message: string) {
  return { status: 'error', message, data: null };
}

function queryText(request: FastifyRequest, name: string): string {
  return asText(asRecord(request.query)[name]) ?? '';
}
