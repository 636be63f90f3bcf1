import type { PaymentReason } from '@portal/domain/payment/reasons.ts';
import type { WaitingFor } from '@portal/domain/payment/shown.ts';

/** What a provider is asked to take. `reference` is ours, fixed before the first call. */
export interface Charge {
  reference: string;
  shortReference: string;
  amount: number;
  currency: string;
  payerMsisdn: string;
  email: string | null;
  language: string;
}

export type StartOutcome =
  | { kind: 'await'; providerReference?: string }
  | { kind: 'redirect'; url: string; providerReference?: string }
  | { kind: 'refused'; reason: PaymentReason }
  | { kind: 'unclear'; detail: string };

export type EnquiryOutcome =
  | { kind: 'paid'; providerReference: string; amount: number; currency: string }
  | { kind: 'pending' }
  | { kind: 'refused'; reason: PaymentReason }
  | { kind: 'notFound' }
  | { kind: 'unclear'; detail: string };

export type RefundOutcome = { kind: 'refunded' } | { kind: 'unclear'; detail: string };

/** A callback only says which payment to ask about; `signed` tells whether we believe who sent it. */
export interface CallbackHint {
  reference: string | null;
  signed: boolean;
}

export interface PaymentGateway {
  readonly name: string;
  readonly waitingFor: WaitingFor;
  start(charge: Charge): Promise<StartOutcome>;
  enquire(payment: { reference: string; providerReference: string | null }): Promise<EnquiryOutcome>;
  refund(payment: {
    reference: string;
    providerReference: string;
    amount: number;
    currency: string;
  }): Promise<RefundOutcome>;
  parseCallback(body: Buffer, headers: Record<string, unknown>): CallbackHint;
}

export interface Delivery {
  reference: string;
  msisdn: string;
  amount: number;
  currency: string;
}

export type DeliveryOutcome =
  | { kind: 'delivered'; providerReference: string }
  | { kind: 'refused'; detail: string }
  | { kind: 'unclear'; detail: string };

export type DeliveryLookup =
  | { kind: 'delivered'; providerReference: string }
  | { kind: 'notFound' }
  | { kind: 'unclear'; detail: string };

export type LineLookup =
  | { kind: 'line'; lineType: 'PREPAID' | 'POSTPAID' | 'HYBRID'; broadband: boolean }
  | { kind: 'none' }
  | { kind: 'unclear'; detail: string };

export interface Charging {
  topUp(delivery: Delivery): Promise<DeliveryOutcome>;
  /** A top-up carries no key of ours that the charging system would refuse twice: look before every retry. */
  findTopUp(delivery: Delivery): Promise<DeliveryLookup>;
  findLine(msisdn: string): Promise<LineLookup>;
}

export interface SmsSender {
  /** Resolves when the centre has accepted the message, rejects otherwise. */
  send(message: { to: string; text: string }): Promise<{ messageId: string }>;
  close(): Promise<void>;
}

export interface MailSender {
  send(mail: { to: string; subject: string; text: string }): Promise<void>;
  close(): Promise<void>;
}
