/** The work that `slowness` measures takes a quiet core of a small server this long. */
const referenceMs = 50;

/**
 * How many times slower than a quiet small server this machine is now, by what it does elsewhere as much as by what it
 * is. Measured once: processes that are started from here take it over by PATIENCE.
 */
function slowness(): number {
  const known = Number(process.env.PATIENCE);
  if (known >= 1) return known;
  const since = performance.now();
  let hash = 7;
  for (let turn = 0; turn < 8_000_000; turn += 1) hash = (hash * 31 + turn) | 0;
  const measured = Math.max(1, (performance.now() - since) / referenceMs);
  process.env.PATIENCE = measured.toFixed(1);
  return measured;
}

/**
 * How long a test waits for what has to come before it says that it will not. A limit ends what hangs and decides nothing
 * else, so it is far above what anything takes, and grows where the machine is slow.
 */
export const patience = (milliseconds: number): number => Math.round(milliseconds * slowness());
