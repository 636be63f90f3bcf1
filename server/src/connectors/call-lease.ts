import { AsyncLocalStorage } from 'node:async_hooks';

const deadlines = new AsyncLocalStorage<number>();

/** The call may send requests until `deadline`, by the machine's monotonic clock. Later ones are not sent. */
export const callWithin = <T>(deadline: number, call: () => Promise<T>): Promise<T> => deadlines.run(deadline, call);

/** Call the guard right before sending: the process may have been paused since it got the lease. */
export function leaseGuard(): () => boolean {
  const deadline = deadlines.getStore() ?? Number.POSITIVE_INFINITY;
  return () => performance.now() >= deadline;
}
