import type { OperatorPack } from '@portal/domain/operator.ts';
import { drawn } from '../drawing.ts';
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
    mark: 'M8 7a4 4 0 0 1 8 0M8.5 8h7M8 10.5c-1.8 3-1.3 6 .7 8h6.6c2-2 2.5-5 .7-8ZM8 21h8M12 12c.5 1.5 1.75 2 1.75 3.5a1.75 1.75 0 0 1-3.5 0c0-1.5 1.25-2 1.75-3.5Z',
    // A lamp by the river: round, purple, with its gold.
    tokens: {
      flame: '#6b3fa0',
      'flame-strong': '#523079',
      'flame-soft': '#f0e8fa',
      'flame-bright': '#c9a6f5',
      'flame-ember': '#2f1a4a',
      night: '#241338',
      'night-muted': '#ded3ea',
      second: '#f7c948',
      glow: 'rgb(247 201 72 / 24%)',
      'radius-field': '14px',
      'radius-card': '24px',
      drawing: drawn(
        `<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 240 240' fill='none' stroke='#f7c948' stroke-width='4' stroke-linecap='round'><circle cx='120' cy='124' r='112' fill='#f7c948' stroke='none' opacity='.12'/><path d='M84 66a36 38 0 0 1 72 0M92 76h56M84 94c-14 30-10 54 8 74h56c18-20 22-44 8-74zM84 184h72M98 168v14M142 168v14'/><path fill='#f7c948' stroke='none' d='M120 102c4 16 18 22 18 38a18 18 0 0 1-36 0c0-16 14-22 18-38z'/><path opacity='.5' d='M30 216c20-12 40 12 60 0s40 12 60 0 40 12 60 0'/></svg>`,
      ),
    },
  },
  country: { name: 'république démocratique du congo', iso: 'CD' },
  numbering: {
    countryCode: '243',
    nationalLength: 9,
    // Unassigned ranges.
    ownPrefixes: ['95', '96'],
    mobilePattern: '^[89][0-9]',
    groups: [3, 3, 3],
  },
  // Airtime is counted in units, a hundred to the dollar: what is typed and stored is cents.
  currency: { code: 'USD', digits: 2 },
  // Nobody pays a fraction of a franc.
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
    // A line's airtime is only in dollars.
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
    base: '/map/cd',
    attribution: '© Natural Earth, GeoNames',
    tiles: null,
    countryNames: ['RDC', 'RD Congo', 'République démocratique du Congo', 'Congo-Kinshasa'],
  },
  cdnBase: null,
  smsSender: 'Mwinda',
};
