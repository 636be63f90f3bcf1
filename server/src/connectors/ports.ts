import type { ExchangeRate } from '@portal/domain/exchange.ts';
import type { WireNumber } from '@portal/domain/msisdn.ts';
import type { PaymentReason } from '@portal/domain/payment/reasons.ts';
import type { WaitingFor } from '@portal/domain/payment/shown-status.ts';

/** A charge at a provider. `reference` is ours, fixed before the first call. */
export interface Charge {
  reference: string;
  shortReference: string;
  amount: number;
  currency: string;
  payerMsisdn: WireNumber | '';
  email: string | null;
  language: string;
  /** Where a gateway's page sends the customer's browser back to. */
  returnUrl: string;
  /** For wallets that take a PIN. In clear only here and in the connector; never stored, never logged. */
  pin?: string;
}

/** What a gateway's popup needs to continue a payment that the server registered. */
export interface Popup {
  scriptUrl: string;
  key: string;
  accessCode: string;
  reference: string;
  /** In hundredths, whatever the currency. */
  amount: number;
  currency: string;
  channels: string[];
}

export type StartOutcome =
  /** `isDecided`: the provider already has the result, so enquire at once. */
  | { kind: 'await'; providerReference?: string; isDecided?: boolean }
  | { kind: 'redirect'; url: string; providerReference?: string }
  | { kind: 'popup'; popup: Popup; providerReference?: string }
  | { kind: 'refused'; reason: PaymentReason }
  /** `isRepeated`: the provider already has this reference, so it was sent before. */
  | { kind: 'unclear'; detail: string; isRepeated?: true };

/** A payment that was started, as its provider identifies it. */
export interface Started {
  reference: string;
  shortReference: string;
  providerReference: string | null;
  amount: number;
  currency: string;
  payerMsisdn: WireNumber | '';
  /** When it was first sent, if known: a list need not be read from further back. */
  since?: Date | null;
  /** Its stored callbacks that a key of ours signed, for providers whose responses leave out what these state. */
  callbacks?: () => Promise<readonly Buffer[]>;
}

export type EnquiryOutcome =
  /** Amount and currency are null if the protocol ties them to the reference and the response does not repeat them. */
  | {
      kind: 'paid';
      providerReference: string;
      amount: number | null;
      currency: string | null;
      /** The gateway's fingerprint of the card, if it gives one; the same card always has the same. */
      card?: string;
    }
  | { kind: 'pending' }
  | { kind: 'refused'; reason: PaymentReason }
  /** `isClosed`: as far as the portal knows, nobody can pay at the provider's page any more. */
  | { kind: 'notFound'; isClosed?: true }
  | { kind: 'unclear'; detail: string };

/**
 * The outcome is unknown. `isUnsent`: the request was never sent, so there is nothing to wait for. `isLasting`: the
 * provider's books differ from ours, which no further lookup changes.
 */
export type Unclear = { kind: 'unclear'; detail: string; isUnsent?: true; isLasting?: true };

export type RefundOutcome = { kind: 'refunded' } | Unclear;

export type RefundLookup = { kind: 'refunded' } | { kind: 'notFound' } | Unclear;

/** The delay after which an external system's records are reliable. */
interface Lagging {
  /** In seconds: how much later an accepted request may show up in its enquiries. Ten minutes by default. */
  readonly lag?: number;
}

/** A callback only says which payment to enquire about; `signed` tells whether the sender is authenticated. */
export interface CallbackHint {
  reference: string | null;
  signed: boolean;
}

export interface PaymentGateway extends Lagging {
  readonly name: string;
  readonly waitingFor: WaitingFor;
  /** The provider refuses a second charge under the same reference for ever, without taking money. */
  readonly refusesRepeats?: boolean;
  /** In seconds after a failure: until then the money may still be taken. */
  readonly lateMoneyTerm?: number;
  start(charge: Charge): Promise<StartOutcome>;
  enquire(payment: Started): Promise<EnquiryOutcome>;
  refund(payment: Started): Promise<RefundOutcome>;
  /** Only reads. If a provider has no such call, it must refuse a second refund of the same payment. */
  findRefund?(payment: Started): Promise<RefundLookup>;
  /** `path` is what follows /callbacks/{name}/ in the URL that the provider called. */
  parseCallback(body: Buffer, headers: Record<string, unknown>, path: string): CallbackHint;
  /** Whether and when it refunds on request is not documented, so no time is promised to the customer. */
  readonly isRefundUndocumented?: true;
  /** Whether this value in the return URL means that the payer left the page without paying. */
  isLeft?(word: string): boolean;
  /** Likewise for a card that was declined, or a payment that failed, on its page. */
  isDeclined?(word: string): boolean;
  /** The part of the provider's reference that the payer may see, if the stored one contains more. */
  receiptOf?(providerReference: string): string;
}

/** One payment in a provider's list of a day. It has no time, since providers' formats are of no use here. */
export interface StatementEntry {
  reference: string;
  amount: number;
  currency: string;
  givenBack: boolean;
}

/** Only some providers list their payments; the daily reconciliation reads those. */
export interface StatementSource {
  statement(day: { from: Date; to: Date }): Promise<StatementEntry[] | null>;
}

/** Whether a number has a wallet. Asked only after its owner proved the number, so that nobody else learns it. */
export interface WalletUsers {
  hasWallet(msisdn: WireNumber): Promise<'yes' | 'no' | 'unclear'>;
}

export type DeliveredItem =
  | { kind: 'airtime' }
  | {
      kind: 'bundle';
      productCode: string;
      description: string;
      usageType: string;
      content: { amount: number; units: string } | null;
      isUnlimited: boolean;
      /** Null if it never expires. */
      validityDays: number | null;
    }
  /** `billNo` identifies one invoice; without it the payment is for the balance of the account. */
  | { kind: 'bill'; accountNo: string; billNo: string | null }
  /** Requested home broadband, which the operator's people install. */
  | { kind: 'order'; leadId: string; productCode: string };

export interface Delivery {
  reference: string;
  msisdn: WireNumber | '';
  amount: number;
  currency: string;
  item: DeliveredItem;
}

export type DeliveryOutcome =
  | { kind: 'delivered'; providerReference: string }
  | { kind: 'refused'; detail: string }
  | Unclear;

export type DeliveryLookup =
  | { kind: 'delivered'; providerReference: string }
  | { kind: 'notFound' }
  | { kind: 'unclear'; detail: string };

/** Delivers what was paid for. */
export interface Fulfilment extends Lagging {
  deliver(delivery: Delivery): Promise<DeliveryOutcome>;
  /** The system does not refuse a second delivery under the same key, so look before every retry. */
  findDelivery(delivery: Delivery): Promise<DeliveryLookup>;
  /** Whether somebody else has already paid what this delivery would pay; false if unknown. */
  isSettled?(delivery: Delivery): Promise<boolean>;
}

export type LineLookup =
  | {
      kind: 'line';
      lineType: 'PREPAID' | 'POSTPAID' | 'HYBRID';
      broadband: boolean;
      /** The number that gets the codes of a line without a screen, such as a router. */
      codeRecipient: WireNumber | null;
      /** When it was activated; null if unknown. */
      since: Date | null;
    }
  | { kind: 'none' }
  | { kind: 'unclear'; detail: string };

export interface BalanceEntry {
  service: 'AIRTIME' | 'DATA' | 'VOICE' | 'SMS';
  description: string;
  isUnlimited: boolean;
  /** Airtime in minor units; anything else in `units`. */
  amount: number;
  units: string;
  expiresAt: Date | null;
}

export type BalanceLookup = { kind: 'balances'; entries: BalanceEntry[] } | { kind: 'unclear'; detail: string };

/** Delivers airtime and bundles. */
export interface Charging extends Fulfilment {
  findLine(msisdn: WireNumber): Promise<LineLookup>;
  balances(msisdn: WireNumber): Promise<BalanceLookup>;
}

export interface Invoice {
  accountNo: string;
  invoiceNo: string;
  dueDate: string;
  periodStart: string;
  periodEnd: string;
  currency: string;
  /** As the billing system states it, in major units with decimals, such as "45250.40". */
  outstanding: string;
  isPaid: boolean;
}

export type AccountMatch =
  | { kind: 'match'; accountNo: string }
  /** Which of the two it is reveals whether the account exists: log it, but tell nobody else. */
  | { kind: 'mismatch' }
  | { kind: 'unknown' }
  | { kind: 'unclear'; detail: string };

/** Takes bill payments and returns what is owed. The caller has to prove who may see it. */
export interface Billing extends Fulfilment {
  owedByLine(
    msisdn: WireNumber,
  ): Promise<
    | { kind: 'owed'; accountNo: string; outstanding: string; currency: string }
    | { kind: 'none' }
    | { kind: 'unclear'; detail: string }
  >;
  matchAccount(msisdn: WireNumber, accountNo: string): Promise<AccountMatch>;
  invoices(account: { accountNo: string; email: string }): Promise<
    | { kind: 'invoices'; invoices: Invoice[]; lineNumber: WireNumber | null; contactMsisdn: WireNumber | null }
    /** Account and email do not match, or there is no such account: reported alike. */
    | { kind: 'none' }
    | { kind: 'unclear'; detail: string }
  >;
  /** The current state of one invoice, to price a payment. */
  invoice(
    invoiceNo: string,
  ): Promise<{ kind: 'invoice'; invoice: Invoice } | { kind: 'none' } | { kind: 'unclear'; detail: string }>;
}

/** A request for home broadband, as handed to the operator's sales people. */
export interface HandedLead {
  id: string;
  fullName: string;
  contactNumber: string;
  email: string;
  isFeasible: boolean;
  address: { city: string; street: string; landmark: string; country: string; lat: number | null; lng: number | null };
  plan: { code: string; description: string; amount: number; currency: string };
  source: string;
  reference: string;
  worksId: string | null;
  createdAt: Date;
}

export type LeadHandover =
  | { kind: 'accepted'; reference: string }
  | { kind: 'refused'; detail: string }
  | { kind: 'unclear'; detail: string };

export type CrmStage = 'received' | 'scheduled' | 'installed' | 'closed';

/** Receives leads for the operator's sales people, reports their stage, and takes the order once it is paid. */
export interface LeadReceiver extends Fulfilment {
  /** Idempotent: the CRM identifies a lead by our id. */
  hand(lead: HandedLead): Promise<LeadHandover>;
  stageOf(
    leadId: string,
  ): Promise<{ kind: 'stage'; stage: CrmStage } | { kind: 'none' } | { kind: 'unclear'; detail: string }>;
}

/** Where home broadband is to be installed; the point is the one set on the map. */
export interface InstallationPlace {
  reference: string;
  productCode: string;
  town: string;
  country: string;
  point: { lat: number; lng: number } | null;
}

export type QualificationOutcome = { kind: 'served' } | { kind: 'notServed' } | { kind: 'unclear'; detail: string };

/** Knows more exactly than a list of towns whether a place can be served. */
export interface Qualification {
  check(place: InstallationPlace): Promise<QualificationOutcome>;
}

export interface GeocodedPlace {
  label: string;
  lat: number;
  lng: number;
}

/** An empty list is a valid result: there is no such place. */
export type GeocodeOutcome = { kind: 'found'; places: GeocodedPlace[] } | { kind: 'unclear'; detail: string };

/** Finds addresses that our own gazetteer lacks. */
export interface Geocoder {
  find(address: string, locale: string): Promise<GeocodeOutcome>;
  nearest(point: { lat: number; lng: number }, locale: string): Promise<GeocodeOutcome>;
}

export type RateOutcome = { kind: 'rate'; rate: ExchangeRate } | { kind: 'unclear'; detail: string };

/** Returns the price of one currency in another, and its time. */
export interface ExchangeRates {
  rate(from: string, to: string): Promise<RateOutcome>;
}

export type SimSwapOutcome = { kind: 'swapped' } | { kind: 'notSwapped' } | { kind: 'unclear'; detail: string };

/** Knows whether a number recently got another SIM. */
export interface SimSwaps {
  check(msisdn: WireNumber, withinHours: number): Promise<SimSwapOutcome>;
}

export interface SmsSender {
  /** Resolves when the SMS centre has accepted the message, rejects otherwise. */
  send(message: { to: string; text: string }): Promise<{ messageId: string }>;
  close(): Promise<void>;
}

export interface MailSender {
  send(mail: {
    to: string;
    subject: string;
    text: string;
    /** The same for a retry of the same mail, so that mail systems can drop the duplicate. */
    messageId?: string;
    attachments?: { filename: string; content: Buffer; contentType: string }[];
  }): Promise<void>;
  close(): Promise<void>;
}
