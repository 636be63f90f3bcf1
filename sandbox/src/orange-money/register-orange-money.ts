import { randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { SandboxContext } from '../context.ts';
import { withFaults } from '../faults/http-faults.ts';
import { isWebAddress, takeForms } from '../hosted/hosted-page.ts';
import { asInteger, asRecord, asText, type JsonRecord } from '../wire/json-fields.ts';
import { registerOrangePages } from './orange-pages.ts';
import { type NewOrangePayment, type OrangePayment, OrangePayments } from './orange-payments.ts';

const client = { id: 'sandbox-orange-client', secret: 'sandbox-orange-secret' };
const merchantKey = 'sandbox-orange-merchant';
const tokenSeconds = 3_600;
const environments: Record<string, string> = { dev: 'OUV', mg: 'MGA' };

/** Orange Money WebPay: its test environment and the country's. */
export function registerOrangeMoney(app: FastifyInstance, context: SandboxContext): void {
  const payments = new OrangePayments(context);
  const tokens = new Map<string, number>();
  registerOrangePages(app, payments);

  app.register(
    async (scope) => {
      takeForms(scope);

      scope.post('/oauth/v3/token', async (request, reply) => {
        const expected = `Basic ${Buffer.from(`${client.id}:${client.secret}`).toString('base64')}`;
        if (request.headers.authorization !== expected) {
          return reply.code(401).send({ error: 'invalid_client', error_description: 'The client is not known' });
        }
        if (asRecord(request.body).grant_type !== 'client_credentials') {
          return reply
            .code(400)
            .send({ error: 'unsupported_grant_type', error_description: 'client_credentials only' });
        }
        const access_token = randomBytes(24).toString('base64url');
        tokens.set(access_token, Date.now() + tokenSeconds * 1000);
        return { token_type: 'Bearer', access_token, expires_in: String(tokenSeconds) };
      });

      scope.register(
        async (guarded) => {
          guarded.addHook('onRequest', async (request, reply) => {
            const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1];
            if ((tokens.get(token ?? '') ?? 0) <= Date.now()) {
              return reply.code(401).send({ code: 42, message: 'Expired credentials', description: 'Get a new token' });
            }
            if (environments[environmentOf(request.params)] === undefined) {
              return reply.code(404).send(problem('There is no such environment'));
            }
          });

          guarded.post(
            '/webpayment',
            withFaults(context, { provider: 'orange', operation: 'pay', moves: true }, (request, reply, strike) => {
              const order = readOrder(asRecord(request.body), environments[environmentOf(request.params)] ?? '');
              if (typeof order === 'string') return refuse(reply, 400, order);
              if (payments.isKnown(order.orderId)) return refuse(reply, 409, 'A payment has this order_id already');
              const payment = payments.start({ ...order, declinesAll: strike.refused });
              if (strike.kind === 'unlistedCode') return refuse(reply, 418, 'Nobody knows');
              reply.code(201);
              return {
                status: 201,
                message: 'OK',
                pay_token: payment.payToken,
                payment_url: `${request.protocol}://${request.host}/orange/pay/${payment.payToken}`,
                notif_token: payment.notifToken,
              };
            }),
          );

          guarded.post(
            '/transactionstatus',
            withFaults(context, { provider: 'orange', operation: 'enquire', moves: false }, (request, reply) => {
              const payment = findAsked(payments, asRecord(request.body));
              if (!payment) return refuse(reply, 404, 'No payment has this order_id, amount and pay_token');
              reply.code(201);
              return { status: payment.status, order_id: payment.orderId, txnid: payment.txnid ?? '' };
            }),
          );

          guarded.post(
            '/refund',
            withFaults(context, { provider: 'orange', operation: 'refund', moves: true }, (request, reply, strike) => {
              const body = asRecord(request.body);
              const payment = findAsked(payments, body);
              if (payment?.status !== 'SUCCESS' || payment.txnid !== body.txnid) {
                return refuse(reply, 404, 'No paid payment has this order_id, amount, pay_token and txnid');
              }
              if (strike.refused) return refuse(reply, 400, 'The refund was refused');
              return { status: payments.refund(payment), order_id: payment.orderId };
            }),
          );
        },
        { prefix: '/orange-money-webpay/:environment/v1' },
      );
    },
    { prefix: '/orange' },
  );
}

function readOrder(body: JsonRecord, currency: string): Omit<NewOrangePayment, 'declinesAll'> | string {
  const orderId = asText(body.order_id);
  const amount = asInteger(body.amount);
  const [returnUrl, cancelUrl, notifUrl] = [body.return_url, body.cancel_url, body.notif_url].map(asText);
  if (body.merchant_key !== merchantKey) return 'The merchant_key is not known';
  if (body.currency !== currency) return `The currency must be ${currency}`;
  if (orderId === undefined || orderId.length > 30) return 'order_id must have 1 to 30 characters';
  if (amount === undefined || amount <= 0) return 'amount must be a whole number above 0';
  if (!isWebAddress(returnUrl) || !isWebAddress(cancelUrl) || !isWebAddress(notifUrl)) {
    return 'return_url, cancel_url and notif_url must be addresses';
  }
  return { orderId, amount, returnUrl, cancelUrl, notifUrl };
}

function findAsked(payments: OrangePayments, body: JsonRecord): OrangePayment | undefined {
  const payment = payments.find(asText(body.pay_token) ?? '');
  return payment?.orderId === body.order_id && payment?.amount === body.amount ? payment : undefined;
}

function environmentOf(params: unknown): string {
  return asText(asRecord(params).environment) ?? '';
}

function refuse(reply: FastifyReply, status: number, message: string): unknown {
  reply.code(status);
  return problem(message);
}

function problem(message: string) {
  return { code: 60, message: 'Refused', description: message };
}
