/** Keys of everything in local storage. */
export const deviceKeys = {
  recents: 'recentPurchases',
  shared: 'sharedPhone',
  keptOrder: 'keptOrder',
  lastPlace: 'lastPlace',
} as const;
