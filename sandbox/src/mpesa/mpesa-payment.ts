export interface MpesaPayment {
  checkoutRequestId: string;
  merchantRequestId: string;
  number: string;
  amount: number;
  accountReference: string;
  callbackPath: string;
  /** Null until the payer answers. */
  result: MpesaResult | null;
  /** Receipts of the debit and of its reversal, once each has happened. */
  receipt: string | null;
  takenAt: number | null;
  reversal: { receipt: string; at: number } | null;
}

export interface MpesaResult {
  code: number;
  description: string;
}
