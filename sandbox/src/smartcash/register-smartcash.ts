import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { SandboxContext } from '../context.ts';
import { dropConnection, type HandlerStrike, withFaults } from '../faults/http-faults.ts';
import { WalletKeys } from '../wallet/wallet-keys.ts';
import { AccessTokens } from '../wire/access-tokens.ts';
import { asRecord, asText, asWholeAmount, type JsonRecord } from '../wire/json-fields.ts';
import type { NumberPlan } from '../wire/line-number.ts';
import { codes } from './smartcash-codes.ts';
import { type NewSmartcashPayment, type SmartcashPayment, SmartcashPayments } from './smartcash-payments.ts';

const client = { id: 'sandbox-smartcash-client', secret: 'sandbox-smartcash-secret' };
const defaultLateDebitMs = 5_000;

/** SmartCash publishes no specification: this wire format is our own, with the two codes that are known. */
export function registerSmartcash(app: FastifyInstance, context: SandboxContext): void {
  const { state, settings } = context;
  const tokens = new AccessTokens(settings.walletTokenSeconds);
  const payments = new SmartcashPayments(state, context.callbacks, settings.promptExpiryMs);
  state.onReset(() => payments.reset());
  // Lazy: generating the key pair takes a tenth of a second, and most sandboxes never need it.
  let made: WalletKeys | undefined;
  const keys = () => {
    made ??= new WalletKeys(settings.oaepHash);
    return made;
  };

  app.register(
    async (scope) => {
      scope.post('/oauth/token', async (request, reply) => {
        const body = asRecord(request.body);
        const isOurs = body.client_id === client.id && body.client_secret === client.secret;
        if (!isOurs || body.grant_type !== 'client_credentials') {
          return reply.code(401).send({ error: 'invalid_client' });
        }
        const { token, lifeSeconds } = tokens.issue();
        return { access_token: token, token_type: 'bearer', expires_in: lifeSeconds };
      });

      scope.register(async (guarded) => {
        guarded.addHook('onRequest', async (request, reply) => {
          if (!tokens.accepts(request.headers.authorization)) return reply.code(401).send({ error: 'invalid_token' });
          if (request.headers['x-country'] !== settings.country) {
            return reply.code(400).send(said(codes.invalidField, `X-Country must be ${settings.country}.`));
          }
        });

        guarded.get('/v1/keys', async () => ({ key: keys().publicKey, keyId: keys().keyId }));

        guarded.post(
          '/v1/payments',
          withFaults(context, { provider: 'smartcash', operation: 'pay', moves: true }, (request, reply, strike) =>
            pay(context, keys(), payments, { request, reply, strike }),
          ),
        );

        guarded.get(
          '/v1/payments/:reference',
          withFaults(
            context,
            { provider: 'smartcash', operation: 'enquire', moves: false },
            (request, _reply, strike) => {
              const payment = payments.find(pathText(request, 'reference'));
              if (!payment) return said(codes.notFound, 'No payment has this reference.');
              return describe(payment, strike.kind === 'unlistedCode' ? codes.unlisted : payment.code);
            },
          ),
        );

        guarded.post(
          '/v1/payments/:reference/refunds',
          withFaults(context, { provider: 'smartcash', operation: 'refund', moves: true }, (request, _reply, strike) =>
            refund(payments, request, strike),
          ),
        );

        guarded.get(
          '/v1/users/:msisdn',
          withFaults(context, { provider: 'smartcash', operation: 'user', moves: false }, (request) => {
            const msisdn = pathText(request, 'msisdn');
            if (!state.wallets.account('smartcash', context.numbers.lineFromNational(`0${msisdn}`) ?? ''))
              return said(codes.noWallet, 'This number has no wallet.');
            return { ...said(codes.hasWallet, 'Registered'), user: { msisdn } };
          }),
        );
      });
    },
    { prefix: '/smartcash' },
  );
}

function pay(
  context: SandboxContext,
  keys: WalletKeys,
  payments: SmartcashPayments,
  call: { request: FastifyRequest; reply: FastifyReply; strike: HandlerStrike },
): unknown {
  const { request, reply, strike } = call;
  const body = asRecord(request.body);
  const order = readOrder(body, context.settings, context.numbers);
  if (typeof order === 'string') {
    reply.code(400);
    return said(codes.invalidField, order);
  }
  if (payments.find(order.reference)) return said(codes.repeated, 'The reference was already used.');
  if (!context.state.wallets.account('smartcash', order.number)) {
    return said(codes.noWallet, 'This number has no wallet.');
  }
  const pin = keys.open(asText(body.pin) ?? '');
  if (pin === undefined) return said(codes.invalidField, 'The PIN cannot be read.');
  const amount = strike.kind === 'wrongAmount' ? order.amount + 1 : order.amount;
  const debitAfterMs = strike.kind === 'lateDebit' ? (strike.delayMs ?? defaultLateDebitMs) : undefined;
  const payment = payments.start({ ...order, amount }, { pin, refused: strike.refused, debitAfterMs });
  if (context.state.line(order.number)?.losesWalletAnswers) return dropConnection(request, reply);
  if (strike.kind === 'unlistedCode') return said(codes.unlisted, 'Status 999');
  const isAccepted = payment.code === codes.paid || payment.code === codes.pending;
  return describe(payment, isAccepted ? codes.accepted : payment.code);
}

function refund(payments: SmartcashPayments, request: FastifyRequest, strike: HandlerStrike): unknown {
  const payment = payments.find(pathText(request, 'reference'));
  if (!payment) return said(codes.notFound, 'No payment has this reference.');
  const body = asRecord(request.body);
  const isWhole = asWholeAmount(body.amount) === payment.amount && body.currency === payment.currency;
  if (strike.refused || !isWhole || !payments.refund(payment)) return said(codes.declined, 'The refund was refused.');
  return describe(payment, strike.kind === 'unlistedCode' ? codes.unlisted : codes.refunded);
}

function readOrder(
  body: JsonRecord,
  { currency }: SandboxContext['settings'],
  numbers: NumberPlan,
): NewSmartcashPayment | string {
  const reference = asText(body.reference) ?? '';
  const number = numbers.lineFromNational(`0${asText(body.msisdn)}`);
  const amount = asWholeAmount(body.amount);
  if (!/^[A-Za-z0-9._-]{1,64}$/.test(reference)) return 'reference must be 1 to 64 letters and digits.';
  if (number === undefined) return `msisdn must be ${numbers.length} digits without country code.`;
  if (amount === undefined || amount < 1) return 'amount must be a whole number above 0.';
  if (body.currency !== currency) return `currency must be ${currency}.`;
  if (asText(body.pin) === undefined) return 'pin must be given.';
  return { reference, number, amount, currency };
}

function describe(payment: SmartcashPayment, code: string) {
  const { reference, transactionId, amount } = payment;
  return { ...said(code, 'See code'), transaction: { reference, transactionId, amount, currency: payment.currency } };
}

function said(code: string, message: string) {
  return { code, message };
}

function pathText(request: FastifyRequest, name: string): string {
  return asText(asRecord(request.params)[name]) ?? '';
}
