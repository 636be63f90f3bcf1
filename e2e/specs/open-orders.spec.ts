import { expect, test } from '@playwright/test';
import { freshLine } from '../../web/src/testing/orders.fixture.ts';
import { grouped } from '../fixtures/walk.ts';

interface Answer {
  status: number;
  location: string;
  body: string;
}

/** A browser without script; one that refuses cookies sends none. */
function browser({ keepsCookies }: { keepsCookies: boolean }) {
  let cookie = '';
  const send = async (path: string, form?: Record<string, string>): Promise<Answer> => {
    const answer = await fetch(`${process.env.PORTAL_URL}${path}`, {
      redirect: 'manual',
      headers: { accept: 'text/html', ...(cookie ? { cookie } : {}) },
      ...(form ? { method: 'POST', body: new URLSearchParams(form) } : {}),
    });
    const given = answer.headers.getSetCookie().find((one) => one.startsWith('visit='));
    if (keepsCookies && given) cookie = given.split(';')[0] ?? '';
    return { status: answer.status, location: answer.headers.get('location') ?? '', body: await answer.text() };
  };
  return { get: (path: string) => send(path), post: send };
}
type Browser = ReturnType<typeof browser>;

const postpaidLine = '390000002';
const tokenIn = ({ location }: Answer, name: string): string =>
  new URL(location, 'http://portal.example').searchParams.get(name) ?? '';

/** One token of each kind that a browser receives, with the number sealed in it. */
async function tokensOf({ get, post }: Browser) {
  const line = freshLine();
  await get('/');
  const order = await post('/prepaid-recharge', { msisdn: line, amount: '1000' });
  const bundleLine = await post('/data-bundle', { msisdn: line });
  const code = await post('/postpaid-bill-pay', { step: 'fetch', msisdn: postpaidLine });
  const proof = await post('/postpaid-bill-pay', { step: 'account', msisdn: postpaidLine, accountNo: '1000000002' });
  const bill = proof.location ? await get(proof.location) : proof;
  const refused = await post('/postpaid-bill-pay', { step: 'pay', msisdn: postpaidLine, amount: '' });
  return {
    order: { token: tokenIn(order, 'order'), number: line },
    bundleLine: { token: tokenIn(bundleLine, 'line'), number: line },
    postpaidCode: { token: tokenIn(code, 'order'), number: postpaidLine },
    postpaidProof: { token: /name="order" value="([\w-]+)"/.exec(bill.body)?.[1] ?? '', number: postpaidLine },
    // Without cookies a bill is shown in the response to its form and has no URL.
    postedForm: { token: tokenIn(proof, 'form') || tokenIn(refused, 'form'), number: postpaidLine },
  };
}
type Kind = keyof Awaited<ReturnType<typeof tokensOf>>;

/** The URL where the number of each kind is shown to those who may see it. */
const shownAt: Record<Kind, (token: string) => string> = {
  order: (token) => `/payment/start?order=${token}`,
  bundleLine: (token) => `/data-bundle?line=${token}`,
  postpaidCode: (token) => `/postpaid-bill-pay?order=${token}`,
  postpaidProof: (token) => `/postpaid-bill-pay?order=${token}`,
  postedForm: (token) => `/postpaid-bill-pay?form=${token}`,
};
const shows = (body: string, number: string) => body.includes(number) || body.includes(grouped(number));

const readPlaces = (token: string) => [
  `/?order=${token}&line=${token}`,
  `/prepaid-recharge?order=${token}&line=${token}`,
  `/payment?order=${token}`,
  `/payment/start?order=${token}`,
  `/payment/start/fanilo-money?order=${token}`,
  `/payment/start/card?order=${token}`,
  `/payment/status?order=${token}&id=${token}`,
  `/data-bundle?line=${token}&order=${token}`,
  `/broadband-recharge?line=${token}`,
  `/orp/fixed-internet?order=${token}`,
  `/postpaid-bill-pay?order=${token}&form=${token}`,
  `/payment/start/airtime?order=${token}&form=${token}`,
  `/hbb-lead?order=${token}`,
  `/hbb-lead-status?id=${token}`,
];
const written = { msisdn: '', amount: '1000', paymentMobile: '390000001', emailId: 'client@example.mg', otp: '123456' };
const writePlaces = (token: string): [path: string, form: Record<string, string>][] => [
  ['/payment/start/fanilo-money', { ...written, order: token }],
  ['/payment/start/mpesa', { ...written, order: token, exchangeQuote: token, currency: 'USD', chargedAmount: '1' }],
  ['/payment/start/card', { ...written, order: token, gateway: token }],
  ...['', 'fetch', 'account', 'resend'].map((step): [string, Record<string, string>] => [
    '/postpaid-bill-pay',
    { ...written, order: token, step },
  ]),
  ['/orp/fixed-internet', { order: token, accountNo: token, email: token }],
  [`/data-bundle?line=${token}`, { product: token }],
  [`/broadband-recharge?line=${token}`, { product: token }],
  ['/prepaid-recharge', { ...written, order: token, redirectPage: token }],
];

test.describe('SEC-27 an open order belongs to the visit that made it @desktop', () => {
  test('an order of each kind shows its number to its own visit only', async () => {
    const mine = browser({ keepsCookies: true });
    const tokens = await tokensOf(mine);
    for (const [kind, { token, number }] of Object.entries(tokens)) {
      expect(token, kind).not.toBe('');
      const address = shownAt[kind as Kind](token);
      expect(shows((await mine.get(address)).body, number), kind).toBe(true);
      const other = browser({ keepsCookies: true });
      for (const asked of [await other.get(address), await other.get(address)]) {
        expect(asked.status, kind).toBeLessThan(500);
        expect(shows(asked.body, number), kind).toBe(false);
      }
      expect(shows((await browser({ keepsCookies: false }).get(address)).body, number), kind).toBe(false);
    }
  });

  test('another visit cannot pay it', async () => {
    const { order } = await tokensOf(browser({ keepsCookies: true }));
    const form = { order: order.token, paymentMobile: order.number };
    for (const keepsCookies of [true, false]) {
      const other = browser({ keepsCookies });
      await other.get('/');
      expect(await other.post('/payment/start/fanilo-money', form)).toMatchObject({ status: 303, location: '/' });
    }
  });

  test('a browser that refuses cookies can buy', async () => {
    const mine = browser({ keepsCookies: false });
    const tokens = await tokensOf(mine);
    for (const [kind, { token, number }] of Object.entries(tokens))
      expect(shows((await mine.get(shownAt[kind as Kind](token))).body, number), kind).toBe(true);
    const form = { order: tokens.order.token, paymentMobile: tokens.order.number };
    const paid = await mine.post('/payment/start/fanilo-money', form);
    expect(paid).toMatchObject({ status: 303, location: expect.stringMatching(/^\/payment\/status\?id=\w+/) });
  });

  test('a token of another kind is treated as none, and never causes a server error', async () => {
    for (const keepsCookies of [true, false]) {
      const mine = browser({ keepsCookies });
      const made = await tokensOf(mine);
      for (const [kind, { token, number }] of Object.entries(made)) {
        const places = {
          order: /^\/payment/,
          bundleLine: /-bundle|broadband/,
          postpaidCode: /postpaid/,
          postpaidProof: /postpaid/,
          postedForm: /postpaid/,
        };
        for (const path of readPlaces(token)) {
          const answer = await mine.get(path);
          expect(answer.status, `${kind} at ${path}`).toBeLessThan(500);
          if (!places[kind as Kind].test(path)) expect(shows(answer.body, number), `${kind} at ${path}`).toBe(false);
        }
        for (const [path, form] of writePlaces(token)) {
          const answer = await mine.post(path, form);
          expect(answer.status, `${kind} posted to ${path}`).toBeLessThan(500);
        }
      }
      const { token } = made.order;
      for (const broken of ['', 'x', '%00', '__proto__', token.slice(1), `${token}A`, 'A'.repeat(5_000)])
        for (const path of readPlaces(broken)) expect((await mine.get(path)).status, path).toBeLessThan(500);
    }
  });
});
