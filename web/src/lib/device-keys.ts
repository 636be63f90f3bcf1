/** Everything that stays on this device when the tab is closed, by the name it is kept under. */
export const deviceKeys = {
  recents: 'recentPurchases',
  shared: 'sharedPhone',
  keptOrder: 'keptOrder',
  lastPlace: 'lastPlace',
} as const;
