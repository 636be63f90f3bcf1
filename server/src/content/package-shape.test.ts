import { packageNames, readPackage } from '@portal/operators/content.ts';
import { loadPack } from '@portal/operators/load-pack.ts';
import { expect, test } from 'vitest';
import { type Fault, linkFaults, outermost, shapeFaults, shapeOf } from './package-shape.ts';

const faultsOf = (body: unknown) => linkFaults(body).map(({ at, code, parameters }) => [at, code, parameters?.links]);

test('a link of prose that pages would leave out is named with its field', () => {
  const body = {
    categories: [
      {
        questions: [
          { answer: 'See [us](www.example.mg) and [help](/gethelp).' },
          { answer: 'Call <a href="javascript:alert(1)">us</a> or [300](tel:300), [write](mailto:care@example.mg).' },
          { answer: 'A [place](#top), [that]({contactUs}), [there](https://example.mg "so") and (no link).' },
        ],
      },
    ],
    links: [{ href: 'bundles' }],
  };
  expect(faultsOf(body)).toEqual([
    ['categories[0].questions[0].answer', 'droppedLink', 'www.example.mg'],
    ['categories[0].questions[1].answer', 'droppedLink', 'javascript:alert(1)'],
    ['links[0].href', 'badLink', undefined],
  ]);
});

test('CNS-10 (links) a link without encryption is refused by its field, with the words of every other', () => {
  const links = [
    'http://evil.example/',
    'HTTP://evil.example',
    '//evil.example',
    'https://example.mg',
    '/gethelp',
    '#top',
  ];
  expect(faultsOf({ links: links.map((href) => ({ href })) })).toEqual(
    [0, 1, 2].map((index) => [`links[${index}].href`, 'badLink', undefined]),
  );
  expect(faultsOf({ answer: 'See [us](http://evil.example/).' })).toEqual([['answer', 'badLink', undefined]]);
  expect(faultsOf({ answer: 'See <http://evil.example/>.' })).toEqual([['answer', 'badLink', undefined]]);
  expect(faultsOf({ answer: 'See http://evil.example/ now.' })).toEqual([['answer', 'badLink', undefined]]);
  expect(faultsOf({ answer: 'Open `http://192.168.1.1`.', note: 'http://' })).toEqual([]);
  expect(faultsOf({ label: 'Read <a href="http://evil.example">this</a>' })).toEqual([['label', 'badLink', undefined]]);
});

test.each(['mg', 'cd', 'ng'])('no package of the pack %s has such a link', async (code) => {
  const { languages } = await loadPack(code);
  for (const language of languages)
    for (const name of packageNames(code, language.code).filter((one) => one !== 'translation'))
      expect(faultsOf(readPackage(code, language.code, name)), `${language.code} ${name}`).toEqual([]);
});

test('every place whose structure differs is named, and below one nothing else', () => {
  const shape = shapeOf({ title: '', groups: [{ name: '', links: [{ href: '' }] }], note: '' });
  const body = { title: 5, groups: [{ links: {} }, { name: 'B', links: [{ href: '/' }, {}] }] };
  const faults = shapeFaults(shape, body);
  expect(faults.map(({ at, code }) => `${at} ${code}`)).toEqual([
    'title notText',
    'groups[0].name missing',
    'groups[0].links notList',
    'groups[1].links[1].href missing',
    'note missing',
  ]);
  const more = (at: string): Fault => ({ at, code: 'unknownKey', says: '' });
  const all = [...faults, more('groups[0].links.x'), more('groups[0].link'), more('title'), ...faults];
  expect(outermost(all)).toEqual([...faults, more('groups[0].link')]);
  expect(shapeFaults(shape, { title: '', groups: [] }, { isStored: true })).toEqual([]);
});

test('a text with links of both kinds is told of both', () => {
  expect(faultsOf({ answer: '[a](http://a.example) and [b](b.example)' })).toEqual([
    ['answer', 'badLink', undefined],
    ['answer', 'droppedLink', 'b.example'],
  ]);
});
