import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { SandboxContext } from '../context.ts';
import { dropConnection, type HandlerStrike, withFaults } from '../faults/http-faults.ts';
import type { SandboxSettings } from '../settings.ts';
import { AccessTokens } from '../wire/access-tokens.ts';
import { asRecord, asText, parseJson } from '../wire/json-fields.ts';
import { digitsOf, majorOf, minorFrom } from '../wire/money.ts';
import { accepted, duplicateId, invalidField, refused, responseCodes, unlistedCode } from './wallet-answers.ts';
import { WalletKeys } from './wallet-keys.ts';
import type { WalletPayment } from './wallet-payment.ts';
import { type NewWalletPayment, WalletPayments } from './wallet-payments.ts';

const client = { id: 'sandbox-wallet-client', secret: 'sandbox-wallet-secret' };
const defaultLateDebitMs = 5_000;
const largestPage = 100;

export function registerWallet(app: FastifyInstance, context: SandboxContext): void {
  const { state, settings } = context;
  const { country } = settings;
  const keys = new WalletKeys(settings.oaepHash);
  const tokens = new AccessTokens(settings.walletTokenSeconds);
  const payments = new WalletPayments(state, context.callbacks);
  state.onReset(() => payments.reset());

  app.register(
    async (scope) => {
      // The signature covers the exact bytes, so keep the raw body.
      scope.removeAllContentTypeParsers();
      scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));

      scope.post('/auth/oauth2/token', async (request, reply) => {
        const body = asRecord(parseJson(rawBody(request)));
        const isOurs = body.client_id === client.id && body.client_secret === client.secret;
        if (!isOurs || body.grant_type !== 'client_credentials')
          return reply.code(401).send({ error: 'invalid_client', error_description: 'Invalid client authentication' });
        const { token, lifeSeconds } = tokens.issue();
        return { access_token: token, token_type: 'bearer', expires_in: lifeSeconds };
      });

      scope.register(async (guarded) => {
        guarded.addHook('onRequest', async (request, reply) => {
          if (!tokens.accepts(request.headers.authorization)) {
            return reply
              .code(401)
              .send({ error: 'invalid_token', error_description: 'The access token is unknown or has expired' });
          }
          if (request.headers['x-country'] !== country || !currencies(settings).includes(currencyOf(request))) {
            const known = currencies(settings).join(' or ');
            return reply.code(400).send(invalidField(`X-Country must be ${country} and X-Currency ${known}.`));
          }
        });

        guarded.get('/v1/rsa/encryption-keys', async () => ({
          data: { key_id: keys.keyId, key: keys.publicKey, valid_upto: keys.validUntil },
          status: accepted(responseCodes.success),
        }));

        guarded.post(
          '/merchant/v2/payments/',
          withFaults(context, { provider: 'wallet', operation: 'pay', moves: true }, (request, reply, strike) =>
            pay(context, keys, payments, request, reply, strike),
          ),
        );

        guarded.get(
          '/standard/v1/payments/:id',
          withFaults(context, { provider: 'wallet', operation: 'enquire', moves: false }, (request, _reply, strike) => {
            const payment = payments.find(pathText(request, 'id'));
            // Each currency is a separate account that does not see the other's payments.
            if (payment?.currency !== currencyOf(request))
              return refused(responseCodes.notFound, 'No transaction has this id.');
            return paymentState(payment, settings, strike.kind === 'unlistedCode');
          }),
        );

        guarded.post(
          '/standard/v1/payments/refund',
          withFaults(context, { provider: 'wallet', operation: 'refund', moves: true }, (request, _reply, strike) =>
            refund(payments, request, strike),
          ),
        );

        guarded.get(
          '/merchant/v1/transactions',
          withFaults(context, { provider: 'wallet', operation: 'list', moves: false }, (request) =>
            transactionList(payments, request, settings),
          ),
        );

        guarded.get(
          '/standard/v1/users/:msisdn',
          withFaults(context, { provider: 'wallet', operation: 'user', moves: false }, (request) => {
            const msisdn = pathText(request, 'msisdn');
            const account = state.wallets.account('wallet', context.numbers.lineFromNational(`0${msisdn}`) ?? '');
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
  strike: HandlerStrike,
): unknown {
  const raw = rawBody(request);
  if (!keys.matches(raw, headerText(request, 'x-signature'), headerText(request, 'x-key'))) {
    return refused(responseCodes.badSignature, 'The signature does not match the body.');
  }
  const body = asRecord(parseJson(raw));
  const order = readPayment(body, context, currencyOf(request));
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
  const amount = strike.kind === 'wrongAmount' ? order.amount + 1 : order.amount;
  const debitAfterMs = strike.kind === 'lateDebit' ? (strike.delayMs ?? defaultLateDebitMs) : undefined;
  const payment = payments.start({ ...order, amount }, { refused: strike.refused, pin, debitAfterMs });
  if (context.state.line(order.number)?.losesWalletAnswers) return dropConnection(request, reply);
  if (strike.kind === 'unlistedCode') return refused(unlistedCode, 'Status 9999');
  if (payment.status === 'TF') return refused(payment.responseCode, payment.message);
  return {
    data: { transaction: { id: payment.id, status: 'SUCCESS' } },
    status: accepted(responseCodes.inProcess),
  };
}

function refund(payments: WalletPayments, request: FastifyRequest, strike: HandlerStrike): unknown {
  const body = asRecord(parseJson(rawBody(request)));
  const payment = payments.findByMoneyId(asText(asRecord(body.transaction).airtel_money_id) ?? '');
  if (!payment) return refused(responseCodes.notFound, 'No transaction has this id.');
  if (strike.refused) return refused(responseCodes.declined, 'The refund was refused.');
  const outcome = payments.refund(payment);
  if (strike.kind === 'unlistedCode') return refused(unlistedCode, 'Status 9999');
  if (outcome === 'already refunded') {
    return refused(responseCodes.alreadyRefunded, 'The payment was already refunded.');
  }
  if (outcome === 'never paid') return refused(responseCodes.declined, 'The payment was never paid.');
  return {
    data: { transaction: { airtel_money_id: payment.moneyId, status: 'SUCCESS' } },
    status: accepted(responseCodes.success),
  };
}

/** The outer status only says that the enquiry succeeded; the payment's state is data.transaction.status. */
function paymentState(payment: WalletPayment, settings: SandboxSettings, isAmbiguous: boolean) {
  const { moneyId, id, message, currency } = payment;
  const amount = amountOnWire(payment, settings);
  const status = isAmbiguous ? 'TA' : payment.status;
  const responseCode = isAmbiguous ? unlistedCode : payment.responseCode;
  return {
    data: { transaction: { airtel_money_id: moneyId, id, message, status, amount, currency } },
    status: { code: '200', message: 'SUCCESS', result_code: 'ESB000010', response_code: responseCode, success: true },
  };
}

/** The merchant's transactions in a period; `from` and `to` are epoch milliseconds. */
function transactionList(payments: WalletPayments, request: FastifyRequest, settings: SandboxSettings): unknown {
  const query = asRecord(request.query);
  const wholeNumber = (value: unknown) => (/^\d{1,15}$/.test(String(value)) ? Number(value) : undefined);
  const from = wholeNumber(query.from);
  const to = wholeNumber(query.to);
  if (from === undefined || to === undefined) return invalidField('from and to must be times in milliseconds.');
  const found = payments.changedBetween(from, to).filter(({ currency }) => currency === currencyOf(request));
  const offset = wholeNumber(query.offset) ?? 0;
  const page = found.slice(offset, offset + Math.min(wholeNumber(query.limit) ?? 20, largestPage));
  return {
    data: { count: found.length, transactions: page.map((payment) => listedTransaction(payment, settings)) },
    status: accepted(responseCodes.success),
  };
}

function listedTransaction(payment: WalletPayment, settings: SandboxSettings) {
  return {
    transaction_id: payment.id,
    airtel_money_id: payment.moneyId,
    service_type: 'MERCHPAY',
    amount: amountOnWire(payment, settings),
    currency: payment.currency,
    status: payment.refunded ? 'TR' : payment.status,
    created_at: payment.changedAt,
  };
}

function readPayment(
  body: Record<string, unknown>,
  { settings, numbers }: SandboxContext,
  currency: string,
): NewWalletPayment | string {
  const { country } = settings;
  const subscriber = asRecord(body.subscriber);
  const transaction = asRecord(body.transaction);
  const id = asText(transaction.id);
  const number = numbers.lineFromNational(`0${asText(subscriber.msisdn)}`);
  const amount = minorFrom(transaction.amount, digitsOf(settings, currency) ?? 0);
  if (id === undefined || !/^[A-Za-z0-9._-]{1,64}$/.test(id))
    return 'transaction.id must be 1 to 64 letters and digits.';
  if (number === undefined) return `subscriber.msisdn must be ${numbers.length} digits without country code.`;
  if (amount === undefined) return `transaction.amount must be an amount of ${currency}.`;
  for (const part of [subscriber, transaction]) {
    if (part.country !== country || part.currency !== currency)
      return `Country must be ${country} and currency ${currency}.`;
  }
  return { id, number, amount, currency, reference: asText(body.reference) ?? '' };
}

const currencies = ({ currency, secondCurrency }: SandboxSettings) =>
  secondCurrency === undefined ? [currency] : [currency, secondCurrency];

const currencyOf = (request: FastifyRequest) => headerText(request, 'x-currency') ?? '';

function amountOnWire({ amount, currency }: WalletPayment, settings: SandboxSettings): number {
  return majorOf(amount, digitsOf(settings, currency) ?? 0);
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
