import type { ExchangeRate } from '@portal/domain/exchange.ts';
import type { WireNumber } from '@portal/domain/msisdn.ts';
import type { PaymentReason } from '@portal/domain/payment/reasons.ts';
import type { WaitingFor } from '@portal/domain/payment/shown.ts';

/** What a provider is asked to take. `reference` is ours, fixed before the first call. */
export interface Charge {
  reference: string;
  shortReference: string;
  amount: number;
  currency: string;
  payerMsisdn: WireNumber | '';
  email: string | null;
  language: string;
  /** Where the customer's browser comes back to from a gateway's own page. */
  returnUrl: string;
  /** In clear only here and in the connector, for wallets that take a PIN; never stored, never logged. */
  pin?: string;
}

/** What a gateway's own popup needs to go on with a payment that the server registered. */
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
  /** `isDecided`: the provider has nothing more to wait for, so it is asked for the result at once. */
  | { kind: 'await'; providerReference?: string; isDecided?: boolean }
  | { kind: 'redirect'; url: string; providerReference?: string }
  | { kind: 'popup'; popup: Popup; providerReference?: string }
  | { kind: 'refused'; reason: PaymentReason }
  /** `isRepeated`: the provider has the reference already, so somebody sent it before. */
  | { kind: 'unclear'; detail: string; isRepeated?: true };

/** A payment that was started, as its provider knows it. */
export interface Started {
  reference: string;
  shortReference: string;
  providerReference: string | null;
  amount: number;
  currency: string;
  payerMsisdn: WireNumber | '';
}

export type EnquiryOutcome =
  /** Amount and currency are null where the protocol ties them to the reference and its answers do not repeat them. */
  | {
      kind: 'paid';
      providerReference: string;
      amount: number | null;
      currency: string | null;
      /** The gateway's own fingerprint of the card, where it gives one: the same card has the same one each time. */
      card?: string;
    }
  | { kind: 'pending' }
  | { kind: 'refused'; reason: PaymentReason }
  /** `isClosed`: where it was to be paid nobody can pay any more, as far as this side knows. */
  | { kind: 'notFound'; isClosed?: true }
  | { kind: 'unclear'; detail: string };

/** What cannot be told. `isUnsent`: the request never left, so there is nothing to wait for. */
export type Unclear = { kind: 'unclear'; detail: string; isUnsent?: true };

export type RefundOutcome = { kind: 'refunded' } | Unclear;

export type RefundLookup = { kind: 'refunded' } | { kind: 'notFound' } | Unclear;

/** How a system outside behaves that gives no answer. */
interface Lagging {
  /** In seconds: what it took in may show so much later in what it tells. Ten minutes where nothing else is known. */
  readonly lag?: number;
}

/** A callback only says which payment to ask about; `signed` tells whether we believe who sent it. */
export interface CallbackHint {
  reference: string | null;
  signed: boolean;
}

export interface PaymentGateway extends Lagging {
  readonly name: string;
  readonly waitingFor: WaitingFor;
  /** It knows a reference for good: a charge that is sent again under the same one is refused, and takes nothing. */
  readonly refusesRepeats?: boolean;
  /** In seconds after a failure: until then it may take the money all the same. */
  readonly lateMoneyTerm?: number;
  start(charge: Charge): Promise<StartOutcome>;
  enquire(payment: Started): Promise<EnquiryOutcome>;
  refund(payment: Started): Promise<RefundOutcome>;
  /** Only looks. Where a provider offers no look, it is one that refuses a second refund of the same payment. */
  findRefund?(payment: Started): Promise<RefundLookup>;
  /** `path` is what follows /callbacks/{name}/ in the address the provider called. */
  parseCallback(body: Buffer, headers: Record<string, unknown>, path: string): CallbackHint;
  /** Nobody could show us that it gives money back when it is asked to, or by when: no hour is promised for it. */
  readonly isRefundBelieved?: true;
  /** Whether this is its word, in the address by which a browser comes back, for a payer who left its page without paying. */
  saysLeft?(word: string): boolean;
  /** Likewise for a card that was declined on its page, or a payment that failed there. */
  saysDeclined?(word: string): boolean;
  /** The part of a paid payment's reference that its payer may know, where more is kept to ask with. */
  receiptOf?(providerReference: string): string;
}

/** One payment as its provider lists it for a day; `takenAt` in the provider's words is of no use to us. */
export interface StatementEntry {
  reference: string;
  amount: number;
  currency: string;
  givenBack: boolean;
}

/** Only some providers list what they took; the daily comparison asks those that do. */
export interface StatementSource {
  statement(day: { from: Date; to: Date }): Promise<StatementEntry[] | null>;
}

/** Whether a number has a wallet; asked when its owner proved the number, so it tells nobody else. */
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
      /** Null never ends. */
      validityDays: number | null;
    }
  /** `billNo` names one invoice; without it the payment is for what the account owes. */
  | { kind: 'bill'; accountNo: string; billNo: string | null }
  /** Home broadband that somebody asked for; the operator's people bring it. */
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

/** Whatever brings the customer what was paid for. */
export interface Fulfilment extends Lagging {
  deliver(delivery: Delivery): Promise<DeliveryOutcome>;
  /** A delivery carries no key of ours that its system would refuse twice: look before every retry. */
  findDelivery(delivery: Delivery): Promise<DeliveryLookup>;
  /** Whether somebody else has paid by now for what this would pay; false where it cannot be told. */
  isSettled?(delivery: Delivery): Promise<boolean>;
}

export type LineLookup =
  | {
      kind: 'line';
      lineType: 'PREPAID' | 'POSTPAID' | 'HYBRID';
      broadband: boolean;
      /** Who gets the codes of a line that has no screen, such as a router. */
      codeRecipient: WireNumber | null;
      /** When it was activated; null where nobody says. */
      since: Date | null;
    }
  | { kind: 'none' }
  | { kind: 'unclear'; detail: string };

export interface BalanceEntry {
  service: 'AIRTIME' | 'DATA' | 'VOICE' | 'SMS';
  description: string;
  isUnlimited: boolean;
  /** Airtime in whole minor units; anything else in `units`. */
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
  /** As the billing system states it, in major units with its fraction, such as "45250.40". */
  outstanding: string;
  isPaid: boolean;
}

export type AccountMatch =
  | { kind: 'match'; accountNo: string }
  /** Which of the two it is tells whether the account exists: for the log, and for nobody else. */
  | { kind: 'mismatch' }
  | { kind: 'unknown' }
  | { kind: 'unclear'; detail: string };

/** Takes bill payments, and tells what is owed. Who may know it is the caller's to prove. */
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
    /** Account and email do not belong together, or there is no such account: told alike. */
    | { kind: 'none' }
    | { kind: 'unclear'; detail: string }
  >;
  /** One invoice as it stands now, to price a payment. */
  invoice(
    invoiceNo: string,
  ): Promise<{ kind: 'invoice'; invoice: Invoice } | { kind: 'none' } | { kind: 'unclear'; detail: string }>;
}

/** A request for home broadband as the operator's sales people get it. */
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

export type LeadStage = 'received' | 'scheduled' | 'installed' | 'closed';

/** The operator's CRM: takes leads, knows how far they are, and takes the order once it is paid. */
export interface LeadDesk extends Fulfilment {
  /** The same lead sent twice is one lead there: it is known by our id. */
  hand(lead: HandedLead): Promise<LeadHandover>;
  stageOf(
    leadId: string,
  ): Promise<{ kind: 'stage'; stage: LeadStage } | { kind: 'none' } | { kind: 'unclear'; detail: string }>;
}

/** Where home broadband is to be installed; the point is what somebody set on the map. */
export interface InstallationPlace {
  reference: string;
  productCode: string;
  town: string;
  country: string;
  point: { lat: number; lng: number } | null;
}

export type QualificationOutcome = { kind: 'served' } | { kind: 'notServed' } | { kind: 'unclear'; detail: string };

/** Knows better than a list of towns whether a place can be served. */
export interface Qualification {
  check(place: InstallationPlace): Promise<QualificationOutcome>;
}

export interface GeocodedPlace {
  label: string;
  lat: number;
  lng: number;
}

/** An empty list is an answer: there is no such place. */
export type GeocodeOutcome = { kind: 'found'; places: GeocodedPlace[] } | { kind: 'unclear'; detail: string };

/** Knows addresses that our own gazetteer does not. */
export interface Geocoder {
  find(address: string, locale: string): Promise<GeocodeOutcome>;
  nearest(point: { lat: number; lng: number }, locale: string): Promise<GeocodeOutcome>;
}

export type RateOutcome = { kind: 'rate'; rate: ExchangeRate } | { kind: 'unclear'; detail: string };

/** Tells what one currency costs in another, and since when. */
export interface ExchangeRates {
  rate(from: string, to: string): Promise<RateOutcome>;
}

export type SimSwapOutcome = { kind: 'swapped' } | { kind: 'notSwapped' } | { kind: 'unclear'; detail: string };

/** Knows whether a number got another SIM lately. */
export interface SimSwaps {
  check(msisdn: WireNumber, withinHours: number): Promise<SimSwapOutcome>;
}

export interface SmsSender {
  /** Resolves when the centre has accepted the message, rejects otherwise. */
  send(message: { to: string; text: string }): Promise<{ messageId: string }>;
  close(): Promise<void>;
}

export interface MailSender {
  send(mail: {
    to: string;
    subject: string;
    text: string;
    /** The same for the same mail sent again, so that mail systems can drop the second one. */
    messageId?: string;
    attachments?: { filename: string; content: Buffer; contentType: string }[];
  }): Promise<void>;
  close(): Promise<void>;
}
