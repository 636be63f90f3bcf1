/** From so many visits on it is shown what was searched: what few people look for may be about one of them. */
export const leastVisits = 5;

const longest = 40;
const mostWords = 5;
/** A phone number, an account, a code: none of them is a question. */
const mostDigits = 3;

/**
 * What is kept of a search that found nothing: a few words, alike however they were typed. Null for what looks like a number,
 * an address or a sentence, which may name somebody.
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
