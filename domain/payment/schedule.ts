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

/** A delivery that got no answer is sent again only after three "not found" and a minute: it may still be under way. */
export function provesNotDelivered(notFoundAnswers: number, ageSeconds: number): boolean {
  return notFoundAnswers >= 3 && ageSeconds >= minute;
}

/** A failed payment that had reached the provider is asked about for 25 hours: money can arrive late. */
export function lateMoneyDelay(ageSeconds: number): number | null {
  return ageSeconds >= 25 * hour ? null : 30 * minute;
}

/** Deliveries that got no answer: looked up soon, then ever more rarely, for three days. */
export function deliveryDelay(attempts: number, ageSeconds: number): number | null {
  if (ageSeconds >= 3 * day) return null;
  return Math.min(5 * 2 ** Math.min(attempts, 10), 10 * minute);
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
