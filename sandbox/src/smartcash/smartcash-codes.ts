/** 56D005 and 1006 are the provider's; it publishes no others, so the rest are the sandbox's own. */
export const codes = {
  paid: 'SC000',
  accepted: 'SC001',
  pending: 'SC002',
  refunded: 'SC003',
  hasWallet: 'SC004',
  declined: 'SC101',
  insufficientFunds: 'SC102',
  noWallet: 'SC103',
  expired: 'SC105',
  invalidField: 'SC106',
  notFound: 'SC201',
  repeated: 'SC202',
  unlisted: 'SC999',
  wrongPin: '56D005',
  locked: '1006',
} as const;
