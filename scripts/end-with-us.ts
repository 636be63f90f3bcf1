import { findProgram } from './debian.ts';

/** The command under which a program that is not ours ends when we do, however we end; as it is where that cannot be asked. */
export function endingWithUs(program: string, args: string[]): [string, string[]] {
  const setpriv = findProgram(['setpriv'], ['/usr/bin']);
  return setpriv ? [setpriv, ['--pdeathsig', 'TERM', '--', program, ...args]] : [program, args];
}

const undo = new Set<() => Promise<unknown>>();

/** Done when a signal ends us before the work has come to its own end; gives what takes it back. */
export function undoOnSignal(step: () => Promise<unknown>): () => void {
  undo.add(step);
  return () => void undo.delete(step);
}

export function listenForSignals(): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'disconnect'])
    process.once(signal, async () => {
      for (const step of [...undo].reverse()) await step();
      process.exit(130);
    });
}
