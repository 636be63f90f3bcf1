/**
 * Proof of work: nonces for which the SHA-256 of salt, part and nonce starts with enough zero bits. It has several
 * parts, because the time for one varies much more than the sum of many, and because parts show progress.
 */
export const workParts = 8;
const partBits = Math.log2(workParts);

/** Fractional parts of the square and cube roots of the first primes, as FIPS 180-4 has them. */
const roundConstants = new Int32Array(64);
const initialState = new Int32Array(8);
{
  const fraction = (root: number) => ((root - Math.floor(root)) * 2 ** 32) | 0;
  let found = 0;
  for (let candidate = 2; found < 64; candidate += 1) {
    let isPrime = true;
    for (let divisor = 2; divisor * divisor <= candidate; divisor += 1) if (candidate % divisor === 0) isPrime = false;
    if (!isPrime) continue;
    if (found < 8) initialState[found] = fraction(Math.sqrt(candidate));
    roundConstants[found] = fraction(Math.cbrt(candidate));
    found += 1;
  }
}

const schedule = new Int32Array(64);
const messageWords = 6;

/**
 * The first 32 bits of the SHA-256 of salt (four words), part and nonce. Implemented here because the browser's digest
 * is asynchronous, which costs more than the hash, and is missing on pages without TLS.
 */
export function firstHashWord(salt: Int32Array, part: number, nonce: number): number {
  const w = schedule;
  for (let index = 0; index < 4; index += 1) w[index] = salt[index] as number;
  w[4] = part;
  w[5] = nonce;
  w[6] = 0x80000000 | 0;
  for (let index = 7; index < 15; index += 1) w[index] = 0;
  w[15] = messageWords * 32;
  for (let index = 16; index < 64; index += 1) {
    const early = w[index - 15] as number;
    const late = w[index - 2] as number;
    const s0 = ((early >>> 7) | (early << 25)) ^ ((early >>> 18) | (early << 14)) ^ (early >>> 3);
    const s1 = ((late >>> 17) | (late << 15)) ^ ((late >>> 19) | (late << 13)) ^ (late >>> 10);
    w[index] = ((w[index - 16] as number) + s0 + (w[index - 7] as number) + s1) | 0;
  }
  // Read one by one, because destructuring by iterator takes longer than the hash.
  const at = (index: number) => initialState[index] as number;
  let a = at(0);
  let b = at(1);
  let c = at(2);
  let d = at(3);
  let e = at(4);
  let f = at(5);
  let g = at(6);
  let h = at(7);
  for (let index = 0; index < 64; index += 1) {
    const s1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
    const t1 = (h + s1 + ((e & f) ^ (~e & g)) + (roundConstants[index] as number) + (w[index] as number)) | 0;
    const s0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
    const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + t1) | 0;
    d = c;
    c = b;
    b = a;
    a = (t1 + t2) | 0;
  }
  return (a + (initialState[0] as number)) | 0;
}

const saltPattern = /^[0-9a-f]{32}$/;

function wordsOf(salt: string): Int32Array {
  return Int32Array.from({ length: 4 }, (_, index) => Number.parseInt(salt.slice(index * 8, index * 8 + 8), 16) | 0);
}

/** Encodes nonces compactly, with no character that is special in a URL or header. */
const written = (nonces: readonly number[]) => nonces.map((nonce) => nonce.toString(36)).join('-');

export interface Work {
  /** Tries so many nonces; returns the solution once found. */
  go(tries: number): string | null;
  /** The progress from 0 to 1. */
  done(): number;
}

export function startWork(salt: string, bits: number): Work {
  const words = wordsOf(salt);
  const zeros = bits - partBits;
  const nonces: number[] = [];
  let nonce = 0;
  return {
    go(tries) {
      for (let left = tries; left > 0 && nonces.length < workParts; left -= 1) {
        if (Math.clz32(firstHashWord(words, nonces.length, nonce)) >= zeros) {
          nonces.push(nonce);
          nonce = 0;
        } else nonce += 1;
      }
      return nonces.length === workParts ? written(nonces) : null;
    },
    done: () => nonces.length / workParts,
  };
}

const noncesPattern = /^[0-9a-z]{1,7}(?:-[0-9a-z]{1,7})*$/;

export function isWorkDone(salt: string, bits: number, solution: string): boolean {
  if (!saltPattern.test(salt) || !noncesPattern.test(solution)) return false;
  const nonces = solution.split('-').map((nonce) => Number.parseInt(nonce, 36));
  const words = wordsOf(salt);
  return (
    nonces.length === workParts &&
    nonces.every((nonce, part) => nonce < 2 ** 32 && Math.clz32(firstHashWord(words, part, nonce)) >= bits - partBits)
  );
}
