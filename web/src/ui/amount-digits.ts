/**
 * The whole units in what was put into an amount field. In a whole text (pasted, filled in, typed before the script came)
 * cents are dropped: their digits must not make it a hundred times more. A stray point among typed digits is just ignored.
 */
export function amountDigits(text: string, isWhole: boolean): string {
  return (isWhole ? text.trim().replace(/[.,]\d{0,2}$/, '') : text).replace(/\D/g, '');
}
