import { AsyncLocalStorage } from 'node:async_hooks';

const deadlines = new AsyncLocalStorage<number>();

/** The caller may act until `deadline`, by the machine's monotonic clock. Whatever it has not sent by then is not sent. */
export const callWithin = <T>(deadline: number, call: () => Promise<T>): Promise<T> => deadlines.run(deadline, call);

/** Ask right before sending: the process may have been paused since it got the lease. */
export function leaseGuard(): () => boolean {
  const deadline = deadlines.getStore() ?? Number.POSITIVE_INFINITY;
  return () => performance.now() >= deadline;
}
