/**
 * Characters that end a line, are invisible, or change the text direction. None has a legitimate use in a name or note.
 */
const unprintable = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** For a terminal: keeps columns aligned, and nothing in the text ends the line or moves the cursor. */
export const printable = (text: string): string => text.replace(unprintable, ' ');

/**
 * User text for a mail, SMS, receipt, table or log: one line, so that nobody can forge a second line that looks like
 * ours.
 */
export const oneLine = (text: string): string => printable(text).replace(/ {2,}/g, ' ').trim();

/** Text of the operator's own people, in paragraphs: printable lines, with at most one blank line in a row. */
export const paragraphs = (text: string): string =>
  text
    .split(/\r\n|[\r\n]/)
    .map(oneLine)
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();

/** Letters that render as blank. */
const blankLetters = /[\u115f\u1160\u3164\uffa0]/gu;

/** Whether the text has visible content: combining marks, fillers and blanks do not count. */
export const saysSomething = (text: string): boolean =>
  (text.replace(blankLetters, '').match(/[\p{L}\p{N}]/gu)?.length ?? 0) >= 3;

/** A spreadsheet executes a cell that starts with one of these as a formula. */
const formula = /^[=+\-@＝＋－＠]/;

/** A CSV row. */
export function csvRow(cells: readonly (string | number | boolean | null)[], separator = ','): string {
  return cells.map((cell) => (typeof cell === 'string' ? csvText(oneLine(cell)) : String(cell ?? ''))).join(separator);
}

const csvText = (line: string) => `"${formula.test(line) ? "'" : ''}${line.replaceAll('"', '""')}"`;
