import type { Account, Bill } from '../state/accounts.ts';
import type { NumberPlan } from '../wire/line-number.ts';

export function moneyOnWire(hundredths: number, currency: string) {
  return { unit: currency, value: hundredths / 100 };
}

export function accountOnWire(account: Account, { national }: NumberPlan) {
  const { accountNo, email, line, contact } = account;
  return {
    id: accountNo,
    '@type': 'BillingAccount',
    accountType: account.kind,
    state: 'active',
    relatedParty: line === null ? [] : [{ id: national(line), role: 'subscriber' }],
    contact: [
      {
        contactType: 'primary',
        contactMedium: [
          ...(email === null ? [] : [{ mediumType: 'email', characteristic: { emailAddress: email } }]),
          ...(contact === null ? [] : [{ mediumType: 'mobile', characteristic: { phoneNumber: national(contact) } }]),
        ],
      },
    ],
  };
}

export function billOnWire(bill: Bill, currency: string) {
  const state = bill.remaining === 0 ? 'settled' : bill.remaining < bill.amount ? 'partiallyPaid' : 'sent';
  const midnight = (date: string) => `${date}T00:00:00+03:00`;
  return {
    id: bill.billNo,
    '@type': 'CustomerBill',
    billNo: bill.billNo,
    billDate: midnight(bill.billDate),
    billingAccount: { id: bill.accountNo },
    billingPeriod: { startDateTime: midnight(bill.periodStart), endDateTime: midnight(bill.periodEnd) },
    paymentDueDate: midnight(bill.dueDate),
    amountDue: moneyOnWire(bill.amount, currency),
    remainingAmount: moneyOnWire(bill.remaining, currency),
    state,
  };
}
