/** Runs again `everyMs` after the last run ended, so that slow runs never overlap. */
export function repeat(
  everyMs: number,
  run: () => Promise<unknown>,
  onError: (error: unknown) => void,
): { stop(): Promise<void> } {
  let stopped = false;
  let wake = () => {};
  const loop = (async () => {
    while (!stopped) {
      await run().catch(onError);
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
