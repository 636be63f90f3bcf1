import type { PaymentEnding } from '@portal/domain/payment/endings.ts';

export interface AnalyticsTables {
  event_counts: { day: string; event: string; page_name: string; flow: string; outcome: string; count: number };
  event_days: {
    day: string;
    language: string;
    event: string;
    page_name: string;
    flow: string;
    outcome: string;
    count: number;
  };
  payment_ending_days: {
    day: string;
    language: string;
    way: string;
    ended: PaymentEnding;
    count: number;
    orders: number | null;
    counted_at: Date;
  };
}
