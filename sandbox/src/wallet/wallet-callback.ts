import { createHmac } from 'node:crypto';
import type { WalletPayment } from './wallet-payment.ts';

const callbackKey = 'sandbox-wallet-callback-key';

export function composeWalletCallback(
  payment: WalletPayment,
  signature: 'genuine' | 'forged',
  options: { isContrary: boolean } = { isContrary: false },
) {
  const transaction = {
    id: payment.id,
    message: payment.message,
    status_code: (payment.status === 'TS') === options.isContrary ? 'TF' : 'TS',
    airtel_money_id: payment.moneyId,
  };
  const key = signature === 'genuine' ? callbackKey : 'a key that only a forger has';
  const hash = createHmac('sha256', key).update(JSON.stringify(transaction)).digest('base64');
  return { body: JSON.stringify({ transaction, hash }), headers: {} };
}
