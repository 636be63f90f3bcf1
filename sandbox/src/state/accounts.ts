import { linesWithAccount } from './line-table.ts';

/** Amounts are counted in hundredths of the currency. */
export interface Bill {
  billNo: string;
  accountNo: string;
  amount: number;
  remaining: number;
  billDate: string;
  periodStart: string;
  periodEnd: string;
  dueDate: string;
}

export interface Account {
  accountNo: string;
  kind: 'postpaid' | 'fixedInternet';
  email: string | null;
  /** The line the account pays for, nine digits. */
  line: string | null;
  contact: string | null;
  /** Oldest first. */
  bills: Bill[];
  credit: number;
}

export type BillPayment = 'paid' | 'no such bill' | 'already settled';

const day = 24 * 60 * 60 * 1000;
const islandOffset = 3 * 60 * 60 * 1000;
const usualBill = 2_500_000;
const fixedPrice = 8_900_000;

/** Billing accounts and what is owed on them, made when they are first looked at. */
export class Accounts {
  #accounts = new Map<string, Account>();
  #scale: number;

  /** The tables give amounts in the operator's smallest unit, so they are worth less where that is a cent. */
  constructor(currencyDigits: number) {
    this.#scale = 10 ** -currencyDigits;
  }

  account(accountNo: string): Account | undefined {
    const known = this.#accounts.get(accountNo);
    if (known) return known;
    const account = accountAtStart(accountNo, Date.now(), this.#scale);
    if (account) this.#accounts.set(accountNo, account);
    return account;
  }

  ofLine(number: string): Account | undefined {
    const listed = linesWithAccount.find((line) => line.number === number);
    return listed && this.account(listed.account);
  }

  bill(billNo: string): Bill | undefined {
    return this.account(billNo.split('-')[0] ?? '')?.bills.find((bill) => bill.billNo === billNo);
  }

  outstanding(account: Account): number {
    return account.bills.reduce((sum, bill) => sum + bill.remaining, 0);
  }

  /** One bill, or the oldest first; what is paid beyond them becomes credit. */
  pay(account: Account, billNo: string | undefined, amount: number): BillPayment {
    const named = account.bills.find((bill) => bill.billNo === billNo);
    if (billNo !== undefined && !named) return 'no such bill';
    if (named?.remaining === 0) return 'already settled';
    let left = amount;
    for (const bill of named ? [named] : account.bills) {
      const paid = Math.min(bill.remaining, left);
      bill.remaining -= paid;
      left -= paid;
    }
    account.credit += left;
    return 'paid';
  }

  reset(): void {
    this.#accounts.clear();
  }
}

function accountAtStart(accountNo: string, now: number, scale: number): Account | undefined {
  const line = linesWithAccount.find((listed) => listed.account === accountNo);
  if (line) {
    const { number } = line;
    const outstanding = Math.round(line.outstanding * 100 * scale);
    const latest = Math.min(outstanding, Math.round(usualBill * scale));
    const bills = [outstanding - latest, latest]
      .map((amount, index) => ({ amount, dueIn: index === 0 ? -15 : 15 }))
      .filter(({ amount }) => amount > 0)
      .map((bill, index) => makeBill(accountNo, index + 1, bill, now));
    return { accountNo, kind: 'postpaid', email: null, line: number, contact: number, bills, credit: 0 };
  }
  const fixed = fixedInternet(accountNo);
  if (!fixed) return undefined;
  const bills = fixed.bills.map((bill, index) =>
    makeBill(accountNo, index + 1, { ...bill, amount: Math.round(bill.amount * scale) }, now),
  );
  return { ...fixed, accountNo, kind: 'fixedInternet', bills, credit: 0 };
}

interface BillPlan {
  amount: number;
  /** Days from now. */
  dueIn: number;
  isPaid?: boolean;
}

/** Every account PA2 and nine more digits has one bill that is due, for load. */
function fixedInternet(accountNo: string) {
  if (accountNo === 'PA1000000001') {
    const bills: BillPlan[] = [
      { amount: fixedPrice, dueIn: -40, isPaid: true },
      { amount: fixedPrice, dueIn: -10 },
      { amount: fixedPrice + 550_050, dueIn: 20 },
    ];
    return { email: 'client@example.mg', line: '390000005', contact: '390000001', bills };
  }
  if (accountNo === 'EB1000000002') {
    return { email: 'vide@example.mg', line: null, contact: '390000003', bills: [] };
  }
  if (!/^PA2\d{9}$/.test(accountNo)) return undefined;
  const contact = `39${accountNo.slice(-7)}`;
  const bills: BillPlan[] = [{ amount: fixedPrice, dueIn: 20 }];
  return { email: `${accountNo.toLowerCase()}@example.mg`, line: null, contact, bills };
}

function makeBill(accountNo: string, index: number, plan: BillPlan, now: number): Bill {
  const date = (days: number) => new Date(now + islandOffset + (plan.dueIn + days) * day).toISOString().slice(0, 10);
  return {
    billNo: `${accountNo}-${index}`,
    accountNo,
    amount: plan.amount,
    remaining: plan.isPaid ? 0 : plan.amount,
    billDate: date(-20),
    periodStart: date(-50),
    periodEnd: date(-21),
    dueDate: date(0),
  };
}
