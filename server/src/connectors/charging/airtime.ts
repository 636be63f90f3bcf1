import type { SettingsOf } from '../../config/provider-settings.ts';
import type { ConnectGateway } from '../gateway-context.ts';
import type { HttpClient } from '../http-client.ts';
import { majorNumber } from '../major-amount.ts';
import type { EnquiryOutcome, PaymentGateway, RefundLookup } from '../ports.ts';
import { termsOf } from '../provider-terms.ts';
import { TmfClient, unclear } from '../tmf-client.ts';
import { isUnsent, notReached } from '../unsent.ts';
import { type AirtimeState, airtimeState, reasonOf, refundedTotal } from './airtime-state.ts';
import { balanceApi, type ChargingSettings } from './index.ts';
import { type BalanceAction, readAction, readHistory } from './messages.ts';
import type { chargingSettings } from './settings.ts';

type Payment = { reference: string; payerMsisdn: string; amount: number; currency: string };
type Adjustment = { adjustType: 'commit' | 'release'; reservation: string } | { adjustType: 'credit' };

/**
 * Airtime as a way to pay: reserve, then commit. A reservation can be closed once, by a commit or a release. So two
 * payments cannot spend the same airtime, and a repeated commit takes nothing twice.
 */
export function airtimeGateway(name: string, http: HttpClient, settings: ChargingSettings): PaymentGateway {
  const client = new TmfClient(http, settings);
  const { digits } = settings;

  const basics = ({ reference, payerMsisdn }: Payment) => ({
    usageType: 'monetary',
    bucket: { id: payerMsisdn },
    partyAccount: { id: payerMsisdn },
    payment: { id: reference },
  });

  function adjust(payment: Payment, adjustment: Adjustment) {
    const { currency } = payment;
    const amount = majorNumber(payment.amount, digits);
    return client.post(`${balanceApi}/adjustBalance`, {
      ...basics(payment),
      adjustType: adjustment.adjustType,
      amount: { amount: adjustment.adjustType === 'credit' ? amount : -amount, units: currency },
      ...('reservation' in adjustment ? { reserveBalance: { id: adjustment.reservation } } : {}),
    });
  }

  async function history(payment: Payment): Promise<BalanceAction[] | { kind: 'unclear'; detail: string }> {
    const { reference, payerMsisdn: msisdn } = payment;
    const query = { 'partyAccount.id': msisdn, 'payment.id': reference };
    const answer = await client.get(`${balanceApi}/balanceActionHistory`, query);
    const asked = { reference, msisdn, types: ['ReserveBalance', 'AdjustBalance'], digits };
    return readHistory(answer, asked) ?? unclear(answer);
  }

  async function stateOf(payment: Payment): Promise<AirtimeState> {
    const actions = await history(payment);
    return Array.isArray(actions) ? airtimeState(actions) : actions;
  }

  return {
    name,
    waitingFor: 'payer',
    ...termsOf(settings),

    async start(charge) {
      const amount = { amount: majorNumber(charge.amount, digits), units: charge.currency };
      const answer = await client.post(`${balanceApi}/reserveBalance`, { ...basics(charge), amount });
      if (isUnsent(answer)) return notReached;
      const reserved = readAction(answer);
      if (reserved.kind === 'refused') return { kind: 'refused', reason: reasonOf(reserved.reason) };
      if (reserved.kind === 'unclear') return reserved;
      // Even a refused commit proves nothing: a concurrent enquiry may have committed before it.
      await adjust(charge, { adjustType: 'commit', reservation: reserved.id });
      return { kind: 'await', isDecided: true, providerReference: reserved.id };
    },

    async enquire(payment) {
      let state = await stateOf(payment);
      // The portal crashed between the two steps. The customer had agreed, and the reservation still holds.
      if (state.kind === 'reserved') {
        await adjust(payment, { adjustType: 'commit', reservation: state.reservation });
        state = await stateOf(payment);
      }
      // Only a closed reservation proves that nothing will be taken.
      if (state.kind === 'commitRefused') {
        await adjust(payment, { adjustType: 'release', reservation: state.reservation });
        state = await stateOf(payment);
      }
      return outcomeOf(state);
    },

    async refund(payment) {
      const actions = await history(payment);
      if (!Array.isArray(actions)) return actions;
      const returned = returnedOf(actions, payment);
      if (returned.kind !== 'notFound') return returned;
      const state = airtimeState(actions);
      if (state.kind !== 'taken' || state.amount < payment.amount)
        return { kind: 'unclear', detail: 'less was taken than is to be given back' };
      const credited = readAction(await adjust(payment, { adjustType: 'credit' }));
      if (credited.kind === 'done') return { kind: 'refunded' };
      return credited.kind === 'refused' ? { kind: 'unclear', detail: credited.reason } : credited;
    },

    async findRefund(payment) {
      const actions = await history(payment);
      return Array.isArray(actions) ? returnedOf(actions, payment) : actions;
    },

    parseCallback: () => ({ reference: null, signed: false }),
  };
}

function returnedOf(actions: readonly BalanceAction[], payment: Payment): RefundLookup {
  const returned = refundedTotal(actions);
  if (returned === payment.amount) return { kind: 'refunded' };
  return returned === 0
    ? { kind: 'notFound' }
    : { kind: 'unclear', detail: 'another amount was given back', isLasting: true };
}

function outcomeOf(state: AirtimeState): EnquiryOutcome {
  switch (state.kind) {
    case 'taken':
      return { kind: 'paid', providerReference: state.id, amount: state.amount, currency: state.currency };
    case 'refused':
      return state;
    case 'nothing':
      return { kind: 'notFound' };
    case 'unclear':
      return state;
    default:
      return { kind: 'unclear', detail: 'the reservation is still open' };
  }
}

export const connectAirtime: ConnectGateway<SettingsOf<typeof chargingSettings>> = (
  name,
  { http, pack, terms },
  settings,
) => airtimeGateway(name, http, { ...settings, ...terms, digits: pack.currency.digits });
