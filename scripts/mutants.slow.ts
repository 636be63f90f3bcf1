/** Tests of payments that wait for ten seconds or more. Quicker tests kill the same mutants. */
export const slowTests = [
  '50 process calls in three processes are one call to the provider, over and over',
  '390000013 ends as SUCCESS',
  'that cannot be delivered is refunded, with the times',
  'an invoice is paid in full, once, and not after it was paid elsewhere',
];
