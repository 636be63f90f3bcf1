/** How long the loop of `slowness` takes on an idle core of a small server. */
const referenceMs = 50;

/**
 * How many times slower than an idle small server this machine is now, by its hardware and its current load. Measured
 * once; child processes inherit it by PATIENCE.
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
 * Scales a test's time limit to the speed of the machine. A limit only ends what hangs and decides nothing else, so it
 * is far above what anything takes.
 */
export const patience = (milliseconds: number): number => Math.round(milliseconds * slowness());
