export interface MpesaPayment {
  checkoutRequestId: string;
  merchantRequestId: string;
  number: string;
  amount: number;
  accountReference: string;
  callbackPath: string;
  /** Null while the payer has not answered. */
  result: MpesaResult | null;
  /** Of the debit and of its reversal, each when it happened. */
  receipt: string | null;
  takenAt: number | null;
  reversal: { receipt: string; at: number } | null;
}

export interface MpesaResult {
  code: number;
  description: string;
}
