type WalletPaymentStatus = 'TIP' | 'TS' | 'TF' | 'TE';

export interface WalletPayment {
  id: string;
  moneyId: string;
  number: string;
  amount: number;
  currency: string;
  reference: string;
  status: WalletPaymentStatus;
  responseCode: string;
  message: string;
  refunded: boolean;
  /** When the current status was set. */
  changedAt: number;
}
