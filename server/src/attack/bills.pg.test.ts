import { randomUUID } from 'node:crypto';
import { standardBudgets } from '@portal/domain/budgets.ts';
import { baseBits } from '@portal/domain/challenge/difficulty.ts';
import { orderLifeSeconds } from '@portal/domain/payment/schedule.ts';
import { describe, expect, test } from 'vitest';
import { solve } from '../testing/challenges.ts';
import { type Answer, attackTests, resetLimits, type Sender, world } from './attack-world.fixture.ts';

attackTests();

const account = 'PA1000000001';
const email = 'client@example.mg';
const owner = { visit: 'owner' };
const stranger = { visit: 'stranger', ip: '198.51.100.9' };

interface ShownInvoice {
  invoiceNo: string;
  amountDue: number;
  invoiceStatus: string;
  invoiceToken: string;
}

const ask = (accountNo: string, contactPersonEmailId: string, from: Sender = owner) =>
  world.call('openInvoices', { accountNo, contactPersonEmailId }, from);

async function shown(from: Sender = owner): Promise<ShownInvoice[]> {
  const answer = await ask(account, email, from);
  return answer.result.response.invoices;
}

const order = (invoice: { invoiceNo: string; amountDue: number }, more: object = {}) => ({
  amount: invoice.amountDue,
  mobileNumber: '',
  paymentMobile: '0390000101',
  transactionType: 'POSTPAID_BILL',
  paymentMode: 'MPESA',
  paymentGateway: 'MPESA',
  currencyCode: 'MGA',
  accountId: account,
  invoiceNumber: invoice.invoiceNo,
  ...more,
});

const initiate = (body: object, from: Sender = stranger) =>
  world.call('initiate', body, { ...from, headers: { 'idempotency-key': randomUUID() } });

/** The response without what differs for every request. */
const told = ({ http, text }: Answer) => `${http} ${text}`;

describe('SEC-21 an invoice without the token of SHOW BILLS', () => {
  test('unknown, paid, changed and payable are one answer, however it is asked, and the billing system is not', async () => {
    const [due, overdue, paid] = await shown();
    if (!due || !overdue || !paid) throw new Error('three invoices are shown');
    await world.phone.fault({ provider: 'billing', fault: 'error500', operation: '*' });
    const invoices = [
      due,
      { ...due, amountDue: due.amountDue - 1 },
      overdue,
      paid,
      { invoiceNo: `${account}-99`, amountDue: 1_000 },
      { invoiceNo: 'NOBODYS', amountDue: 1_000 },
    ];
    const tokens = ['', undefined, 'x'.repeat(64), due.invoiceToken, `${due.invoiceToken.slice(0, -1)}A`];
    const answers: Answer[] = [];
    for (const invoice of invoices)
      for (const invoiceToken of tokens) {
        answers.push(await initiate(order(invoice, { invoiceToken })));
        answers.push(await initiate(order(invoice, { invoiceToken, accountId: 'PA1000000009' })));
        const payment = order(invoice, { invoiceToken });
        const data = { msisdn: '0390000101', paymentMode: 'AIRTIME', payment };
        answers.push(await world.call('sendCode', { data }, stranger));
      }
    await world.phone.clearFaults();
    expect([...new Set(answers.map(told))]).toHaveLength(1);
    expect(answers[0]).toMatchObject({ http: 409, code: 'NOT_OFFERED' });
  });

  test('a token is its visit’s, its invoice’s and its account’s, and ends', async () => {
    const [due, overdue] = await shown();
    if (!due || !overdue) throw new Error('two invoices are due');
    const { invoiceToken } = due;
    const refused = [
      await initiate(order(due, { invoiceToken })),
      await initiate(order(overdue, { invoiceToken }), owner),
      await initiate(order(due, { invoiceToken, accountId: 'PA1000000009' }), owner),
    ];
    for (const { http } of refused) expect(http).toBe(409);
    expect((await initiate(order(due, { invoiceToken }), owner)).http).toBe(200);
    world.advance(orderLifeSeconds);
    expect(await initiate(order(due, { invoiceToken, confirmRepeat: true }), owner)).toMatchObject({
      http: 409,
      code: 'NOT_OFFERED',
    });
  });

  test('who was shown the bill is told what became of it', async () => {
    const [due] = await shown();
    if (!due) throw new Error('an invoice is due');
    const body = order(due, { invoiceToken: due.invoiceToken });
    expect(await initiate({ ...body, amount: due.amountDue - 1 }, owner)).toMatchObject({ code: 'PRICE_CHANGED' });
    await world.phone.post(`/bills/${due.invoiceNo}/settle`);
    const answer = await initiate(body, owner);
    expect(answer).toMatchObject({ http: 409, code: 'PRICE_CHANGED' });
    expect(answer.text).toContain('already been paid');
  });

  test('why it was refused is in the log by a word, without number or token', async () => {
    const [due] = await shown();
    if (!due) throw new Error('an invoice is due');
    world.running.lines.length = 0;
    await initiate(order(due));
    await initiate(order(due, { invoiceToken: due.invoiceToken }));
    const lines = world.running.lines.filter((line) => line.includes('bill not told'));
    expect(lines.map((line) => JSON.parse(line).reason)).toEqual(['noToken', 'otherToken']);
    for (const line of world.running.lines) {
      expect(line).not.toContain(due.invoiceNo);
      expect(line).not.toContain(due.invoiceToken);
    }
  });
});

describe('SEC-21 guessing whose an account is', () => {
  test('an account of another line and one that nobody has are one answer; the log knows which', async () => {
    world.running.lines.length = 0;
    const match = (accountNo: string) =>
      world.call('validateAccount', { data: { msisdn: '0390000002', accountNo } }, stranger);
    const answers = [await match('9999999901'), await match('1000000003'), await match('5000000777')];
    expect([...new Set(answers.map(told))]).toHaveLength(1);
    expect(answers[0]).toMatchObject({ http: 404, code: 60119 });
    const reasons = world.running.lines
      .filter((line) => line.includes('bill not told'))
      .map((line) => JSON.parse(line));
    expect(reasons.map(({ reason }) => reason)).toEqual(['accountUnknown', 'accountMismatch', 'accountMismatch']);
  });

  test('one account against many lines stops at its budget', async () => {
    const matches: number[] = [];
    for (let line = 0; line < standardBudgets.accountLines.most + 2; line += 1) {
      const from = { visit: `line-${line}`, ip: `198.51.${line}.1` };
      const data = { msisdn: `03900003${10 + line}`, accountNo: '1000000002' };
      matches.push((await world.call('validateAccount', { data }, from)).http);
    }
    expect(matches.filter((http) => http === 404)).toHaveLength(standardBudgets.accountLines.most);
    expect(matches.at(-1)).toBe(429);
  });

  /** The responses to unknown emails, each from an address of its own. */
  async function guessEmails(accountNo: string, guesses: number, from = (guess: number) => `198.51.${guess}.1`) {
    const asked: Answer[] = [];
    for (let guess = 0; guess < guesses; guess += 1)
      asked.push(await ask(accountNo, `guess${guess}@example.mg`, { visit: `v-${guess}`, ip: from(guess) }));
    return asked;
  }
  /** The guesses that need no challenge. */
  const freely = standardBudgets.invoiceGuessAll.most * 0.8;
  const empty = JSON.stringify({ response: { invoices: [] } });

  test('SEC-19 many emails against one account take a challenge, whether it exists or not, which grows dearer', async () => {
    for (const accountNo of [account, 'PZ9999999999']) {
      await resetLimits(world);
      const asked = await guessEmails(accountNo, freely + 2);
      expect(asked.filter(({ result }) => JSON.stringify(result) === empty)).toHaveLength(freely);
      expect(asked.slice(freely).map(({ http, code }) => [http, code])).toEqual(
        Array(2).fill([428, 'CHALLENGE_NEEDED']),
      );
      const prices: number[] = [];
      for (let guess = 0; guess < 4; guess += 1) {
        const from = { visit: `paid-${guess}`, ip: `192.0.${guess}.1` };
        const { challenge } = (await ask(accountNo, 'guess@example.mg', from)).error;
        prices.push(challenge.bits);
        const headers = { 'x-challenge': solve(challenge) };
        const paid = await ask(accountNo, 'guess@example.mg', { ...from, headers });
        expect(JSON.stringify(paid.result)).toBe(empty);
      }
      expect(prices).toEqual([baseBits, baseBits + 1, baseBits + 4, baseBits + 4]);
    }
  });

  test('SEC-19 from one address they stop for good, and the owner is shown the bills all the same, for a second of work', async () => {
    const asked = await guessEmails(account, standardBudgets.invoiceGuess.most + 2, () => stranger.ip);
    const solved: Answer[] = [];
    for (let guess = 0; guess < 4; guess += 1) {
      const { error } = await ask(account, `more${guess}@example.mg`, stranger);
      const headers: Record<string, string> = error.challenge ? { 'x-challenge': solve(error.challenge) } : {};
      solved.push(await ask(account, `more${guess}@example.mg`, { ...stranger, headers }));
    }
    const wrong = [...asked, ...solved].filter(({ result }) => JSON.stringify(result) === empty);
    expect(wrong).toHaveLength(standardBudgets.invoiceGuess.most);
    expect(solved.at(-1)).toMatchObject({ http: 429, code: 2002 });

    const { error } = await ask(account, email, owner);
    const shownTo = await ask(account, email, { ...owner, headers: { 'x-challenge': solve(error.challenge) } });
    expect(shownTo.result.response.invoices).toHaveLength(3);
    // Asked again to pay: this visit has proved ownership.
    expect((await ask(account, email, owner)).result.response.invoices).toHaveLength(3);
    expect((await ask(account, 'wrong@example.mg', { visit: 'somebody else' })).http).toBe(428);
  });

  test('all at once: no more guesses reach the billing system than the budget has', async () => {
    const guesses = await Promise.all(
      Array.from({ length: 40 }, (_, guess) => ask(account, `at-once-${guess}@example.mg`, { visit: `o-${guess}` })),
    );
    expect(guesses.filter(({ http }) => http === 200)).toHaveLength(freely);
  });

  test('the owner uses up nothing by looking, nor does a billing system that is down', async () => {
    for (let look = 0; look < standardBudgets.invoiceGuess.most + 2; look += 1) expect(await shown()).toHaveLength(3);
    await world.phone.fault({ provider: 'billing', fault: 'error500', operation: '*' });
    for (let look = 0; look < standardBudgets.invoiceGuess.most + 2; look += 1)
      expect((await ask(account, email)).http).toBe(504);
    await world.phone.clearFaults();
    expect(await shown()).toHaveLength(3);
  });
});

test('SEC-21 the contact person’s number is masked, and is still whom the payment is for', async () => {
  const answer = await ask(account, email);
  expect(answer.result.response.contactPersonMsisdn).toBe('39 •• ••• 01');
  expect(answer.text).not.toContain('390000001');

  const withoutLine = 'PA2000000123';
  const { response } = (await ask(withoutLine, 'pa2000000123@example.mg')).result;
  expect(response).toMatchObject({ contactPersonMsisdn: '39 •• ••• 23' });
  expect(response.lineNumber).toBeUndefined();
  const [due] = response.invoices;
  const body = order(due, { accountId: withoutLine, invoiceToken: due.invoiceToken });
  const { transactionId } = (await initiate(body, owner)).result;
  const stored = await world.running.portal.payments.find(transactionId);
  expect(stored?.payment.msisdn).toBe('0390000123');
});

test('SEC-21 MNY-7 an invoice that was refused is paid another way with what the status gives its own visit, and no other', async () => {
  const withoutLine = 'PA2000000123';
  const { response } = (await ask(withoutLine, 'pa2000000123@example.mg')).result;
  const [due] = response.invoices;
  const declines = '0390000007';
  const body = order(due, { accountId: withoutLine, invoiceToken: due.invoiceToken, paymentMobile: declines });
  const { transactionId } = (await initiate(body, owner)).result;
  await world.call('process', { transactionId, paymentMobile: declines }, owner);
  const status = (from: Sender) => world.call('transactionFetch', { txnId: transactionId }, from);
  await expect.poll(async () => (await status(owner)).result.status).toBe('FAILED');

  const kept = (await status(owner)).result.order;
  expect(kept).toMatchObject({ msisdn: '', invoice: { accountNo: withoutLine, invoiceNo: due.invoiceNo } });
  expect((await status(owner)).text).not.toContain('390000123');
  const { invoiceToken } = kept.invoice;
  const again = order(due, {
    accountId: withoutLine,
    invoiceToken,
    paymentMode: 'PAYMENT_GATEWAY',
    paymentGateway: 'CARD',
  });
  const paidBy = await initiate({ ...again, paymentMobile: '', emailId: email }, owner);
  expect(paidBy.http, paidBy.text).toBe(200);
  const stored = await world.running.portal.payments.find(paidBy.result.transactionId);
  expect(stored?.payment).toMatchObject({ msisdn: '0390000123', invoice_number: due.invoiceNo });

  expect((await status(stranger)).result.order).toBeUndefined();
  expect((await initiate({ ...again, emailId: email, paymentMobile: '' }, stranger)).code).toBe('NOT_OFFERED');
});

describe('MNY-6 an invoice that somebody else paid between the order and the payment', () => {
  const stateOf = async (id: string) => (await world.running.portal.payments.find(id))?.payment;

  test('asks nobody for money, and says that it was paid and nothing was taken', async () => {
    const [due] = await shown();
    if (!due) throw new Error('an invoice is due');
    const { transactionId } = (await initiate(order(due, { invoiceToken: due.invoiceToken }), owner)).result;
    await world.phone.post(`/bills/${due.invoiceNo}/settle`);
    const answer = await world.call('process', { transactionId }, owner);
    expect(answer).toMatchObject({ http: 409, code: 'ORDER_PAID' });
    expect(answer.text).toContain('Nothing was taken from you');
    expect(await stateOf(transactionId)).toMatchObject({ state: 'FAILED', reason: 'paidAlready' });
    expect(await world.phone.prompts('390000101')).toEqual([]);
  });

  test('and money that was on its way by then goes back with an SMS that says so', async () => {
    const [due] = await shown();
    if (!due) throw new Error('an invoice is due');
    const payer = '390000008';
    const body = order(due, { invoiceToken: due.invoiceToken, paymentMobile: `0${payer}` });
    const { transactionId } = (await initiate(body, owner)).result;
    await world.call('process', { transactionId }, owner);
    const prompts = () => world.phone.prompts(payer);
    await expect.poll(async () => (await prompts()).length).toBe(1);
    await world.phone.post(`/bills/${due.invoiceNo}/settle`);
    const [prompt] = await prompts();
    await world.phone.post(`/prompts/${prompt?.id}`, { action: 'approve', pin: '1234' });
    await expect.poll(async () => (await stateOf(transactionId))?.state).toBe('REFUNDED');
    expect(await stateOf(transactionId)).toMatchObject({ reason: 'paidAlready' });
    const texts = async () => (await world.phone.messages(payer)).map(({ text }) => text).join('\n');
    await expect.poll(texts).toContain('had been paid already');
    expect(await texts()).not.toContain('could not be delivered');
  });
});
