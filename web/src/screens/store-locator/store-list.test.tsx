import { publicPack } from '@portal/domain/operator.ts';
import { pack } from '@portal/operators/mg/pack.ts';
import { act } from '@testing-library/react';
import { hydrateRoot } from 'react-dom/client';
import { renderToString } from 'react-dom/server';
import { expect, test, vi } from 'vitest';
import { type Page, PageContext } from '../../lib/page.tsx';
import { translatorIn } from '../../testing/texts.fixture.ts';
import { StoreList } from './store-list.tsx';

const operator = publicPack(pack);
const pageIn = (code: 'EN' | 'FR' | 'MG') =>
  ({
    operator,
    language: operator.languages.find((one) => one.code === code),
    t: translatorIn(code),
  }) as unknown as Page;

const hours = 'Mo-Fr 08:00-17:00; Sa 08:00-12:00';
const list = (code: 'EN' | 'FR' | 'MG', at: string, more: object = { hours }) => (
  <PageContext value={pageIn(code)}>
    <StoreList
      found={{
        state: 'found',
        at,
        place: { lat: -18.9, lng: 47.5, label: 'Antananarivo' },
        shops: [{ lat: -18.9, lng: 47.5, name: 'Boutique 1', address: 'Lot 1', phone: '+261', kilometres: 1, ...more }],
      }}
      active={null}
      onActive={() => {}}
    />
  </PageContext>
);
const read = (html: string) => html.replace(/<!-- -->/g, '').replace(/<[^>]+>/g, '|');

test.each([
  ['EN', '2026-03-02T06:00:00Z', 'Open now, closes at 17:00'],
  ['EN', '2026-03-02T04:00:00Z', 'Closed now, opens at 08:00'],
  ['EN', '2026-03-02T14:00:00Z', 'Closed now, opens tomorrow at 08:00'],
  ['EN', '2026-03-07T14:00:00Z', 'Closed now, opens on Monday at 08:00'],
  ['FR', '2026-03-02T06:00:00Z', 'Ouvert, ferme à 17:00'],
  ['FR', '2026-03-07T14:00:00Z', 'Fermé, ouvre lundi à 08:00'],
  ['MG', '2026-03-02T06:00:00Z', 'Misokatra izao, hikatona amin’ny 17:00'],
  ['MG', '2026-03-07T14:00:00Z', 'Mikatona izao, hisokatra ny alatsinainy amin’ny 08:00'],
] as const)(
  'before hydration a shop says by the operator’s clock whether it is open: %s at %s, %s',
  (code, at, words) => {
    expect(read(renderToString(list(code, at)))).toContain(`|${words}|`);
  },
);

test('a shop without opening hours is called neither open nor closed', () => {
  expect(read(renderToString(list('EN', '2026-03-02T06:00:00Z', {})))).not.toMatch(/open|closed/i);
});

test('hydration matches the server’s output, and then the page follows the clock', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'], now: new Date('2026-03-02T13:59:30Z') });
  const at = '2026-03-02T04:00:00Z';
  const root = document.createElement('div');
  root.innerHTML = renderToString(list('EN', at));
  expect(root.textContent).toContain('Closed now, opens at 08:00');
  const onRecoverableError = vi.fn();
  const mounted = await act(() => hydrateRoot(root, list('EN', at), { onRecoverableError }));
  expect(onRecoverableError).not.toHaveBeenCalled();
  expect(root.textContent).toContain('Open now, closes at 17:00');
  act(() => vi.advanceTimersByTime(60_000));
  expect(root.textContent).toContain('Closed now, opens tomorrow at 08:00');
  act(() => mounted.unmount());
  vi.useRealTimers();
});
