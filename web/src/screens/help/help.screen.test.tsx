import { waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { button, buttons, field, fill, link, main, press, seen } from '../../testing/look.fixture.ts';
import { openPage } from '../../testing/page.fixture.tsx';

const path = '/gethelp/codes/code-missing/code-not-arrived';
const shares = () =>
  [...(main().textContent ?? '').replaceAll(/\s/g, ' ').matchAll(/\d+ % found it helpful/g)].map(([share]) => share);

test('HLP-6 a search without an answer shows the subjects below, and from another page the way to them', async () => {
  await openPage('/gethelp');
  fill(field('Search'), 'zzzzz');
  await seen(/zzzzz/);
  expect(main().querySelector('nav[aria-labelledby=categories]')?.closest('[hidden]')).toBeNull();
  await openPage('/gethelp/codes');
  fill(field('Search'), 'zzzzz');
  await seen(/zzzzz/);
  expect(link('All subjects', main())).toHaveAttribute('href', '/gethelp');
});

test('HLP-3 the former share is never shown beside the thanks, and a reload shows that the visitor has voted', async () => {
  const { between, load } = await openPage(path);
  await waitFor(() => expect(buttons('Yes')).toHaveLength(1));
  const { promise, resolve } = Promise.withResolvers<void>();
  between('/getFaqs_pCategory', async (_, ask) => {
    await promise;
    const [faq] = await (await ask()).json();
    return Response.json([{ ...faq, countLikePercentage: 42 }]);
  });
  const before = shares();
  const seenShares = new Set<string>();
  const watch = new MutationObserver(() => {
    if (main().textContent?.includes('Thank you for telling us.')) for (const share of shares()) seenShares.add(share);
  });
  watch.observe(main(), { childList: true, subtree: true, characterData: true });
  press(button('Yes'));
  resolve();
  await seen('Thank you for telling us.');
  await seen('42 % found it helpful');
  watch.disconnect();
  expect([...seenShares]).toEqual(['42 % found it helpful']);
  expect(before).not.toContain('42 % found it helpful');

  await load(path);
  await seen('You have already told us. Thank you.');
  expect(buttons('Yes')).toEqual([]);
});
