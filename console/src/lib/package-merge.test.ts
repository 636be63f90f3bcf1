import { expect, test } from 'vitest';
import { mergedPackages } from './package-merge.ts';

const footer = {
  groups: [
    { title: 'Help', links: [{ label: 'Contact', href: '/contact-us' }] },
    { title: 'Services', links: [{ label: 'Bundles', href: '/bundles' }] },
  ],
  note: 'Call 300',
};
const copy = () => structuredClone(footer);

test('a change by one editor is merged without a conflict', () => {
  const [theirs, mine] = [copy(), copy()];
  theirs.note = 'Call 301';
  (theirs.groups[0] as { title: string }).title = 'Help and contact';
  (mine.groups[1] as { title: string }).title = 'What we sell';
  expect(mergedPackages({ before: footer, theirs, mine })).toEqual({
    conflicts: [],
    body: {
      note: 'Call 301',
      groups: [
        { ...footer.groups[0], title: 'Help and contact' },
        { ...footer.groups[1], title: 'What we sell' },
      ],
    },
  });
});

test('different changes of the same field are a conflict at its path, and each choice is applied', () => {
  const [theirs, mine] = [copy(), copy()];
  theirs.note = 'Call 301';
  mine.note = 'Write to us';
  const found = mergedPackages({ before: footer, theirs, mine });
  expect(found.conflicts).toEqual([
    { key: 'note', trail: ['note'], before: 'Call 300', theirs: 'Call 301', mine: 'Write to us' },
  ]);
  expect(found.body.note).toBe('Write to us');
  expect(mergedPackages({ before: footer, theirs, mine }, { note: 'theirs' }).body.note).toBe('Call 301');
  expect(mergedPackages({ before: footer, theirs: mine, mine }).conflicts).toEqual([]);
});

test('items that either editor added, removed or moved are merged', () => {
  const links = (...labels: string[]) => labels.map((label) => ({ label }));
  const merge = (before: string[], theirs: string[], mine: string[]) => {
    const { body, conflicts } = mergedPackages({
      before: links(...before),
      theirs: links(...theirs),
      mine: links(...mine),
    });
    return [body.map(({ label }) => label).join(' '), conflicts.length];
  };
  expect(merge(['a', 'b', 'c'], ['a', 'x', 'b', 'c'], ['a', 'b', 'c', 'y'])).toEqual(['a x b c y', 0]);
  expect(merge(['a', 'b', 'c'], ['b', 'c'], ['a', 'b', 'C'])).toEqual(['b C', 0]);
  expect(merge(['a', 'b', 'c'], ['a', 'B', 'c'], ['c', 'a', 'b'])).toEqual(['c a B', 0]);
  expect(merge(['a', 'b', 'c'], ['c', 'a', 'b'], ['a', 'b', 'c', 'd'])).toEqual(['c d a b', 0]);
  expect(merge(['a', 'b', 'c'], ['c', 'a', 'b'], ['b', 'a', 'c'])[1]).toBe(1);
  expect(merge([], ['x'], ['y'])).toEqual(['x y', 0]);
});

test('an item removed by one and changed by the other is a conflict; the other items keep their positions', () => {
  const asked = (...questions: [id: string, answer: string][]) => questions.map(([id, answer]) => ({ id, answer }));
  const versions = {
    before: asked(['x', 'old'], ['y', 'old'], ['z', 'old']),
    theirs: asked(['y', 'theirs'], ['z', 'old']),
    mine: asked(['x', 'mine'], ['y', 'mine'], ['z', 'mine']),
  };
  const { conflicts } = mergedPackages(versions);
  expect(conflicts.map(({ key }) => key)).toEqual(['[0]', '[1].answer']);
  expect(mergedPackages(versions, { '[0]': 'theirs', '[1].answer': 'theirs' }).body).toEqual(
    asked(['y', 'theirs'], ['z', 'mine']),
  );
  expect(mergedPackages(versions, { '[0]': 'mine', '[1].answer': 'theirs' }).body).toEqual(
    asked(['x', 'mine'], ['y', 'theirs'], ['z', 'mine']),
  );
});
