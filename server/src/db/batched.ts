interface Waiting<T, R> {
  item: T;
  resolve: (result: R) => void;
  reject: (error: unknown) => void;
}

/**
 * Runs at most `atOnce` batches concurrently. Items that arrive meanwhile queue up and go into the next batch, so under
 * load one round trip and one commit serve many items, while a lone item never waits. If a batch fails, its items are
 * retried one by one so that one bad item does not fail the others; `run` must therefore be idempotent.
 */
export function batched<T, R>(
  run: (items: T[]) => Promise<R[]>,
  { atOnce, most }: { atOnce: number; most: number },
): (item: T) => Promise<R> {
  const queue: Waiting<T, R>[] = [];
  let underWay = 0;

  async function runAlone({ item, resolve, reject }: Waiting<T, R>): Promise<void> {
    await run([item]).then(([result]) => resolve(result as R), reject);
  }

  async function runTogether(batch: Waiting<T, R>[]): Promise<void> {
    let results: R[];
    try {
      results = await run(batch.map(({ item }) => item));
    } catch (error) {
      if (batch.length === 1) return batch[0]?.reject(error);
      await Promise.all(batch.map(runAlone));
      return;
    }
    for (const [index, { resolve }] of batch.entries()) resolve(results[index] as R);
  }

  function startNext(): void {
    while (underWay < atOnce && queue.length > 0) {
      underWay += 1;
      runTogether(queue.splice(0, most)).finally(() => {
        underWay -= 1;
        startNext();
      });
    }
  }

  return (item) =>
    new Promise<R>((resolve, reject) => {
      queue.push({ item, resolve, reject });
      startNext();
    });
}
