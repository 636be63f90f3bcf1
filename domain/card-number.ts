/** The Luhn check, which every card number passes. */
export function passesLuhn(digits: string): boolean {
  const sum = [...digits].toReversed().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 1 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}

/** Card numbers, with or without the spaces printed on a card. */
const cardLike = /\b(?:[3-6]\d{12,18}|[3-6]\d{3}([ -])\d{4}\1\d{4}\1\d{4}|3\d{3}([ -])\d{6}\2\d{5})\b/g;

/** Text that people write to us or about each other, with card numbers masked, because nobody here needs them. */
export const maskCards = (text: string): string =>
  text.replace(cardLike, (found) => {
    const digits = found.replace(/\D/g, '');
    return passesLuhn(digits) ? `•••• ${digits.slice(-4)}` : found;
  });
