/** Acts that need two people. */
export const approvalKinds = [
  'refund',
  'goodwill',
  'goodwillEnd',
  'erasure',
  'wayOff',
  'maintenance',
  'catalogue',
  'places',
  'publication',
  'roles',
] as const;
export type ApprovalKind = (typeof approvalKinds)[number];
