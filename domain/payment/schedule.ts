import type { PaymentReason } from './reasons.ts';

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

/** Seconds until the next enquiry: 10, 20, 40 … 600, then every 10 minutes to a day, hourly to three; null gives up. */
export function enquiryDelay(enquiries: number, ageSeconds: number): number | null {
  if (ageSeconds >= 3 * day) return null;
  if (ageSeconds >= day) return hour;
  return Math.min(10 * 2 ** Math.min(enquiries, 10), 10 * minute);
}

/** "Not found" proves nothing while a request may still be in transit: it takes six such responses and a day. */
export function provesNeverArrived(notFoundAnswers: number, ageSeconds: number): boolean {
  return notFoundAnswers >= 6 && ageSeconds >= day;
}

/** Default lag: how much later than its response a system may show what it accepted. */
export const usualLag = 10 * minute;

/** A request without a response may have arrived until the lag has passed and three lookups did not find it. */
export function provesNotThere(notFoundAnswers: number, secondsSinceSent: number, lag: number): boolean {
  return notFoundAnswers >= 3 && secondsSinceSent >= lag;
}

/** Default term in which a provider may still take money for a failed payment. */
export const usualLateMoneyTerm = 25 * hour;
/** Interval of enquiries about a failed payment that had reached its provider. */
export const lateMoneyDelay = 30 * minute;

/** Delays of lookups for a delivery without a response: growing, for three days; null gives up. */
export function deliveryDelay(attempts: number, ageSeconds: number): number | null {
  if (ageSeconds >= 3 * day) return null;
  return Math.min(5 * 2 ** Math.min(attempts, 10), 10 * minute);
}

/**
 * Delays of lookups for a refund without a response: growing, for a week; null gives up. `notFoundAnswers` does not
 * count lookups that failed, so the age makes the delay grow while the provider is down.
 */
export function refundEnquiryDelay(notFoundAnswers: number, ageSeconds: number): number | null {
  if (ageSeconds >= 7 * day) return null;
  return Math.min(Math.max(10 * 2 ** Math.min(notFoundAnswers, 10), ageSeconds), 10 * minute);
}

const refundTries = 17;

/** Backoff of refunds: seventeen attempts in a week, seconds apart at first, eighteen hours at the end. */
export function refundDelay(attempts: number): number | null {
  if (attempts >= refundTries) return null;
  return Math.min(10 * 3 ** Math.min(attempts, 10), 18 * hour);
}

/** An order that nobody paid expires after this. No provider was called for it. */
export const orderLifeSeconds = 30 * minute;

/**
 * Longer than three outbound calls (token, key, request) may take. So a step that is found after its lease was
 * interrupted and is no longer running.
 */
export const callLeaseSeconds = 75;

/** In hours: when a refund arrives, if its provider tells. */
export const refundHours = 24;

/**
 * In hours: when a person has handled a payment in REVIEW. If no provider was called yet, the customer is waiting;
 * other cases need enquiries first.
 */
export const reviewHours = (reason: PaymentReason | null): number => (reason === 'held' ? 1 : 24);

/** The time of that for a payment in REVIEW since `since`. */
export const reviewedBy = (since: Date, reason: PaymentReason | null): Date =>
  new Date(since.getTime() + reviewHours(reason) * 3_600_000);
