/** What ends a line, hides, or turns the letters after it around; none of it has an honest use in a name or a note. */
const unprintable = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** For a terminal: columns stay where they are, and nothing in the text ends the line or moves the cursor. */
export const printable = (text: string): string => text.replace(unprintable, ' ');

/**
 * What somebody wrote, as others read it in a mail, an SMS, a receipt, a table or a log: one line, so that nobody can write
 * a second one that looks like ours.
 */
export const oneLine = (text: string): string => printable(text).replace(/ {2,}/g, ' ').trim();

/** Letters that are drawn as nothing. */
const blankLetters = /[\u115f\u1160\u3164\uffa0]/gu;

/** Whether there is something to read in it: marks, fillers and what is drawn as nothing say nothing. */
export const saysSomething = (text: string): boolean =>
  (text.replace(blankLetters, '').match(/[\p{L}\p{N}]/gu)?.length ?? 0) >= 3;

/** A spreadsheet takes a cell that begins so for a formula, and runs it. */
const formula = /^[=+\-@＝＋－＠]/;

/** A row of a table for a spreadsheet. */
export function csvRow(cells: readonly (string | number | boolean | null)[], separator = ','): string {
  return cells.map((cell) => (typeof cell === 'string' ? csvText(oneLine(cell)) : String(cell ?? ''))).join(separator);
}

const csvText = (line: string) => `"${formula.test(line) ? "'" : ''}${line.replaceAll('"', '""')}"`;
