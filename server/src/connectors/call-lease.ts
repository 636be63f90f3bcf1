import { AsyncLocalStorage } from 'node:async_hooks';

const deadlines = new AsyncLocalStorage<number>();

/** Until `deadline`, by the machine's steady clock, the caller may act; whatever it has not sent by then stays unsent. */
export const callWithin = <T>(deadline: number, call: () => Promise<T>): Promise<T> => deadlines.run(deadline, call);

/** To be asked at the last moment before anything is sent: a process may have been stopped since it was allowed to. */
export function leaseGuard(): () => boolean {
  const deadline = deadlines.getStore() ?? Number.POSITIVE_INFINITY;
  return () => performance.now() >= deadline;
}
