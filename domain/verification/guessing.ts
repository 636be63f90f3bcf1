/** What became of codes that were tried, and how many wrong ones a network, a block of numbers or all may have. */
export interface Tried {
  wrong: number;
  right: number;
  most: number;
}

/**
 * People mistype one code in several; who guesses has nothing but wrong ones. While guessing is closed a code takes one try
 * instead of five: whoever has the right code does not notice, so nobody can close it against others.
 */
export const isGuessingClosed = ({ wrong, right, most }: Tried): boolean => wrong >= most && wrong > right;
