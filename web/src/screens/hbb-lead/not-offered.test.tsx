import { publicPack } from '@portal/domain/operator.ts';
import { pack } from '@portal/operators/mg/pack.ts';
import { render } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { Answer, Api } from '../../lib/api.ts';
import { type Page, PageContext } from '../../lib/page.tsx';
import { buttons, link, says } from '../../testing/look.fixture.ts';
import { translatorIn } from '../../testing/texts.fixture.ts';
import { Screen } from './hbb-lead.screen.tsx';
import { fetchLead, type Lead } from './lead-order.ts';

const operator = publicPack(pack);
const language = operator.languages[0] as Page['language'];
const page = {
  operator,
  language,
  t: translatorIn('EN'),
  path: '/hbb-lead',
  query: {},
  href: (path: string) => path,
} as unknown as Page;

const show = (answer: Answer<Lead | null>) =>
  render(
    <PageContext value={page}>
      <Screen loaded={{ key: language.code, answer }} />
    </PageContext>,
  );

test('where home broadband is not offered the page says so and leads home; where it was not reached, it is tried again', () => {
  const { unmount } = show({ ok: true, result: null });
  expect(says('Home broadband is not offered here.')).toBe(true);
  expect(link('Go to the home page')).toHaveAttribute('href', '/');
  expect(buttons('Try again')).toEqual([]);
  unmount();
  show({ ok: false, code: 'OFFLINE', message: 'No answer came.', isSaid: true });
  expect(says('No answer came.')).toBe(true);
  expect(buttons('Try again')).toHaveLength(1);
});

test('an operator without plans does not offer it, whatever else fails', async () => {
  const api = (async (name: string) =>
    name === 'bundles' ? { ok: true, result: [] } : { ok: false, code: 500, message: '' }) as unknown as Api;
  expect(await fetchLead(api, page)).toEqual({ ok: true, result: null });
});
