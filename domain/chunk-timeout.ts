/** Separate from the other constants, because it is the only one that every page needs before hydration. */
export const chunkTimeoutMilliseconds = 120_000;
