import type { OperatorPack } from '@portal/domain/operator.ts';
import { catalogue } from './catalogue.ts';

export const pack: OperatorPack = {
  code: 'ng',
  opco: 'NG',
  productCode: 'ORP',
  channel: 'CWAAA',
  runMode: 'beta',
  brand: { name: 'Fanilo', slug: 'fanilo', tokens: {} },
  country: { name: 'nigeria', iso: 'NG' },
  numbering: {
    countryCode: '234',
    nationalLength: 10,
    // A range that nobody has been given: the lines of the sandbox with a 9 before them.
    ownPrefixes: ['939'],
    mobilePattern: '^[789][0-9]',
    groups: [3, 3, 4],
  },
  // Nobody tops up a part of a naira, so what is typed and paid is counted in whole ones.
  currency: { code: 'NGN', digits: 0 },
  languages: [{ code: 'EN', locale: 'en-NG', prefix: '', name: 'English', formats: 'en-NG' }],
  defaultLocale: 'en-NG',
  timeZone: 'Africa/Lagos',
  limits: { prepaid: { min: 50, max: 50_000 }, postpaid: { min: 100, max: 500_000 } },
  amountChips: [100, 200, 500, 1_000, 5_000],
  features: {
    showPostpaidBundles: false,
    kpi: false,
    storeFinder: true,
    contactSection: true,
    enableAmPin: false,
    postpaidHybridCheck: false,
    amountToHigherValue: true,
    dataBalance: true,
    dualCurrency: false,
  },
  care: { number: '300', pinResetDial: '*436*7#', answerHours: 24 },
  paymentMaxTry: 10,
  methods: [
    { name: 'Paystack', type: 'PG', mode: 'PAYMENT_GATEWAY', gateway: 'paystack', route: 'card' },
    { name: 'Fanilo Money', type: 'AM', mode: 'FANILO_MONEY', gateway: 'wallet', route: 'fanilo-money' },
    { name: 'SmartCash', type: 'SMARTCASH_SECURE', mode: 'SMARTCASH_SECURE', gateway: 'smartcash', route: 'smartcash' },
  ],
  catalogue,
  map: {
    centre: { lat: 9.082, lng: 8.6753 },
    bounds: { south: 3.9, west: 2.5, north: 14, east: 14.9 },
    base: null,
    attribution: '',
    tiles: null,
    countryNames: ['Nigeria'],
  },
  cdnBase: null,
  smsSender: 'Fanilo',
};
