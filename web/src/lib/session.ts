import type { TransactionType } from '@portal/domain/transaction-types.ts';
import { sessionStore } from './storage.ts';
import { type Theme, theme } from './theme.ts';

/** What is being bought. With script it waits in the session, without script it travels sealed in the address. */
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
  /** In which the flow was entered; the pages that follow are shown in it. */
  theme?: Theme;
  flow?: string;
  bundleInfo?: { amount: number; lineType?: string; description?: string; data?: string; dataUnit?: string };
  invoiceDetail?: {
    accountNo: string;
    invoiceNo: string;
    billingStartDate?: string;
    billingEndDate?: string;
    dueDate?: string;
    /** That this visitor was shown the invoice. */
    invoiceToken?: string;
  };
  /** The gateways it may be paid by: as offered, unless what led to the payment page named some of them. */
  pgOptions?: { paymentOpt: string }[];
  /** Of home broadband. */
  leadId?: string;
  /** Random, made with the order: however often and however it is tried to be paid, it is bought once. */
  orderId?: string;
}

/** The device of the home-broadband page, as the page before it left it. */
export interface DevicesDetail {
  heading_image: string;
  deviceName: string;
  features: string[];
}

/** A sales visit of the brand's own staff. */
export interface WorksVisit {
  id: string;
}

/** As the address and the session name such a visit. */
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

/** What was tried belongs to one order and goes with it. */
function forgetTries() {
  attempt.clear();
  submitted.clear();
}

/** Everything this tab remembers, each under the name the specification gives it. */
export const session = {
  order: {
    read: order.read,
    write(value: QueryData) {
      forgetTries();
      const shown = theme.shown();
      return order.write({ ...(shown ? { theme: shown } : {}), ...withOrderId(value) });
    },
    /** The same order still: what was tried for it stays known. */
    change(part: Partial<QueryData>) {
      const kept = order.read();
      if (kept) order.write({ ...kept, ...part });
    },
    clear() {
      order.clear();
      forgetTries();
    },
  },

  /** The payment of this order that money may already be moving for: the order is not paid a second time by Back. */
  submitted,

  /**
   * One key for each attempt, kept before anything is sent: a double click, a reload or a retry after a lost answer
   * finds the same key, and the server the same payment.
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
    find: (id: string) => paid.read()?.[id] ?? null,
  },

  /** Which payments' ends were counted in this tab. */
  outcomes: {
    isFirst(id: string): boolean {
      const counted = outcomes.read() ?? [];
      if (counted.includes(id)) return false;
      outcomes.write([...counted, id]);
      return true;
    },
  },

  /** Answers that were judged in this tab. */
  votes: {
    has: (questionId: string) => votes.read()?.includes(questionId) ?? false,
    add: (questionId: string) => votes.write([...(votes.read() ?? []), questionId]),
  },
  language: {
    key: keys.language,
    read: () => sessionStore.readText(keys.language),
    write: (code: string) => sessionStore.writeText(keys.language, code),
  },
  /** The page of the flow that was entered last, as a bare path: where it leads back to. */
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
  /** How far the order of home broadband is. */
  lead: entry<unknown>(keys.lead),
};

/** Answers kept for a while, under names that hold a number or an order. */
const ofOrders = ['payment-options:', 'exchange:'];

/** Every key that holds a number, an email, an order or its options; what was counted and the language stay. */
export function forgetOrders(): void {
  session.order.clear();
  paid.clear();
  session.lead.clear();
  sessionStore.forgetWhere((key) => ofOrders.some((start) => key.startsWith(start)));
}

/** An order that is paid another way stays the same one; what is ordered anew comes without a number. */
export const withOrderId = (value: QueryData): QueryData => (value.orderId ? value : { ...value, orderId: newKey() });

/** crypto.randomUUID is missing on plain-http pages and on older phones. */
function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
