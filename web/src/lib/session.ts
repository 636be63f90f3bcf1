import type { TransactionType } from '@portal/domain/transaction-types.ts';
import { sessionStore } from './storage.ts';
import { type Theme, theme } from './theme.ts';

/** What is being bought. With script it is in session storage, without script it travels sealed in the URL. */
export interface QueryData {
  msisdn: string;
  emailId?: string;
  enableDualCurrency?: boolean;
  usdAmount?: number;
  amount: number;
  lineType?: string;
  transactionType: TransactionType;
  productCode?: string;
  description?: string;
  currency: string;
  data?: string;
  dataUnit?: string;
  redirectPage: string;
  rechargeType?: string;
  /** The theme in which the flow was entered; later pages use it too. */
  theme?: Theme;
  flow?: string;
  bundleInfo?: { amount: number; lineType?: string; description?: string; data?: string; dataUnit?: string };
  invoiceDetail?: {
    accountNo: string;
    invoiceNo: string;
    billingStartDate?: string;
    billingEndDate?: string;
    dueDate?: string;
    /** Proves that this visitor was shown the invoice. */
    invoiceToken?: string;
  };
  /** The gateways that may be used: those offered, unless the link to the payment page named some of them. */
  pgOptions?: { paymentOpt: string }[];
  /** The lead of a home-broadband order. */
  leadId?: string;
  /** Random, created with the order: whatever is tried to pay it, it is bought once. */
  orderId?: string;
}

/** The device chosen on the page before the home-broadband form. */
export interface DevicesDetail {
  heading_image: string;
  deviceName: string;
  features: string[];
}

/** A sales visit by the brand's own staff. */
export interface WorksVisit {
  id: string;
}

/** The values of such a visit in the URL and the session. */
export const worksName = (brand: string) => `is${brand}Works`;

const keys = {
  order: 'QueryData',
  attempt: 'paymentAttempt',
  submitted: 'paymentSubmitted',
  language: 'selectedLanguage',
  redirect: 'redirect_url',
  devices: 'devices_detail',
  worksId: 'id',
  lead: 'lead_flow',
  paid: 'paidOrders',
  outcomes: 'countedOutcomes',
  votes: 'votedQuestions',
} as const;

const entry = <T>(key: string) => ({
  read: () => sessionStore.read<T>(key),
  write: (value: T) => sessionStore.write(key, value),
  clear: () => sessionStore.remove(key),
});

const order = entry<QueryData>(keys.order);
const attempt = entry<{ fingerprint: string; key: string }>(keys.attempt);
const submitted = entry<string>(keys.submitted);
const paid = entry<Record<string, QueryData>>(keys.paid);
const outcomes = entry<string[]>(keys.outcomes);
const votes = entry<string[]>(keys.votes);

/** Attempts belong to one order and are cleared with it. */
function forgetTries() {
  attempt.clear();
  submitted.clear();
}

/** Everything this tab stores, each item under the key that the specification gives it. */
export const session = {
  order: {
    read: order.read,
    write(value: QueryData) {
      forgetTries();
      const shown = theme.shown();
      return order.write({ ...(shown ? { theme: shown } : {}), ...withOrderId(value) });
    },
    /** Still the same order, so its attempts stay known. */
    change(part: Partial<QueryData>) {
      const kept = order.read();
      if (kept) order.write({ ...kept, ...part });
    },
    clear() {
      order.clear();
      forgetTries();
    },
  },

  /** The payment of this order for which money may be moving already: Back does not offer to pay the order again. */
  submitted,

  /**
   * One key per attempt, stored before anything is sent: a double click, a reload or a retry after a lost response
   * uses the same key, and the server finds the same payment.
   */
  attempt: {
    keyFor(body: unknown): string {
      const fingerprint = JSON.stringify(body);
      const kept = attempt.read();
      if (kept?.fingerprint === fingerprint) return kept.key;
      const key = newKey();
      attempt.write({ fingerprint, key });
      return key;
    },
    clear: attempt.clear,
  },

  /** Orders paid in this tab: only here may the status page show the whole number. */
  paid: {
    remember: (id: string, value: QueryData) => paid.write({ ...paid.read(), [id]: value }),
    all: paid.read,
    find: (id: string) => paid.read()?.[id] ?? null,
  },

  /** Payments whose outcome was counted in this tab. */
  outcomes: {
    isFirst(id: string): boolean {
      const counted = outcomes.read() ?? [];
      // Enough to recognise the payment, too little to open it: it stays when the order is cleared.
      const part = id.slice(0, 6);
      if (counted.includes(part)) return false;
      outcomes.write([...counted, part]);
      return true;
    },
  },

  /** Help answers voted on in this tab. */
  votes: {
    has: (questionId: string) => votes.read()?.includes(questionId) ?? false,
    add: (questionId: string) => votes.write([...(votes.read() ?? []), questionId]),
  },
  language: {
    key: keys.language,
    read: () => sessionStore.readText(keys.language),
    write: (code: string) => sessionStore.writeText(keys.language, code),
  },
  /** The page of the flow that was entered last, as a bare path, for Return. */
  redirectUrl: {
    read: () => sessionStore.readText(keys.redirect),
    write: (path: string) => sessionStore.writeText(keys.redirect, path),
  },
  devices: entry<DevicesDetail>(keys.devices),
  works: {
    read(brand: string): WorksVisit | null {
      const id = sessionStore.readText(keys.worksId);
      return id && sessionStore.readText(worksName(brand)) === 'true' ? { id } : null;
    },
    write(brand: string, { id }: WorksVisit) {
      sessionStore.writeText(worksName(brand), 'true');
      sessionStore.writeText(keys.worksId, id);
    },
  },
  /** The step of the home-broadband order. */
  lead: entry<unknown>(keys.lead),
};

/** Cached responses whose keys hold a number or an order, and what was typed (`offline/typed.ts`). */
const ofOrders = ['payment-options:', 'exchange:', 'typed'];

/** Every key that holds a number, an email, an order or its options; counts and the language stay. */
export function forgetOrders(): void {
  session.order.clear();
  paid.clear();
  session.lead.clear();
  sessionStore.forgetWhere((key) => ofOrders.some((start) => key.startsWith(start)));
}

/** Paying another way keeps the order; a new order starts without a number. */
export const withOrderId = (value: QueryData): QueryData => (value.orderId ? value : { ...value, orderId: newKey() });

/** crypto.randomUUID is missing on http pages and older phones. */
function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
