type LineType = 'PREPAID' | 'POSTPAID' | 'HYBRID';

export type PushBehaviour = 'approves' | 'declines' | 'silent';

export interface BundleBalance {
  id: string;
  description: string;
  category: string;
  unlimited: boolean;
  /** null when it is unlimited, or bought without telling how much it holds. */
  amount: number | null;
  unit: string;
  /** null never ends. */
  expiresAt: string | null;
}

export interface LineProfile {
  number: string;
  lineType: LineType;
  broadband: boolean;
  /** Airtime in whole ariary; null for a line without a prepaid balance. */
  airtime: number | null;
  /** Wallet balance in whole ariary; null when the line has no wallet. */
  wallet: number | null;
  walletPin: string;
  walletLocked: boolean;
  push: PushBehaviour;
  losesWalletAnswers: boolean;
  refusesTopups: boolean;
  /** The SMS centre takes nothing for it. */
  refusesMessages: boolean;
  account: string | null;
  outstanding: number | null;
  bundles: (now: number) => BundleBalance[];
  otpRecipient: string | null;
  /** Null for a line that has had its SIM for long. */
  simSwappedHoursAgo: number | null;
}

export interface ListedLine {
  number: string;
  kind: string;
  behaviour: string;
  use: { label: string; href: string };
}

const day = 24 * 60 * 60 * 1000;

const ordinary: Omit<LineProfile, 'number'> = {
  lineType: 'PREPAID',
  broadband: false,
  airtime: 10_000,
  wallet: 100_000,
  walletPin: '1234',
  walletLocked: false,
  push: 'approves',
  losesWalletAnswers: false,
  refusesTopups: false,
  refusesMessages: false,
  account: null,
  outstanding: null,
  bundles: () => [],
  otpRecipient: null,
  simSwappedHoursAgo: null,
};

function routerBundles(now: number): BundleBalance[] {
  const expiresAt = new Date(now + 30 * day).toISOString();
  return [
    {
      id: 'router-data',
      description: 'Home data',
      category: 'DATA',
      unlimited: false,
      amount: 3.2,
      unit: 'GB',
      expiresAt,
    },
    {
      id: 'router-nights',
      description: 'Unlimited nights',
      category: 'DATA',
      unlimited: true,
      amount: null,
      unit: 'GB',
      expiresAt,
    },
  ];
}

const special: Record<string, Partial<LineProfile>> = {
  '390000001': { airtime: 50_000, wallet: 500_000 },
  '390000002': { lineType: 'POSTPAID', airtime: null, account: '1000000002', outstanding: 45_250.4 },
  '390000003': { lineType: 'HYBRID', airtime: 5_000, account: '1000000003', outstanding: 12_000 },
  '390000004': { airtime: 0, wallet: 0 },
  '390000005': { broadband: true, airtime: 1_500, bundles: routerBundles, otpRecipient: '390000001' },
  '390000006': { walletLocked: true },
  '390000007': { push: 'declines' },
  '390000008': { push: 'silent' },
  '390000010': { refusesMessages: true },
  '390000011': { wallet: null },
  '390000012': { refusesTopups: true },
  '390000013': { losesWalletAnswers: true },
  '390000014': { lineType: 'POSTPAID', airtime: null, outstanding: 0 },
  '390000015': { simSwappedHoursAgo: 24 },
};

export const linesWithAccount = Object.entries(special).flatMap(([number, { account, outstanding }]) =>
  account ? [{ number, account, outstanding: outstanding ?? 0 }] : [],
);

const notALine = '390000009';

/** What a number is when nothing has happened to it yet; undefined when it is no line of this operator. */
export function profileOf(number: string): LineProfile | undefined {
  if (number === notALine || !/^39\d{7}$/.test(number)) return undefined;
  return { ...ordinary, ...special[number], number };
}

function recharge(number: string) {
  return { label: 'Recharge', href: `/prepaid-recharge?msisdn=${number}` };
}

function payBill(number: string) {
  return { label: 'Pay bill', href: `/postpaid-bill-pay?msisdn=${number}` };
}

export const listedLines: readonly ListedLine[] = [
  { kind: 'Prepaid', behaviour: 'Airtime 50,000; wallet 500,000; PIN 1234', use: recharge, number: '390000001' },
  { kind: 'Postpaid', behaviour: 'Account 1000000002, 45,250.40 outstanding', use: payBill, number: '390000002' },
  {
    kind: 'Hybrid',
    behaviour: 'Account 1000000003, 12,000 outstanding; airtime 5,000',
    use: payBill,
    number: '390000003',
  },
  { kind: 'Prepaid', behaviour: 'Airtime 0, wallet 0: never enough', use: recharge, number: '390000004' },
  {
    kind: 'Home router',
    behaviour: '3.2 GB for 30 days, unlimited nights, airtime 1,500; its codes go to 390000001',
    use: (number: string) => ({ label: 'Broadband', href: `/broadband-recharge?msisdn=${number}` }),
    number: '390000005',
  },
  { kind: 'Prepaid', behaviour: 'Wallet is locked', use: recharge, number: '390000006' },
  { kind: 'Prepaid', behaviour: 'Declines every payment request', use: recharge, number: '390000007' },
  { kind: 'Prepaid', behaviour: 'Never answers a payment request', use: recharge, number: '390000008' },
  { kind: 'No line', behaviour: 'The number is not a line: Invalid Mobile No', use: recharge, number: '390000009' },
  { kind: 'Prepaid', behaviour: 'Sending a code answers 502', use: recharge, number: '390000010' },
  { kind: 'Prepaid', behaviour: 'Has no wallet: verifying a code answers 4001', use: recharge, number: '390000011' },
  {
    kind: 'Prepaid',
    behaviour: 'Delivery is refused after paying: the money goes back',
    use: recharge,
    number: '390000012',
  },
  {
    kind: 'Prepaid',
    behaviour: "The provider's answer is lost: only asking again tells",
    use: recharge,
    number: '390000013',
  },
  { kind: 'Postpaid', behaviour: 'No account matches it: 60119', use: payBill, number: '390000014' },
  {
    kind: 'Prepaid',
    behaviour: 'Its SIM was changed yesterday: airtime and PIN payments are held for a person',
    use: recharge,
    number: '390000015',
  },
].map((line) => ({ ...line, use: line.use(line.number) }));
