/** One of the constants, apart from the others: it is the only one that every page needs before its form answers. */
export const chunkTimeoutMilliseconds = 120_000;
