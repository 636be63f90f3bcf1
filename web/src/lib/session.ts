import type { TransactionType } from '@portal/domain/transaction-types.ts';
import { sessionStore } from './storage.ts';

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
  theme?: string;
  flow?: string;
  bundleInfo?: { amount: number; lineType?: string; description?: string; data?: string; dataUnit?: string };
  invoiceDetail?: {
    accountNo: string;
    invoiceNo: string;
    billingStartDate?: string;
    billingEndDate?: string;
    dueDate?: string;
  };
  pgOptions?: { paymentOpt: string }[];
}

const keys = {
  order: 'QueryData',
  attempt: 'paymentAttempt',
  language: 'selectedLanguage',
  redirect: 'redirect_url',
  paid: 'paidOrders',
} as const;

export const orderSession = {
  read: () => sessionStore.read<QueryData>(keys.order),
  write: (order: QueryData) => {
    sessionStore.remove(keys.attempt);
    return sessionStore.write(keys.order, order);
  },
  clear: () => {
    sessionStore.remove(keys.order);
    sessionStore.remove(keys.attempt);
  },
};

/**
 * One key for each attempt, kept before anything is sent: a double click, a reload or a retry after a lost answer
 * finds the same key, and the server the same payment.
 */
export const attemptSession = {
  keyFor(body: unknown): string {
    const fingerprint = JSON.stringify(body);
    const kept = sessionStore.read<{ fingerprint: string; key: string }>(keys.attempt);
    if (kept?.fingerprint === fingerprint) return kept.key;
    const key = newKey();
    sessionStore.write(keys.attempt, { fingerprint, key });
    return key;
  },
  clear: () => sessionStore.remove(keys.attempt),
};

/** crypto.randomUUID is missing on plain-http pages and on older phones. */
function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Orders paid in this tab: only here may the status page show the whole number. */
export const paidSession = {
  remember(id: string, order: QueryData) {
    sessionStore.write(keys.paid, { ...sessionStore.read<Record<string, QueryData>>(keys.paid), [id]: order });
  },
  find: (id: string) => sessionStore.read<Record<string, QueryData>>(keys.paid)?.[id] ?? null,
};

export const languageSession = {
  read: () => sessionStore.read<string>(keys.language),
  write: (code: string) => sessionStore.write(keys.language, code),
};
