/** Runs again a while after the last run ended, so that a slow run never overlaps itself. */
export function repeat(
  everyMs: number,
  run: () => Promise<unknown>,
  failed: (error: unknown) => void,
): { stop(): Promise<void> } {
  let stopped = false;
  let wake = () => {};
  const loop = (async () => {
    while (!stopped) {
      await run().catch(failed);
      if (stopped) return;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, everyMs);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  })();
  return {
    stop() {
      stopped = true;
      wake();
      return loop;
    },
  };
}
