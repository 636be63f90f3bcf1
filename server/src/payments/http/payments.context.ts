import type { WireNumber } from '@portal/domain/msisdn.ts';
import type { OperatorPack, PaymentMethod } from '@portal/domain/operator.ts';
import type { WaitingFor } from '@portal/domain/payment/shown-status.ts';
import type { Bills } from '../../bills/bills.service.ts';
import type { Budgets } from '../../budgets/budgets.service.ts';
import type { Bundles } from '../../bundles/bundles.service.ts';
import type { PaymentGateway } from '../../connectors/ports.ts';
import type { Texts } from '../../content/content.service.ts';
import type { Exchange } from '../../exchange/exchange.service.ts';
import { PortalError } from '../../http/portal-error.ts';
import type { RateLimits } from '../../http/rate-limit.ts';
import type { Visits } from '../../http/visits.ts';
import type { Leads } from '../../leads/leads.service.ts';
import type { Lines } from '../../lines/lines.service.ts';
import type { Otp } from '../../otp/otp.service.ts';
import type { Pins } from '../../pins/pins.service.ts';
import type { Ways } from '../../ways/ways.service.ts';
import { paymentIdPattern } from '../core/payment-id.ts';
import { walletOf } from '../core/payments.guards.ts';
import { withWorksMode } from '../core/payments.quote.ts';
import type { Payment } from '../core/payments.store.ts';
import type { Payments } from '../payments.service.ts';

export interface PaymentRoutes {
  payments: Payments;
  lines: Lines;
  bundles: Bundles;
  bills: Bills;
  leads: Pick<Leads, 'payable'>;
  exchange: Exchange;
  otp: Otp;
  pins: Pins;
  budgets: Pick<Budgets, 'networks'>;
  limits: Pick<RateLimits, 'take'>;
  ways: Ways;
  pack: OperatorPack;
  methods: readonly PaymentMethod[];
  gateways: ReadonlyMap<string, PaymentGateway>;
  texts: Texts;
  visits: Visits;
  statusUrl: (id: string, language: string) => string;
  now: () => Date;
}

export type PaymentContext = ReturnType<typeof paymentContext>;

/** Shared by the payment handlers: finding the payment and its way to pay, and refusing. */
export function paymentContext(routes: PaymentRoutes) {
  const { payments, pack, gateways, pins } = routes;
  const methods = withWorksMode(routes.methods);

  function locked({ type }: PaymentMethod): PortalError {
    const wallet = type === 'AM' ? `${pack.brand.name} Money` : 'Smart Cash';
    return new PortalError('walletLocked', { attemptsLeft: 0 }, { wallet });
  }

  return {
    ...routes,
    methods,
    locked,
    unknownPayment: () => new PortalError('paymentUnknown'),
    notVerified: () => new PortalError('notVerified'),
    waitingFor: (payment: Payment): WaitingFor => gateways.get(payment.gateway)?.waitingFor ?? 'payer',

    async found(id: string) {
      const record = paymentIdPattern.test(id) ? await payments.find(id) : undefined;
      if (!record) throw new PortalError('paymentUnknown');
      return record;
    },

    methodOf(payment: Payment): PaymentMethod {
      const method = methods.find((one) => one.gateway === payment.gateway && one.mode === payment.payment_mode);
      if (!method) throw new PortalError('methodWithdrawn');
      return method;
    },

    async refuseLocked(method: PaymentMethod, msisdn: string): Promise<void> {
      if ((await pins.triesLeft(walletOf(method.gateway, msisdn))) === 0) throw locked(method);
    },
  };
}

/** Numbers are sent in clear or encrypted. An empty one counts as clear. */
export const isClear = (given: string): given is WireNumber | '' => /^\d*$/.test(given);
