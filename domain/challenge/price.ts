/** Of what many people share, the last part that is left to who solved a challenge. */
export const reservedShare = 1 / 5;

/** 65,536 hashes on average: about a second of an old phone. */
export const baseBits = 16;
/** A minute of an old phone. Who has a second to give must not be shut out by what others ask. */
const mostBits = 22;
/** What scarcity alone may add: sixteen times the work. */
const mostScarcity = 4;

/** How many challenges a network was given, and how many it may have at the lowest price. */
interface Asked {
  count: number;
  most: number;
}

const doublings = (times: number) => Math.max(Math.floor(Math.log2(times)), 0);

/** Each halving of what is left of the reserve doubles the work, so that whoever drains it pays more for each than before. */
function scarcityBits(left: number): number {
  if (left <= 0) return mostScarcity;
  return Math.min(doublings(reservedShare / left), mostScarcity);
}

/**
 * The price of a challenge in bits: it doubles whenever a network has asked for twice as many, the dearest of its networks
 * decides, and it doubles as the budget runs out. `left` is the share of the budget that is left.
 */
export function priceBits({ asked, left }: { asked: readonly Asked[]; left: number }): number {
  const busy = Math.max(0, ...asked.map(({ count, most }) => doublings(count / most)));
  return Math.min(baseBits + busy + scarcityBits(left), mostBits);
}

/**
 * Whether a solution is worth enough now. Else solutions could be gathered while they are cheap and spent at once when the
 * reserve is nearly gone. One doubling is forgiven: it happens to people while their phone works.
 */
export const isStillWorth = (bits: number, left: number): boolean => bits + 1 >= priceBits({ asked: [], left });

export const shortestWait = 10;
/** Twelve times the shortest: longer, and a customer without script has gone. */
const longestWait = 120;

/**
 * What is asked of who has no script: seconds to wait, and the largest number of the sum. A sum costs a program nothing, so
 * what rises is the time: it doubles whenever twice as many were answered from a network, by the dearest of its networks.
 */
export function questionPrice(answered: readonly Asked[]): { waitSeconds: number; largest: [number, number] } {
  const level = Math.max(0, ...answered.map(({ count, most }) => doublings((count + 1) / most)));
  const digits = (more: number) => 10 ** Math.min(1 + more, 3) - 1;
  return {
    waitSeconds: Math.min(shortestWait * 2 ** level, longestWait),
    largest: [digits(level), digits(Math.floor(level / 2))],
  };
}
