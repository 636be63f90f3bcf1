/** Longer than what fits beside a label on a phone. */
const longWord = /\S{14,}/g;
/** A code without such a place, as a digest, would stretch a table. */
const longCode = /\S{33,}/;
const codePiece = /.{1,16}/g;
const place = /(?<=[/?&=@._:-])(?=[^/?&=@._:-])/;

/**
 * A text in pieces between which a line may end: addresses, emails and long references have no spaces, and would
 * otherwise be cut in the middle of a word. Shorter words stay whole.
 */
export function breakPlaces(text: string): string[] {
  const places = [...text.matchAll(longWord)].flatMap(({ 0: word, index }) => {
    let at = index;
    const pieces = word.split(place).flatMap((part) => (longCode.test(part) ? (part.match(codePiece) ?? []) : part));
    return pieces.map((part) => {
      at += part.length;
      return at;
    });
  });
  const ends = [0, ...places.filter((at) => /\S/.test(text[at] ?? ' ')), text.length];
  return ends.slice(1).map((end, at) => text.slice(ends[at], end));
}
