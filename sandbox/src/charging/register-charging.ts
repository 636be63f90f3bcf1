import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { SandboxContext } from '../context.ts';
import { withFaults } from '../faults/http-faults.ts';
import { asRecord, asText } from '../wire/json-fields.ts';
import { majorOf } from '../wire/money.ts';
import { invalid, queryText, replyTmfError, requireBearer, TmfError } from '../wire/tmf-error.ts';
import { type BalanceAction, BalanceActions } from './balance-actions.ts';
import { adjust, type Ledger, reserve, topUp } from './balance-operations.ts';
import { type BalanceRequest, findLine, readBalanceRequest } from './balance-request.ts';

const apiKey = 'sandbox-charging-key';
const balanceBase = '/charging/tmf-api/prepayBalanceManagement/v4';
const inventoryBase = '/charging/tmf-api/resourceInventoryManagement/v4';

type Operation = (ledger: Ledger, request: BalanceRequest, refused: boolean) => BalanceAction;

export function registerCharging(app: FastifyInstance, context: SandboxContext): void {
  const { state, numbers } = context;
  const { reservationLifeMs, currency, currencyDigits } = context.settings;
  const ledger: Ledger = { state, actions: new BalanceActions(), reservationLifeMs, currency, currencyDigits };
  state.onReset(() => ledger.actions.reset());

  app.register(async (scope) => {
    scope.addHook('onRequest', async (request) => {
      requireBearer(request, apiKey);
    });
    scope.setErrorHandler((error, _request, reply) => replyTmfError(error, reply));

    const post = (resource: string, operation: string, act: Operation) =>
      scope.post(
        `${balanceBase}/${resource}`,
        withFaults(context, { provider: 'charging', operation, moves: true }, (request, reply, { refused }) => {
          const action = act(ledger, readBalanceRequest(context, request.body), refused);
          reply.code(201);
          return {
            ...action,
            href: `${balanceBase}/${resource}/${action.id}`,
            confirmationDate: action.actionDate,
          };
        }),
      );
    const get = (path: string, operation: string, answer: (request: FastifyRequest) => unknown) =>
      scope.get(
        path,
        withFaults(context, { provider: 'charging', operation, moves: false }, (request) => answer(request)),
      );

    post('topupBalance', 'topup', topUp);
    post('reserveBalance', 'reserve', reserve);
    post('adjustBalance', 'adjust', adjust);

    get(`${balanceBase}/balanceActionHistory`, 'history', (request) => {
      const party = queryText(request, 'partyAccount.id');
      const payment = queryText(request, 'payment.id');
      if (party === undefined && payment === undefined) throw invalid('Give partyAccount.id, payment.id or both.');
      return ledger.actions.history(party, payment);
    });

    get(`${balanceBase}/topupBalance/:id`, 'history', (request) => {
      const action = ledger.actions.find(asText(asRecord(request.params).id) ?? '');
      if (action?.['@type'] !== 'TopupBalance') throw new TmfError(404, '60', 'not found', 'No such top-up.');
      return action;
    });

    get(`${balanceBase}/accumulatedBalance`, 'balance', (request) => {
      const party = queryText(request, 'partyAccount.id');
      if (party === undefined) throw invalid('partyAccount.id is missing.');
      const prepaid = state.balances.prepaid(numbers.lineFromNational(party) ?? '');
      if (!prepaid) return [];
      const quantity = (amount: number) => ({ amount: majorOf(amount, currencyDigits), units: currency });
      return [
        {
          id: `${party}-main`,
          partyAccount: { id: party },
          totalBalance: quantity(prepaid.available),
          reservedBalance: quantity(prepaid.reserved),
        },
      ];
    });

    get(`${balanceBase}/bucket`, 'balance', (request) => {
      const party = queryText(request, 'partyAccount.id');
      if (party === undefined) throw invalid('partyAccount.id is missing.');
      const bundles = state.balances.bundles(findLine(context, party).number);
      return bundles.map((bundle) => ({
        id: bundle.id,
        name: bundle.description,
        usageType: bundle.category.toLowerCase(),
        isUnlimited: bundle.unlimited,
        remainingValue: bundle.amount === null ? undefined : { amount: bundle.amount, units: bundle.unit },
        partyAccount: { id: party },
        validFor: bundle.expiresAt === null ? undefined : { endDateTime: bundle.expiresAt },
      }));
    });

    get(`${inventoryBase}/resource`, 'line', (request) => {
      const value = queryText(request, 'value');
      const line = value === undefined ? undefined : state.line(numbers.lineFromNational(value) ?? '');
      if (!line) return [];
      const characteristics: { name: string; value: string | boolean }[] = [
        { name: 'lineType', value: line.lineType },
        { name: 'broadband', value: line.broadband },
      ];
      if (line.otpRecipient) {
        characteristics.push({ name: 'otpRecipient', value: numbers.national(line.otpRecipient) });
      }
      return [
        {
          id: line.number,
          '@type': 'LogicalResource',
          value,
          startOperatingDate: state.sims.activeSince(line.number),
          resourceCharacteristic: characteristics,
        },
      ];
    });
  });
}
