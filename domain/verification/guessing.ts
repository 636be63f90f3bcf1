/** Counts of right and wrong codes, and how many wrong ones a network, a block of numbers or all may have. */
export interface Tried {
  wrong: number;
  right: number;
  most: number;
}

/**
 * People mistype one code in several; an attacker enters only wrong ones. While guessing is closed a code allows one
 * attempt instead of five. A user with the right code does not notice, so nobody can lock others out.
 */
export const isGuessingClosed = ({ wrong, right, most }: Tried): boolean => wrong >= most && wrong > right;
