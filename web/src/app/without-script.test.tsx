import { publicPack } from '@portal/domain/operator.ts';
import { paths } from '@portal/domain/paths.ts';
import { offeredPaths } from '@portal/domain/screens.ts';
import { pack } from '@portal/operators/mg/pack.ts';
import { expect, inject, test } from 'vitest';

const { url: portal } = inject('portal');
const { fetch: ask } = globalThis;

/** All pages except the offline page, which only the service worker shows. */
const pages = [
  ...offeredPaths(publicPack(pack)).filter((path) => path !== paths.offline),
  ...['/gethelp/contact-details', '/payment/status?id=unknown', '/nowhere'],
];

/** A page as rendered without script. */
async function read(path: string): Promise<HTMLElement> {
  const answer = await ask(portal + path, { headers: { accept: 'text/html', 'accept-language': 'en' } });
  const { body } = new DOMParser().parseFromString(await answer.text(), 'text/html');
  for (const hidden of body.querySelectorAll('script,.needs-script')) hidden.remove();
  return body;
}

/** Whether it submits a form or closes a native dialog. */
const doesSomething = (button: HTMLButtonElement) =>
  (button.type === 'submit' && button.form !== null && !button.disabled) ||
  button.closest('dialog:not([open])') !== null;

test.each(['', '/sw', '/mg'])('NOS-1 no page of “%s” shows an unfilled placeholder', async (prefix) => {
  for (const path of pages) {
    const body = await read(prefix + path);
    const shown = [
      body.textContent ?? '',
      ...[...body.querySelectorAll('[aria-label],[placeholder],[title],[alt],[href]')].flatMap((one) =>
        ['aria-label', 'placeholder', 'title', 'alt', 'href'].map((name) => one.getAttribute(name) ?? ''),
      ),
    ];
    expect(shown.join(' ').match(/\S*\{\w*\}\S*/g) ?? [], prefix + path).toEqual([]);
  }
});

test('STO-3 NOS-3 without script no page has a dead button, including the store locator with and without results', async () => {
  const found = ['/storeLocator?q=Antsirabe', '/storeLocator?q=Nowhere', '/openNetworks?q=Antsirabe'];
  for (const path of [...pages, ...found]) {
    const body = await read(path);
    const dead = [...body.querySelectorAll('button')].filter((button) => !doesSomething(button));
    expect(
      dead.map(({ textContent }) => textContent),
      path,
    ).toEqual([]);
  }
});

test('D2 an unknown URL below the payment page has the title of the page that it shows', async () => {
  for (const [path, title] of [
    ['/payment/foo', 'Unexpected Application Error!'],
    ['/sw/payment/foo', 'Un problème inattendu est survenu'],
  ] as const) {
    const answer = await ask(portal + path, { headers: { accept: 'text/html', 'accept-language': 'en' } });
    expect(answer.status).toBe(404);
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
    expect(page.title).toContain(page.querySelector('h1')?.textContent ?? '?');
    expect(page.title).toContain(title);
  }
});

test('PRE-3 without script a number that is paid by bill is called postpaid or hybrid', async () => {
  for (const [msisdn, words] of [
    ['390000002', 'This is a postpaid line: it is paid by bill.'],
    ['390000003', 'This is a hybrid line: it is paid by bill.'],
  ] as const) {
    const answer = await ask(`${portal}/prepaid-recharge`, {
      method: 'POST',
      headers: { accept: 'text/html', 'accept-language': 'en' },
      body: new URLSearchParams({ msisdn, amount: '5000' }),
    });
    const { body } = new DOMParser().parseFromString(await answer.text(), 'text/html');
    expect(body.textContent).toContain(words);
    expect(body.querySelector('main a[href="/postpaid-bill-pay"]')).not.toBeNull();
  }
});

test('without script an amount is parsed as with it: zero cents are whole, and a refused amount is shown again as typed', async () => {
  const post = async (page: string, amount: string) =>
    ask(`${portal}${page}`, {
      method: 'POST',
      headers: { accept: 'text/html', 'accept-language': 'en' },
      body: new URLSearchParams({
        msisdn: page === '/prepaid-recharge' ? '390000001' : '390000002',
        amount,
        step: 'pay',
      }),
      redirect: 'manual',
    });
  const shown = async (answer: Response) => (await ask(portal + answer.headers.get('location'))).text();
  for (const page of ['/prepaid-recharge', '/postpaid-bill-pay'])
    for (const amount of ['12.50', '2000.50', '1e4', '２０００', '٢٠٠٠', '5 mille']) {
      const { body } = new DOMParser().parseFromString(await shown(await post(page, amount)), 'text/html');
      expect(body.textContent, `${page} ${amount}`).toContain(
        'Please enter a whole amount in the digits 0 to 9, without cents',
      );
      expect(body.querySelector('input[name=amount]')?.getAttribute('value'), page).toBe(amount);
    }
  const bought = await post('/prepaid-recharge', '2,000.00');
  expect(bought.status).toBe(303);
});

test('NOS-2 a form that is refused is shown again by GET for ten minutes, with what was typed and why, and stored nowhere', async () => {
  const refused = await ask(`${portal}/prepaid-recharge?theme=dark`, {
    method: 'POST',
    headers: { accept: 'text/html', 'accept-language': 'en' },
    body: new URLSearchParams({ msisdn: '39000', amount: '12.50', redirectPage: '/', pin: '1234' }),
    redirect: 'manual',
  });
  expect([refused.status, refused.headers.get('cache-control')]).toEqual([303, 'no-store']);
  const address = refused.headers.get('location') ?? '';
  expect(address).toMatch(/^\/prepaid-recharge\?theme=dark&form=/);
  const again = await ask(portal + address, { headers: { accept: 'text/html', 'accept-language': 'en' } });
  expect(again.headers.get('cache-control')).toBe('no-store');
  const { body } = new DOMParser().parseFromString(await again.text(), 'text/html');
  expect(body.querySelector('input[name=amount]')?.getAttribute('value')).toBe('12.50');
  expect(body.textContent).toContain('Please enter a whole amount');
  expect(body.querySelector('main form')?.getAttribute('action')).toBe('/prepaid-recharge');

  // Too long for a URL: rendered in the response to the POST.
  const long = { method: 'POST', body: new URLSearchParams({ accountNo: '', email: 'a'.repeat(3_000) }) };
  expect((await ask(`${portal}/orp/fixed-internet`, { ...long, redirect: 'manual' })).status).toBe(422);

  // On another page, or forged, the token is ignored.
  for (const other of [address.replace('/prepaid-recharge', '/postpaid-bill-pay'), '/prepaid-recharge?form=made-up']) {
    const html = await (await ask(portal + other, { headers: { 'accept-language': 'en' } })).text();
    expect(html, other).not.toContain('12.50');
  }
});
