import type { MpesaPayment, MpesaResult } from './mpesa-payment.ts';

/** Unsigned, like the real one. Metadata is present only on success, and Balance has no value. */
export function composeStkCallback(payment: MpesaPayment, result: MpesaResult) {
  const items = [
    { Name: 'Amount', Value: payment.amount },
    { Name: 'MpesaReceiptNumber', Value: payment.receipt },
    { Name: 'Balance' },
    { Name: 'TransactionDate', Value: compactTime(payment.takenAt ?? Date.now()) },
    { Name: 'PhoneNumber', Value: Number(`261${payment.number}`) },
  ];
  const stkCallback = {
    MerchantRequestID: payment.merchantRequestId,
    CheckoutRequestID: payment.checkoutRequestId,
    ResultCode: result.code,
    ResultDesc: result.description,
    ...(result.code === 0 ? { CallbackMetadata: { Item: items } } : {}),
  };
  return { body: JSON.stringify({ Body: { stkCallback } }), headers: {} };
}

export function composeReversalResult(conversationId: string, result: { code: number | string; description: string }) {
  const Result = {
    ResultType: 0,
    ResultCode: result.code,
    ResultDesc: result.description,
    OriginatorConversationID: conversationId,
    ConversationID: conversationId,
  };
  return { body: JSON.stringify({ Result }), headers: {} };
}

const zoneMs = 3 * 60 * 60 * 1000;

/** The provider's clock is three hours ahead of UTC all year. */
function compactTime(at: number): number {
  return Number(new Date(at + zoneMs).toISOString().replace(/\D/g, '').slice(0, 14));
}

/** "2026-01-31 23:59:00" on the provider's clock. */
export function timeFromText(text: string): number {
  const match = /^(\d{4}-\d{2}-\d{2}) (\d{1,2}:\d{2}:\d{2})$/.exec(text);
  return match ? Date.parse(`${match[1]}T${match[2]?.padStart(8, '0')}+03:00`) : Number.NaN;
}
