import type { ChangeEvent } from 'react';

export interface GroupedEdit {
  digits: string;
  /** How many of those digits are before the caret. */
  before: number;
}

const plain = (text: string) => text.replace(/\W/g, '');

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
  const tail = text.slice(caret);
  let start = 0;
  while (start < caret && start < previous.length - tail.length && text[start] === previous[start]) start++;
  const inserted = read(text.slice(start, caret));
  // A whole number, pasted or filled in, replaces what was there.
  if (caret - start > 1 && inserted.length === read(text).length) return { digits: inserted, before: inserted.length };
  // What does not fit is not inserted, as with `maxlength`: if it pushed out the last digits, it would be another number.
  const upTo = (place: number) => read(text.slice(0, place) + tail);
  let end = caret;
  while (end > start && !upTo(end).endsWith(plain(tail))) end--;
  const digits = upTo(end);
  const before = Math.min(read(text.slice(0, end)).length, digits.length);
  // The same digits in a text one character shorter: only a separator was deleted, so delete the digit next to it.
  if (text.length === previous.length - 1 && plain(text) === plain(previous)) {
    const cut = forwards ? before : before - 1;
    if (cut >= 0) return { digits: digits.slice(0, cut) + digits.slice(cut + 1), before: cut };
  }
  return { digits, before };
}

/** The caret's position in the grouped text: after the given number of digits. */
export function caretBehind(grouped: string, before: number): number {
  let position = 0;
  for (let seen = 0; seen < before && position < grouped.length; position++) {
    if (/\w/.test(grouped.charAt(position))) seen++;
  }
  return position;
}

/** Sets the field to what its edit means, and returns the digits. Every field of a limited length reads its edits here. */
export function readEdit(
  { currentTarget: node, nativeEvent }: ChangeEvent<HTMLInputElement>,
  previous: string,
  read: (text: string) => string,
  group: (digits: string) => string = String,
): string {
  const isForwards = (nativeEvent as InputEvent).inputType === 'deleteContentForward';
  const caret = node.selectionStart ?? node.value.length;
  const { digits, before } = editGrouped(previous, node.value, caret, read, isForwards);
  // Set here rather than by the next render, which would move the caret to the end.
  node.value = group(digits);
  if (node === document.activeElement) {
    const place = caretBehind(node.value, before);
    node.setSelectionRange(place, place);
  }
  return digits;
}
