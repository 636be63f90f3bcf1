import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { SandboxContext } from '../context.ts';
import { withFaults } from '../faults/http-faults.ts';
import { isWebAddress } from '../hosted/hosted-page.ts';
import { asInteger, asRecord, asText } from '../wire/json-fields.ts';
import { registerPaystackPages } from './paystack-pages.ts';
import { describeTransaction, PaystackPayments, paystackSecretKey } from './paystack-payments.ts';

const currencies = ['GHS', 'KES', 'NGN', 'USD', 'ZAR'];

export function registerPaystack(app: FastifyInstance, context: SandboxContext): void {
  const payments = new PaystackPayments(context);
  registerPaystackPages(app, payments);

  app.register(
    async (scope) => {
      scope.addHook('onRequest', async (request, reply) => {
        if (request.headers.authorization !== `Bearer ${paystackSecretKey}`) {
          return reply.code(401).send(problem('invalid_Key', 'Invalid key'));
        }
      });

      scope.post(
        '/transaction/initialize',
        withFaults(context, { provider: 'paystack', operation: 'pay', moves: true }, (request, reply, strike) => {
          const order = readOrder(request.body);
          if ('code' in order) return refuse(reply, order);
          if (payments.find(order.reference)) {
            return refuse(reply, problem('duplicate_reference', 'Duplicate Transaction Reference'));
          }
          const takesTooMuch = strike.kind === 'wrongAmount';
          const transaction = payments.initialize({ ...order, declinesAll: strike.refused, takesTooMuch });
          if (strike.kind === 'unlistedCode') return refuse(reply, problem('nobody_knows', 'Nobody knows'));
          const { accessCode, reference } = transaction;
          const authorization_url = `${request.protocol}://${request.host}/paystack/checkout/${accessCode}`;
          const data = { authorization_url, access_code: accessCode, reference };
          return { status: true, message: 'Authorization URL created', data };
        }),
      );

      scope.get(
        '/transaction/verify/:reference',
        withFaults(context, { provider: 'paystack', operation: 'enquire', moves: false }, (request, reply) => {
          const transaction = payments.find(asText(asRecord(request.params).reference) ?? '');
          if (!transaction) return refuse(reply, problem('transaction_not_found', 'Transaction reference not found.'));
          return { status: true, message: 'Verification successful', data: describeTransaction(transaction) };
        }),
      );

      scope.get(
        '/refund',
        withFaults(context, { provider: 'paystack', operation: 'refunds', moves: false }, (request) => {
          const id = queryText(request, 'transaction');
          const data = payments.refunds(id === '' ? undefined : Number(id));
          return { status: true, message: 'Refunds retrieved', data };
        }),
      );

      scope.post(
        '/refund',
        withFaults(context, { provider: 'paystack', operation: 'refund', moves: true }, (request, reply, strike) => {
          const body = asRecord(request.body);
          const transaction = payments.findByIdOrReference(String(body.transaction));
          if (!transaction) return refuse(reply, problem('transaction_not_found', 'Transaction not found.'));
          if (strike.refused) return refuse(reply, problem('refund_refused', 'The refund was refused.'));
          const refund = payments.refund(transaction, asInteger(body.amount) ?? transaction.amount);
          if (refund === 'never paid')
            return refuse(reply, problem('transaction_not_paid', 'Transaction is not paid.'));
          if (refund === 'fully reversed') {
            return refuse(reply, problem('transaction_reversed', 'Transaction has been fully reversed'));
          }
          const { id, reference } = transaction;
          const data = { ...refund, transaction: { id, reference } };
          return { status: true, message: 'Refund has been queued for processing', data };
        }),
      );
    },
    { prefix: '/paystack' },
  );
}

function readOrder(body: unknown) {
  const order = asRecord(body);
  const email = asText(order.email);
  const amount = asInteger(order.amount);
  const currency = asText(order.currency) ?? 'NGN';
  const reference = asText(order.reference);
  const callbackUrl = asText(order.callback_url);
  if (email === undefined || !email.includes('@')) return problem('invalid_email_address', 'Invalid Email Address');
  if (amount === undefined || amount <= 0) return problem('invalid_amount', 'Invalid amount sent');
  if (!currencies.includes(currency)) return problem('unsupported_currency', 'Currency not supported by merchant');
  if (reference === undefined || !/^[A-Za-z0-9.=-]{1,100}$/.test(reference)) {
    return problem('invalid_reference', 'Only -,., = and alphanumeric characters are allowed');
  }
  return { email, amount, currency, reference, callbackUrl: isWebAddress(callbackUrl) ? callbackUrl : undefined };
}

interface PaystackProblem {
  status: false;
  message: string;
  type: string;
  code: string;
}

function problem(code: string, message: string): PaystackProblem {
  return { status: false, message, type: 'validation_error', code };
}

function refuse(reply: FastifyReply, answer: PaystackProblem): PaystackProblem {
  reply.code(answer.code === 'transaction_not_found' ? 404 : 400);
  return answer;
}

function queryText(request: FastifyRequest, name: string): string {
  return asText(asRecord(request.query)[name]) ?? '';
}
