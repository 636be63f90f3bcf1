import { randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { SandboxContext } from '../context.ts';
import { dropConnection, type HandlerStrike, withFaults } from '../faults/http-faults.ts';
import { AccessTokens } from '../wire/access-tokens.ts';
import { asRecord, asText, asWholeAmount, type JsonRecord } from '../wire/json-fields.ts';
import { composeReversalResult, timeFromText } from './mpesa-callbacks.ts';
import type { MpesaPayment } from './mpesa-payment.ts';
import { MpesaPayments, type NewMpesaPayment } from './mpesa-payments.ts';

const consumer = { key: 'sandbox-mpesa-key', secret: 'sandbox-mpesa-secret' };
const shortCode = '174379';
const passkey = 'sandbox-mpesa-passkey';
const initiator = { name: 'sandbox-initiator', credential: 'sandbox-mpesa-credential' };
const tokenSeconds = 3599;
const defaultLateDebitMs = 5_000;
const pullHours = 48;
const pageSize = 100;
const unlistedCode = '9999';

/** Daraja: STK push, its query, reversals and the pull of transactions. */
export function registerMpesa(app: FastifyInstance, context: SandboxContext): void {
  const tokens = new AccessTokens(tokenSeconds);
  const payments = new MpesaPayments(context.state, context.callbacks);
  context.state.onReset(() => payments.reset());

  app.register(
    async (scope) => {
      scope.get('/oauth/v1/generate', async (request, reply) => {
        const basic = Buffer.from(`${consumer.key}:${consumer.secret}`).toString('base64');
        if (request.headers.authorization !== `Basic ${basic}`) {
          return failure(reply, 400, '400.008.01', 'Invalid Authentication passed');
        }
        if (asRecord(request.query).grant_type !== 'client_credentials') {
          return failure(reply, 400, '400.008.02', 'Invalid grant type passed');
        }
        const { token, lifeSeconds } = tokens.issue();
        return { access_token: token, expires_in: String(lifeSeconds) };
      });

      scope.register(async (guarded) => {
        guarded.addHook('onRequest', async (request, reply) => {
          if (tokens.accepts(request.headers.authorization)) return;
          return reply.send(failure(reply, 404, '404.001.03', 'Invalid Access Token'));
        });

        guarded.post(
          '/mpesa/stkpush/v1/processrequest',
          withFaults(context, { provider: 'mpesa', operation: 'pay', moves: true }, (request, reply, strike) =>
            push(context, payments, request, reply, strike),
          ),
        );

        guarded.post(
          '/mpesa/stkpushquery/v1/query',
          withFaults(context, { provider: 'mpesa', operation: 'enquire', moves: false }, (request, reply, strike) =>
            query(payments, asRecord(request.body), reply, strike),
          ),
        );

        guarded.post(
          '/mpesa/reversal/v1/request',
          withFaults(context, { provider: 'mpesa', operation: 'refund', moves: true }, (request, reply, strike) =>
            reverse(context, payments, asRecord(request.body), reply, strike),
          ),
        );

        guarded.post(
          '/pulltransactions/v1/query',
          withFaults(context, { provider: 'mpesa', operation: 'pull', moves: false }, (request, reply) =>
            pull(payments, asRecord(request.body), reply),
          ),
        );
      });
    },
    { prefix: '/mpesa' },
  );
}

function push(
  context: SandboxContext,
  payments: MpesaPayments,
  request: FastifyRequest,
  reply: FastifyReply,
  strike: HandlerStrike,
): unknown {
  const body = asRecord(request.body);
  if (!hasPassword(body)) return failure(reply, 500, '500.001.1001', 'Wrong credentials');
  const order = readPush(body);
  if (typeof order === 'string') return failure(reply, 400, '400.002.02', `Bad Request - Invalid ${order}`);
  if (strike.refused) return failure(reply, 400, '400.002.02', 'Bad Request - Refused');
  if (!context.state.wallets.account('mpesa', order.number)) {
    return failure(reply, 400, '400.002.02', 'Bad Request - Invalid PhoneNumber');
  }
  const amount = strike.kind === 'wrongAmount' ? order.amount + 1 : order.amount;
  const debitAfterMs = strike.kind === 'lateDebit' ? (strike.delayMs ?? defaultLateDebitMs) : undefined;
  const payment = payments.start({ ...order, amount }, { debitAfterMs });
  if (context.state.line(order.number)?.losesWalletAnswers) return dropConnection(request, reply);
  return {
    MerchantRequestID: payment.merchantRequestId,
    CheckoutRequestID: payment.checkoutRequestId,
    ResponseCode: strike.kind === 'unlistedCode' ? unlistedCode : '0',
    ResponseDescription: 'Success. Request accepted for processing',
    CustomerMessage: 'Success. Request accepted for processing',
  };
}

function query(payments: MpesaPayments, body: JsonRecord, reply: FastifyReply, strike: HandlerStrike): unknown {
  if (!hasPassword(body)) return failure(reply, 500, '500.001.1001', 'Wrong credentials');
  const payment = payments.find(asText(body.CheckoutRequestID) ?? '');
  if (!payment) return failure(reply, 400, '400.002.02', 'Bad Request - Invalid CheckoutRequestID');
  if (!payment.result) return failure(reply, 500, '500.001.1001', 'The transaction is being processed');
  return {
    ResponseCode: '0',
    ResponseDescription: 'The service request has been accepted successfully',
    MerchantRequestID: payment.merchantRequestId,
    CheckoutRequestID: payment.checkoutRequestId,
    ResultCode: strike.kind === 'unlistedCode' ? unlistedCode : String(payment.result.code),
    ResultDesc: payment.result.description,
  };
}

/** Acknowledges the request only; the result is sent to ResultURL, and is in the transaction list. */
function reverse(
  context: SandboxContext,
  payments: MpesaPayments,
  body: JsonRecord,
  reply: FastifyReply,
  strike: HandlerStrike,
): unknown {
  const resultUrl = asText(body.ResultURL) ?? '';
  const isOurs = body.Initiator === initiator.name && body.SecurityCredential === initiator.credential;
  if (!isOurs) return failure(reply, 400, '400.002.02', 'Bad Request - Invalid Initiator');
  if (body.CommandID !== 'TransactionReversal' || String(body.ReceiverParty) !== shortCode || !URL.canParse(resultUrl))
    return failure(reply, 400, '400.002.02', 'Bad Request - Invalid request');
  const conversationId = `AG_${randomUUID()}`;
  const payment = payments.findByReceipt(asText(body.TransactionID) ?? '');
  const isWhole = payment !== undefined && asWholeAmount(body.Amount) === payment.amount;
  let result: { code: number | string; description: string } = { code: 'R000002', description: 'Invalid transaction' };
  if (payment && isWhole && !strike.refused) {
    result =
      payments.reverse(payment) === 'done'
        ? { code: 0, description: 'The service request is processed successfully.' }
        : { code: 'R000001', description: 'The transaction has already been reversed.' };
  }
  context.callbacks.send({
    provider: 'mpesa',
    path: new URL(resultUrl).pathname,
    compose: () => composeReversalResult(conversationId, result),
  });
  return {
    OriginatorConversationID: conversationId,
    ConversationID: conversationId,
    ResponseCode: strike.kind === 'unlistedCode' ? unlistedCode : '0',
    ResponseDescription: 'Accept the service request successfully.',
  };
}

function pull(payments: MpesaPayments, body: JsonRecord, reply: FastifyReply): unknown {
  const from = timeFromText(String(body.StartDate));
  const to = timeFromText(String(body.EndDate));
  const offset = asWholeAmount(body.OffSetValue);
  if (String(body.ShortCode) !== shortCode || Number.isNaN(from) || Number.isNaN(to) || offset === undefined)
    return failure(reply, 400, '400.002.02', 'Bad Request - Invalid dates');
  if (from < Date.now() - pullHours * 3_600_000 - 60_000)
    return failure(reply, 400, '400.002.02', 'Bad Request - StartDate is more than 48 hours ago');
  const rows = payments
    .all()
    .flatMap(listedRows)
    .filter(({ at }) => at >= from && at < to + 1_000)
    .sort((left, right) => left.at - right.at)
    .slice(offset, offset + pageSize);
  return {
    ResponseRefID: randomUUID(),
    ResponseCode: '1000',
    ResponseMessage: 'Success',
    Response: [rows.map(({ row }) => row)],
  };
}

function listedRows(payment: MpesaPayment): { at: number; row: JsonRecord }[] {
  const row = (transactionId: string, at: number, transactiontype: string) => ({
    at,
    row: {
      transactionId,
      trxDate: new Date(at).toISOString(),
      msisdn: Number(`261${payment.number}`),
      sender: 'MPESA',
      transactiontype,
      billreference: payment.accountReference,
      amount: `${payment.amount}.00`,
      organizationname: 'Sandbox',
    },
  });
  const rows = [];
  if (payment.receipt !== null && payment.takenAt !== null)
    rows.push(row(payment.receipt, payment.takenAt, 'c2b-pay-bill-debit'));
  if (payment.reversal) rows.push(row(payment.reversal.receipt, payment.reversal.at, 'c2b-pay-bill-reversal'));
  return rows;
}

function hasPassword(body: JsonRecord): boolean {
  const timestamp = asText(body.Timestamp) ?? '';
  const password = Buffer.from(`${shortCode}${passkey}${timestamp}`).toString('base64');
  return String(body.BusinessShortCode) === shortCode && /^\d{14}$/.test(timestamp) && body.Password === password;
}

/** The order, or the name of the field that is wrong. */
function readPush(body: JsonRecord): NewMpesaPayment | string {
  const number = /^261(\d{9})$/.exec(String(body.PhoneNumber))?.[1];
  const amount = asWholeAmount(body.Amount);
  const accountReference = asText(body.AccountReference) ?? '';
  const callbackUrl = asText(body.CallBackURL) ?? '';
  if (body.TransactionType !== 'CustomerPayBillOnline') return 'TransactionType';
  if (number === undefined || String(body.PartyA) !== String(body.PhoneNumber)) return 'PhoneNumber';
  if (String(body.PartyB) !== shortCode) return 'PartyB';
  if (amount === undefined || amount < 1) return 'Amount';
  if (!/^[A-Za-z0-9]{1,12}$/.test(accountReference)) return 'AccountReference';
  if (!/^.{1,13}$/.test(asText(body.TransactionDesc) ?? '')) return 'TransactionDesc';
  if (!URL.canParse(callbackUrl)) return 'CallBackURL';
  return { number, amount, accountReference, callbackPath: new URL(callbackUrl).pathname };
}

function failure(reply: FastifyReply, status: number, errorCode: string, errorMessage: string) {
  reply.code(status);
  return { requestId: randomUUID(), errorCode, errorMessage };
}
