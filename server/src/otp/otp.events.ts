import type { Logger } from '../http/logging.ts';
import type { Metrics } from '../http/metrics.ts';

export type OtpEvents = ReturnType<typeof otpEvents>;

/** Neither log nor metrics contain a number or a code. */
export function otpEvents(log: Logger, metrics: Metrics) {
  const codes = metrics.counter('portal_codes_total', 'One-time codes by what became of them', ['outcome']);
  return {
    sent: () => codes.inc({ outcome: 'sent' }),
    verified: () => codes.inc({ outcome: 'verified' }),
    refused: (why: 'budget' | 'wrong' | 'spent' | 'closed') => codes.inc({ outcome: why }),
    notSent(error: unknown) {
      codes.inc({ outcome: 'notSent' });
      log.warn({ err: error }, 'a code could not be sent');
    },
  };
}
