/** Longer than what fits beside a label on a phone. */
const longWord = /\S{14,}/g;
const place = /(?<=[/?&=@._:-])(?=[^/?&=@._:-])/;

/**
 * A text in pieces between which a line may end: addresses, emails and long references have no spaces, and would
 * otherwise be cut in the middle of a word. Shorter words stay whole.
 */
export function breakPlaces(text: string): string[] {
  const places = [...text.matchAll(longWord)].flatMap(({ 0: word, index }) => {
    let at = index;
    return word.split(place).map((part) => {
      at += part.length;
      return at;
    });
  });
  const ends = [0, ...places.filter((at) => /\S/.test(text[at] ?? ' ')), text.length];
  return ends.slice(1).map((end, at) => text.slice(ends[at], end));
}
