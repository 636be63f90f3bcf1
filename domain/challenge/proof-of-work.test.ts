import { createHash, randomBytes, randomInt } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { firstHashWord, isWorkDone, startWork, workParts } from './proof-of-work.ts';

const salt = () => randomBytes(16).toString('hex');

function solved(of: string, bits: number): string {
  const work = startWork(of, bits);
  for (;;) {
    const solution = work.go(1_000);
    if (solution) return solution;
  }
}

describe('SEC-19 the work of a challenge', () => {
  test('matches the SHA-256 of Node', () => {
    for (let round = 0; round < 200; round += 1) {
      const bytes = randomBytes(24);
      // The part is small, the nonce any 32-bit number.
      const part = randomInt(workParts);
      bytes.writeInt32BE(part, 16);
      const words = Int32Array.from({ length: 4 }, (_, index) => bytes.readInt32BE(index * 4));
      const digest = createHash('sha256').update(bytes).digest();
      expect(firstHashWord(words, part, bytes.readInt32BE(20))).toBe(digest.readInt32BE(0));
    }
  });

  test('is verified for its salt and difficulty and for no other', () => {
    const one = salt();
    const solution = solved(one, 12);
    expect(isWorkDone(one, 12, solution)).toBe(true);
    expect(isWorkDone(one, 11, solution)).toBe(true);
    expect(isWorkDone(salt(), 12, solution)).toBe(false);
    // Eight nonces that happen to meet eight more bits have a probability of one in 2^64.
    expect(isWorkDone(one, 20, solution)).toBe(false);
  });

  test('is refused with parts missing, repeated, reordered or made up', () => {
    const one = salt();
    const solution = solved(one, 12);
    const parts = solution.split('-');
    const wrong = [
      '',
      '-',
      parts.slice(1).join('-'),
      parts.concat('0').join('-'),
      Array(workParts).fill(parts[0]).join('-'),
      parts.toReversed().join('-'),
      Array(workParts).fill('0').join('-'),
      Array(workParts).fill('zzzzzzz').join('-'),
      ` ${solution}`,
      solution.toUpperCase().replace(/^.*$/, 'A-B-C-D-E-F-G-H'),
      solution.replaceAll('-', '.'),
    ];
    expect(wrong.filter((each) => isWorkDone(one, 12, each))).toEqual([]);
    expect(isWorkDone('not a salt', 3, solution)).toBe(false);
  });

  test('runs in slices, reports progress, and costs about two to the power of its difficulty', () => {
    const bits = 12;
    let tries = 0;
    const rounds = 40;
    for (let round = 0; round < rounds; round += 1) {
      const work = startWork(salt(), bits);
      let done = 0;
      let solution: string | null = null;
      while (!solution) {
        solution = work.go(64);
        tries += 64;
        expect(work.done()).toBeGreaterThanOrEqual(done);
        done = work.done();
      }
      expect(done).toBe(1);
    }
    // The mean of 320 parts is within a third of the expected value, except in one run of a million.
    expect(tries / rounds / 2 ** bits).toBeGreaterThan(0.66);
    expect(tries / rounds / 2 ** bits).toBeLessThan(1.4);
  });
});
