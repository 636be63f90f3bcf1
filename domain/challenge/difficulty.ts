/** The last part of a shared budget, reserved for clients that solved a challenge. */
export const reservedShare = 1 / 5;

/** 65,536 hashes on average: about a second on an old phone. */
export const baseBits = 16;
/** A minute on an old phone. A real user must not be locked out by what others request. */
const mostBits = 22;
/** The maximum that scarcity may add: sixteen times the work. */
const mostScarcity = 4;

/** How many challenges a network got, and how many it may have at the lowest difficulty. */
interface Asked {
  count: number;
  most: number;
}

const doublings = (times: number) => Math.max(Math.floor(Math.log2(times)), 0);

/** Each halving of the reserve doubles the work, so that draining it costs ever more. */
function scarcityBits(left: number): number {
  if (left <= 0) return mostScarcity;
  return Math.min(doublings(reservedShare / left), mostScarcity);
}

/**
 * The difficulty of a challenge in bits. It doubles with each doubling of a network's requests, the highest of the
 * client's networks counting, and as the budget runs out. `left` is the share of the budget that is left.
 */
export function difficultyBits({ asked, left }: { asked: readonly Asked[]; left: number }): number {
  const busy = Math.max(0, ...asked.map(({ count, most }) => doublings(count / most)));
  return Math.min(baseBits + busy + scarcityBits(left), mostBits);
}

/**
 * Whether a solution still meets the current difficulty. Otherwise solutions could be stockpiled while cheap and spent
 * when the reserve is nearly gone. One doubling is forgiven, because it may happen while a phone works.
 */
export const isStillWorth = (bits: number, left: number): boolean => bits + 1 >= difficultyBits({ asked: [], left });

export const shortestWait = 10;
/** Twelve times the shortest. After a longer wait a customer without script has gone. */
const longestWait = 120;

/**
 * The challenge without script: seconds to wait, and the largest number of the sum. A sum costs a program nothing, so
 * the wait grows: it doubles with each doubling of the solutions from a network, the highest of its networks counting.
 */
export function questionPrice(answered: readonly Asked[]): { waitSeconds: number; largest: [number, number] } {
  const level = Math.max(0, ...answered.map(({ count, most }) => doublings((count + 1) / most)));
  const digits = (more: number) => 10 ** Math.min(1 + more, 3) - 1;
  return {
    waitSeconds: Math.min(shortestWait * 2 ** level, longestWait),
    largest: [digits(level), digits(Math.floor(level / 2))],
  };
}
