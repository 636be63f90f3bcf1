import type { OperatorPack } from '@portal/domain/operator.ts';
import { drawn } from '../drawing.ts';
import { catalogue } from './catalogue.ts';

export const pack: OperatorPack = {
  code: 'ng',
  opco: 'NG',
  productCode: 'ORP',
  channel: 'CWAAA',
  runMode: 'beta',
  brand: {
    name: 'Fanilo',
    slug: 'fanilo',
    mark: 'M12 2.5 21.5 12 12 21.5 2.5 12ZM12 7.5 16.5 12 12 16.5 7.5 12Z',
    // Indigo cloth with straight edges, and the yellow of a lamp behind it.
    tokens: {
      flame: '#1d4ed8',
      'flame-strong': '#1638a3',
      'flame-soft': '#e4ecff',
      'flame-bright': '#9db8ff',
      'flame-ember': '#14265c',
      night: '#0b1f4b',
      'night-muted': '#d3dcf2',
      second: '#ffd23f',
      glow: 'rgb(255 210 63 / 20%)',
      'radius-field': '2px',
      'radius-card': '2px',
      'radius-chip': '4px',
      drawing: drawn(
        `<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 240 240' fill='none' stroke='#ffd23f' stroke-width='3'><path opacity='.3' d='M16 16h44v44H16zM180 16h44v44h-44zM16 180h44v44H16zM180 180h44v44h-44z'/><path opacity='.6' d='m120 20 100 100-100 100L20 120z'/><path d='m120 58 62 62-62 62-62-62z'/><path fill='#ffd23f' d='m120 92 28 28-28 28-28-28z'/></svg>`,
      ),
    },
  },
  country: { name: 'nigeria', iso: 'NG' },
  numbering: {
    countryCode: '234',
    nationalLength: 10,
    // An unassigned range: the numbers of the sandbox after a 9.
    ownPrefixes: ['939'],
    mobilePattern: '^[789][0-9]',
    groups: [3, 3, 4],
  },
  // Nobody pays a fraction of a naira, so amounts are whole.
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
    base: '/map/ng',
    attribution: '© Natural Earth, GeoNames',
    tiles: null,
    countryNames: ['Nigeria'],
  },
  cdnBase: null,
  smsSender: 'Fanilo',
};
