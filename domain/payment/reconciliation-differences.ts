/** Kinds of differences between a provider, our ledger and the systems that deliver. */
export const differenceKinds = [
  'takenNotBooked',
  'bookedNotTaken',
  'amountDiffers',
  'refundDiffers',
  'bookedNotDelivered',
  'deliveredAndGivenBack',
  'booksDiffer',
] as const;
export type DifferenceKind = (typeof differenceKinds)[number];

/**
 * A person's explanation of a difference: listed by the other side on another day; corrected since; not one of the
 * portal's payments; a loss of the operator.
 */
export const explanations = ['timing', 'corrected', 'foreign', 'loss'] as const;
export type Explanation = (typeof explanations)[number];
