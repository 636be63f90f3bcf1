/** The constants of the specification that apply to every operator; those that differ are in the packs. */

export const oneTimeCode = { digits: 6, attempts: 5, resendSeconds: 60, errorCloseSeconds: 11 } as const;
export const walletPin = { digits: 4, attempts: 5 } as const;

export const inputDebounceMilliseconds = 300;

export const cacheDefaultSeconds = 10;
export const cacheSeconds = { loaderText: 3600, translations: 3600, config: 3600 } as const;
export const toastSeconds = { short: 3, long: 10 } as const;

export const statusPoll = { attempts: 5, everySeconds: 1 } as const;
export const walletPoll = { everySeconds: 10 } as const;

/** In whole units of the pack's currency; used if the configuration has no fee. */
export const leadDefaultFee = 20_000;

export const leadRedirectSeconds = { success: 3, unavailable: 6 } as const;
export const leadTags = {
  type: 'HBB_LEADS',
  paymentMode: 'HBB_AIRTIME',
  reference: 'ODU PURCHASE',
  source: 'WEBPORTAL',
  worksSource: 'HBB_ODU_AW',
  addressType: 'INSTALLATION',
} as const;

export const popularQuestions = { help: 10, category: 5 } as const;

export const mapDefaults = {
  coverageZoom: 9,
  leadZoom: 12,
  shopHoverZoom: 13,
  searchZoom: 15,
  shopRadiusKilometres: 100,
  fifthGenerationCircleMetres: 300,
  markerWidth: 15,
  markerHeight: 30,
} as const;

/** Amounts are cents of the first currency; below one unit only the brand’s wallet is offered. */
export const dualCurrency = { unitsPerMajor: 100, leastMajorForAllOptions: 1 } as const;

/** The popup counts in hundredths whatever the currency. */
export const paystack = {
  amountFactor: 100,
  channels: ['ussd', 'bank', 'card', 'mobile_money', 'bank_transfer', 'qr'],
} as const;
