/** Searches are shown from this many visits on, because what few people search may identify one of them. */
export const leastVisits = 5;

const longest = 40;
const mostWords = 5;
/** More digits may be a phone number, an account or a code, and not a question. */
const mostDigits = 3;

/**
 * The stored form of a search without results: a few normalised words. Null for text that looks like a number, an
 * address or a sentence, which may identify somebody.
 */
export function searchedWords(text: string): string | null {
  const words = text
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}@'’-]+/gu, ' ')
    .trim();
  const isShort = words.length >= 2 && words.length <= longest && words.split(' ').length <= mostWords;
  const digits = words.match(/\p{N}/gu)?.length ?? 0;
  return isShort && digits <= mostDigits && !words.includes('@') && /\p{L}/u.test(words) ? words : null;
}
