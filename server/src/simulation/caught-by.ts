/** Which seed catches each planted bug, so that not all have to be lived through before it. */
export const caughtBy: Readonly<Record<string, number>> = {};
