import type { OperatorPack } from '@portal/domain/operator.ts';
import { catalogue } from './catalogue.ts';

const both = ['USD', 'CDF'];

export const pack: OperatorPack = {
  code: 'cd',
  opco: 'CD',
  productCode: 'ORP',
  channel: 'CWAAA',
  runMode: 'beta',
  // Mwinda is a lamp in Lingala.
  brand: {
    name: 'Mwinda',
    slug: 'mwinda',
    tokens: {
      flame: '#6b3fa0',
      'flame-strong': '#523079',
      'flame-soft': '#f0e8fa',
      'flame-bright': '#c9a6f5',
      'flame-ember': '#2f1a4a',
      night: '#241338',
    },
  },
  country: { name: 'république démocratique du congo', iso: 'CD' },
  numbering: {
    countryCode: '243',
    nationalLength: 9,
    // Ranges that nobody has been given.
    ownPrefixes: ['95', '96'],
    mobilePattern: '^[89][0-9]',
    groups: [3, 3, 3],
  },
  // Airtime is counted in units, a hundred to the dollar: what is typed and stored is cents.
  currency: { code: 'USD', digits: 2 },
  // Nobody pays a part of a franc.
  secondCurrency: { code: 'CDF', digits: 0, plausible: { least: 1_500, most: 6_000 } },
  languages: [{ code: 'FR', locale: 'fr-CD', prefix: '', name: 'Français', formats: 'fr-FR' }],
  defaultLocale: 'fr-CD',
  timeZone: 'Africa/Kinshasa',
  limits: { prepaid: { min: 20, max: 20_000 }, postpaid: { min: 100, max: 100_000 } },
  amountChips: [50, 100, 200, 500, 1_000],
  features: {
    showPostpaidBundles: false,
    kpi: false,
    storeFinder: true,
    contactSection: true,
    enableAmPin: false,
    postpaidHybridCheck: false,
    amountToHigherValue: false,
    dataBalance: false,
    dualCurrency: true,
  },
  care: { number: '300', pinResetDial: '*436*7#', answerHours: 24 },
  paymentMaxTry: 10,
  methods: [
    {
      name: 'Mastercard, Visa',
      type: 'PG',
      mode: 'PAYMENT_GATEWAY',
      gateway: 'card',
      route: 'card',
      currencies: both,
    },
    // A line's credit is counted in dollars only.
    { name: 'Crédit', type: 'AIRTIME', mode: 'AIRTIME', gateway: 'airtime', route: 'airtime' },
    {
      name: 'Mwinda Money',
      type: 'AM',
      mode: 'MWINDA_MONEY',
      gateway: 'wallet',
      route: 'mwinda-money',
      currencies: both,
    },
  ],
  catalogue,
  map: {
    centre: { lat: -4.322, lng: 15.313 },
    bounds: { south: -13.5, west: 12.1, north: 5.4, east: 31.4 },
    base: null,
    attribution: '',
    tiles: null,
    countryNames: ['RDC', 'RD Congo', 'République démocratique du Congo', 'Congo-Kinshasa'],
  },
  cdnBase: null,
  smsSender: 'Mwinda',
};
