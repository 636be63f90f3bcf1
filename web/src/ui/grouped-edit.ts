export interface GroupedEdit {
  digits: string;
  /** How many of those digits are before the caret. */
  before: number;
}

const digitsOf = (text: string) => text.replace(/\D/g, '');

/**
 * Interprets an edit of a grouped number. `text` and `caret` are the field's state after the edit; `read` returns the
 * digits that count (without country code or leading zero, limited in length).
 */
export function editGrouped(
  previous: string,
  text: string,
  caret: number,
  read: (text: string) => string,
  forwards = false,
): GroupedEdit {
  const digits = read(text);
  const all = digitsOf(text);
  const dropped = all.endsWith(digits) ? all.length - digits.length : 0;
  const before = Math.min(Math.max(digitsOf(text.slice(0, caret)).length - dropped, 0), digits.length);
  // The same digits in a text one character shorter: only a separator was deleted, so delete the digit next to it.
  const isShorter = /\D/.test(previous) && text.length === previous.length - 1;
  if (isShorter && all === digitsOf(previous)) {
    const cut = forwards ? before : before - 1;
    if (cut >= 0) return { digits: digits.slice(0, cut) + digits.slice(cut + 1), before: cut };
  }
  return { digits, before };
}

/** The caret's position in the grouped text: after the given number of digits. */
export function caretBehind(grouped: string, before: number): number {
  let position = 0;
  for (let seen = 0; seen < before && position < grouped.length; position++) {
    if (/\d/.test(grouped.charAt(position))) seen++;
  }
  return position;
}
