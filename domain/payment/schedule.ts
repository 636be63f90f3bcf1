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

/** "Not found" proves nothing while a request may still be on its way: six such answers and a day are asked for. */
export function provesNeverArrived(notFoundAnswers: number, ageSeconds: number): boolean {
  return notFoundAnswers >= 6 && ageSeconds >= day;
}

/** So much later a system may show what it took in, where nothing else is known of it. */
export const usualLag = 10 * minute;

/** What got no answer is there "maybe" until its system must have shown it, and three looks in all did not find it. */
export function provesNotThere(notFoundAnswers: number, secondsSinceSent: number, lag: number): boolean {
  return notFoundAnswers >= 3 && secondsSinceSent >= lag;
}

/** Until then a provider may take money for a payment that failed, where nothing else is known of it. */
export const usualLateMoneyTerm = 25 * hour;
/** A failed payment that had reached its provider is asked about so often. */
export const lateMoneyDelay = 30 * minute;

/** Deliveries that got no answer: looked up soon, then ever more rarely, for three days. */
export function deliveryDelay(attempts: number, ageSeconds: number): number | null {
  if (ageSeconds >= 3 * day) return null;
  return Math.min(5 * 2 ** Math.min(attempts, 10), 10 * minute);
}

/** What goes back and got no answer: looked for soon, then more rarely, for a week; null gives up. */
export function refundLookDelay(looks: number, ageSeconds: number): number | null {
  if (ageSeconds >= 7 * day) return null;
  return Math.min(10 * 2 ** Math.min(looks, 10), 10 * minute);
}

const refundTries = 17;

/** Seventeen tries spread over a week: seconds apart at first, eighteen hours at the end. */
export function refundDelay(attempts: number): number | null {
  if (attempts >= refundTries) return null;
  return Math.min(10 * 3 ** Math.min(attempts, 10), 18 * hour);
}

/** An order nobody paid is closed after this; nothing was asked of any provider. */
export const orderLifeSeconds = 30 * minute;

/** Longer than three outbound calls (token, key, request) may take, so that a step found here was cut off and is no longer running. */
export const callLeaseSeconds = 75;

/** In hours: by when money is back, where its provider says when. */
export const refundHours = 24;

/**
 * In hours: by when a person has looked at what waits for one. Where nobody was asked for money yet the customer stands there;
 * for the rest there is much to be asked first.
 */
export const reviewHours = (reason: PaymentReason | null): number => (reason === 'held' ? 1 : 24);

/** By when that is, of a payment that waits since then. */
export const reviewedBy = (since: Date, reason: PaymentReason | null): Date =>
  new Date(since.getTime() + reviewHours(reason) * 3_600_000);
