import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { SandboxContext } from '../context.ts';
import { dropConnection, withFaults } from '../faults/http-faults.ts';
import { asRecord, asText, asWholeAmount, parseJson } from '../wire/json-fields.ts';
import { accepted, duplicateId, invalidField, refused, responseCodes } from './wallet-answers.ts';
import { WalletKeys } from './wallet-keys.ts';
import { type NewWalletPayment, type WalletPayment, WalletPayments } from './wallet-payments.ts';
import { WalletTokens } from './wallet-tokens.ts';

const country = 'MG';
const currency = 'MGA';

export function registerWallet(app: FastifyInstance, context: SandboxContext): void {
  const { state, settings } = context;
  const keys = new WalletKeys(settings.oaepHash);
  const tokens = new WalletTokens(settings.walletTokenSeconds);
  const payments = new WalletPayments(state, context.callbacks);
  state.onReset(() => payments.reset());

  app.register(
    async (scope) => {
      // The signature covers the exact bytes, so the body is kept as it came.
      scope.removeAllContentTypeParsers();
      scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));

      scope.post('/auth/oauth2/token', async (request, reply) => {
        const body = asRecord(parseJson(rawBody(request)));
        const token = tokens.issue({ id: body.client_id, secret: body.client_secret, grantType: body.grant_type });
        return (
          token ?? reply.code(401).send({ error: 'invalid_client', error_description: 'Invalid client authentication' })
        );
      });

      scope.register(async (guarded) => {
        guarded.addHook('onRequest', async (request, reply) => {
          if (!tokens.accepts(request.headers.authorization)) {
            return reply
              .code(401)
              .send({ error: 'invalid_token', error_description: 'The access token is unknown or has expired' });
          }
          if (request.headers['x-country'] !== country || request.headers['x-currency'] !== currency) {
            return reply.code(400).send(invalidField(`X-Country must be ${country} and X-Currency ${currency}.`));
          }
        });

        guarded.get('/v1/rsa/encryption-keys', async () => ({
          data: { key_id: keys.keyId, key: keys.publicKey, valid_upto: keys.validUntil },
          status: accepted(responseCodes.success),
        }));

        guarded.post(
          '/merchant/v2/payments/',
          withFaults(context, { provider: 'wallet', operation: 'pay', moves: true }, (request, reply, strike) =>
            pay(context, keys, payments, request, reply, strike.refused),
          ),
        );

        guarded.get(
          '/standard/v1/payments/:id',
          withFaults(context, { provider: 'wallet', operation: 'enquire', moves: false }, (request) => {
            const payment = payments.find(pathText(request, 'id'));
            return payment ? paymentState(payment) : refused(responseCodes.notFound, 'No transaction has this id.');
          }),
        );

        guarded.post(
          '/standard/v1/payments/refund',
          withFaults(context, { provider: 'wallet', operation: 'refund', moves: true }, (request, _reply, strike) =>
            refund(payments, request, strike.refused),
          ),
        );

        guarded.get(
          '/standard/v1/users/:msisdn',
          withFaults(context, { provider: 'wallet', operation: 'user', moves: false }, (request) => {
            const msisdn = pathText(request, 'msisdn');
            const account = state.wallets.account('wallet', msisdn);
            if (!account) return refused(responseCodes.invalidNumber, 'This number has no wallet.');
            return {
              data: { msisdn, is_barred: account.locked, is_pin_set: true, reg_status: 'SUBS' },
              status: accepted(responseCodes.success),
            };
          }),
        );
      });
    },
    { prefix: '/wallet' },
  );
}

function pay(
  context: SandboxContext,
  keys: WalletKeys,
  payments: WalletPayments,
  request: FastifyRequest,
  reply: FastifyReply,
  refusedByFault: boolean,
): unknown {
  const raw = rawBody(request);
  if (!keys.matches(raw, headerText(request, 'x-signature'), headerText(request, 'x-key'))) {
    return refused(responseCodes.badSignature, 'The signature does not match the body.');
  }
  const body = asRecord(parseJson(raw));
  const order = readPayment(body);
  if (typeof order === 'string') {
    reply.code(400);
    return invalidField(order);
  }
  if (payments.find(order.id)) return duplicateId();
  if (order.amount <= 0) return refused(responseCodes.invalidAmount, 'The amount must be above 0.');
  if (!context.state.wallets.account('wallet', order.number)) {
    return refused(responseCodes.invalidNumber, 'This number has no wallet.');
  }
  const lockedPin = asText(body.pin);
  const pin = lockedPin === undefined ? undefined : (keys.open(lockedPin) ?? '');
  const payment = payments.start(order, { refused: refusedByFault, pin });
  if (context.state.line(order.number)?.losesWalletAnswers) return dropConnection(request, reply);
  if (payment.status === 'TF') return refused(payment.responseCode, payment.message);
  return {
    data: { transaction: { id: payment.id, status: 'SUCCESS' } },
    status: accepted(responseCodes.inProcess),
  };
}

function refund(payments: WalletPayments, request: FastifyRequest, refusedByFault: boolean): unknown {
  const body = asRecord(parseJson(rawBody(request)));
  const payment = payments.findByMoneyId(asText(asRecord(body.transaction).airtel_money_id) ?? '');
  if (!payment) return refused(responseCodes.notFound, 'No transaction has this id.');
  if (refusedByFault) return refused(responseCodes.declined, 'The refund was refused.');
  const outcome = payments.refund(payment);
  if (outcome === 'already refunded') {
    return refused(responseCodes.alreadyRefunded, 'The payment was already refunded.');
  }
  if (outcome === 'never paid') return refused(responseCodes.declined, 'The payment was never paid.');
  return {
    data: { transaction: { airtel_money_id: payment.moneyId, status: 'SUCCESS' } },
    status: accepted(responseCodes.success),
  };
}

/** The outer status says only that the question was answered; the truth is data.transaction.status. */
function paymentState(payment: WalletPayment) {
  const { moneyId, id, message, status, amount, responseCode } = payment;
  return {
    data: { transaction: { airtel_money_id: moneyId, id, message, status, amount, currency: payment.currency } },
    status: { code: '200', message: 'SUCCESS', result_code: 'ESB000010', response_code: responseCode, success: true },
  };
}

function readPayment(body: Record<string, unknown>): NewWalletPayment | string {
  const subscriber = asRecord(body.subscriber);
  const transaction = asRecord(body.transaction);
  const id = asText(transaction.id);
  const number = asText(subscriber.msisdn);
  const amount = asWholeAmount(transaction.amount);
  if (id === undefined || !/^[A-Za-z0-9._-]{1,64}$/.test(id))
    return 'transaction.id must be 1 to 64 letters and digits.';
  if (number === undefined || !/^\d{9}$/.test(number))
    return 'subscriber.msisdn must be 9 digits without country code.';
  if (amount === undefined) return 'transaction.amount must be a whole number.';
  for (const part of [subscriber, transaction]) {
    if (part.country !== country || part.currency !== currency)
      return `Country must be ${country} and currency ${currency}.`;
  }
  return { id, number, amount, currency, reference: asText(body.reference) ?? '' };
}

function rawBody(request: FastifyRequest): Buffer {
  return Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
}

function headerText(request: FastifyRequest, name: string): string | undefined {
  return asText(request.headers[name]);
}

function pathText(request: FastifyRequest, name: string): string {
  return asText(asRecord(request.params)[name]) ?? '';
}
