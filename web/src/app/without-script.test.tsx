import { publicPack } from '@portal/domain/operator.ts';
import { paths } from '@portal/domain/paths.ts';
import { offeredPaths } from '@portal/domain/screens.ts';
import { pack } from '@portal/operators/mg/pack.ts';
import { expect, inject, test } from 'vitest';

const { url: portal } = inject('portal');
const { fetch: ask } = globalThis;

/** One of them is shown by the service worker alone, which is script. */
const pages = [
  ...offeredPaths(publicPack(pack)).filter((path) => path !== paths.offline),
  ...['/gethelp/contact-details', '/payment/status?id=unknown', '/nowhere'],
];

/** A page as it is read where no script runs. */
async function read(path: string): Promise<HTMLElement> {
  const answer = await ask(portal + path, { headers: { accept: 'text/html', 'accept-language': 'en' } });
  const { body } = new DOMParser().parseFromString(await answer.text(), 'text/html');
  for (const hidden of body.querySelectorAll('script,.needs-script')) hidden.remove();
  return body;
}

/** It posts or fetches a form, or closes one of the browser's own. */
const doesSomething = (button: HTMLButtonElement) =>
  (button.type === 'submit' && button.form !== null && !button.disabled) ||
  button.closest('dialog:not([open])') !== null;

test.each(['', '/sw', '/mg'])('NOS-1 no page of “%s” shows a word in braces that nobody filled in', async (prefix) => {
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

test('STO-3 NOS-3 without script no page has a button that does nothing, the store locator with and without results too', async () => {
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
