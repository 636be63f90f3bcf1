import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { SandboxContext } from '../context.ts';
import { withFaults } from '../faults/http-faults.ts';
import { asRecord, asText } from '../wire/json-fields.ts';
import { invalid, queryText, replyTmfError, requireBearer, TmfError } from '../wire/tmf-error.ts';
import { BillPayments } from './bill-payments.ts';
import { accountOnWire, billOnWire } from './billing-wire.ts';

const apiKey = 'sandbox-billing-key';
const accountBase = '/billing/tmf-api/accountManagement/v4';
const billBase = '/billing/tmf-api/customerBillManagement/v4';
const paymentBase = '/billing/tmf-api/paymentManagement/v4';
const emailFilter = 'contact.contactMedium.characteristic.emailAddress';
const unknownAccount = /^99999999/;

/** Accounts by TMF666, bills by TMF678, payments by TMF676. */
export function registerBilling(app: FastifyInstance, context: SandboxContext): void {
  const { state, numbers } = context;
  const { currency } = context.settings;
  const payments = new BillPayments(context);
  state.onReset(() => payments.reset());

  app.register(async (scope) => {
    scope.addHook('onRequest', async (request) => requireBearer(request, apiKey));
    scope.setErrorHandler((error, _request, reply) => replyTmfError(error, reply));
    const get = (path: string, operation: string, answer: (request: FastifyRequest) => unknown) =>
      scope.get(
        path,
        withFaults(context, { provider: 'billing', operation, moves: false }, (request) => answer(request)),
      );

    get(`${accountBase}/billingAccount`, 'account', (request) => {
      const id = queryText(request, 'id');
      const party = queryText(request, 'relatedParty.id');
      const email = queryText(request, emailFilter)?.toLowerCase();
      if (id === undefined && party === undefined) throw invalid('Give id or relatedParty.id.');
      const account =
        id === undefined
          ? state.accounts.ofLine(numbers.lineFromNational(party ?? '') ?? '')
          : state.accounts.account(id);
      if (!account || (email !== undefined && account.email !== email)) return [];
      return [accountOnWire(account, numbers)];
    });

    get(`${accountBase}/billingAccount/:id`, 'account', (request) => {
      const id = asText(asRecord(request.params).id) ?? '';
      if (unknownAccount.test(id)) throw new TmfError(404, '60005', 'unknown account', 'This account does not exist.');
      const account = state.accounts.account(id);
      const party = queryText(request, 'relatedParty.id');
      const belongs = account?.line && (party === undefined || numbers.national(account.line) === party);
      if (!account || !belongs) {
        const message = 'The account number does not match this mobile number.';
        throw new TmfError(404, '60119', 'account mismatch', message);
      }
      return accountOnWire(account, numbers);
    });

    get(`${billBase}/customerBill`, 'bill', (request) => {
      const billNo = queryText(request, 'billNo');
      const accountNo = queryText(request, 'billingAccount.id');
      if (billNo === undefined && accountNo === undefined) throw invalid('Give billNo or billingAccount.id.');
      const bills = state.accounts.account(accountNo ?? billNo?.split('-')[0] ?? '')?.bills ?? [];
      return bills
        .filter((bill) => billNo === undefined || bill.billNo === billNo)
        .map((bill) => billOnWire(bill, currency));
    });

    get(`${paymentBase}/payment`, 'history', (request) => {
      const correlatorId = queryText(request, 'correlatorId');
      if (correlatorId === undefined) throw invalid('correlatorId is missing.');
      return payments.find(correlatorId);
    });

    scope.post(
      `${paymentBase}/payment`,
      withFaults(context, { provider: 'billing', operation: 'pay', moves: true }, (request, reply, { refused }) => {
        const payment = payments.take(request.body, refused);
        reply.code(201);
        return payment;
      }),
    );
  });
}
