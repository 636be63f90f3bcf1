import { publicPack } from '@portal/domain/operator.ts';
import { screenAt } from '@portal/domain/screens.ts';
import { pack as congo } from '@portal/operators/cd/pack.ts';
import { faqsOf } from '@portal/operators/help.fixture.ts';
import { pack } from '@portal/operators/mg/pack.ts';
import { pack as nigeria } from '@portal/operators/ng/pack.ts';
import { describe, expect, test } from 'vitest';
import { byWant, type Faq, pathOf, stageAbove, titleOfView, viewAt } from './help-model.ts';

const faqs = faqsOf('mg', 'EN');
const operator = publicPack(pack);
const at = (path: string) => viewAt(faqs, path, operator);

test('questions about money come first, and every subject is listed once by task', () => {
  const view = at('/gethelp');
  if (view.stage !== 'start') throw new Error(view.stage);
  expect(view.fears.map(({ id }) => id)).toEqual(['failed-money-taken', 'paid-twice', 'when-refund']);
  const groups = byWant([...view.categories, { id: 'own', name: 'Own', target: '/own' }]);
  expect(groups.map(({ want }) => want)).toEqual(['buy', 'money', 'line', 'us']);
  expect(groups.flatMap(({ categories }) => categories)).toHaveLength(view.categories.length + 1);
  expect(groups.at(-1)?.categories.map(({ id }) => id)).toEqual(['privacy', 'contact-details', 'own']);
  expect(viewAt([], '/gethelp', operator)).toMatchObject({ fears: [] });
});

describe('HLP-1 the stages', () => {
  test('stage 1: every category, and ten popular questions from as many categories as there are', () => {
    const view = at('/gethelp');
    if (view.stage !== 'start') throw new Error(view.stage);
    expect(view.categories.length).toBeGreaterThanOrEqual(12);
    expect(view.popular).toHaveLength(10);
    expect(new Set(view.popular.map(({ path }) => path.split('/')[2])).size).toBe(10);
  });

  test('stage 2: the topics of a category, or its questions', () => {
    expect(at('/gethelp/recharge')).toMatchObject({
      stage: 'category',
      name: 'Recharge',
      crumbs: [],
      topics: [{ id: 'amounts', target: '/gethelp/recharge/amounts' }, { id: 'whose-line' }, { id: 'after-recharge' }],
      questions: [],
    });
    expect(at('/gethelp/privacy')).toMatchObject({ stage: 'category', topics: [], related: [] });
    expect(at('/gethelp/privacy')).toHaveProperty('questions.length', 4);
  });

  test('stage 3: the questions of a topic, with its neighbours', () => {
    const view = at('/gethelp/codes/code-missing');
    expect(view).toMatchObject({
      stage: 'category',
      crumbs: [{ name: 'Codes by SMS', path: '/gethelp/codes' }],
      related: [{ id: 'code-refused' }, { id: 'code-safety' }],
    });
    expect(view).toHaveProperty('questions.length', 3);
  });

  test('stage 4: the answer, and what else is asked there', () => {
    const view = at('/gethelp/codes/code-missing/code-not-arrived');
    if (view.stage !== 'answer') throw new Error(view.stage);
    expect(view.crumbs.map(({ name }) => name)).toEqual(['Codes by SMS', 'The code does not come']);
    expect(view.related.map(({ id }) => id)).toEqual(['code-resend', 'too-many-codes']);
    expect(titleOfView(view)).toBe('The code does not arrive. What can I do?');
  });

  test('every question is found at its listed URL, and at a stale one', () => {
    for (const faq of faqs.filter(({ href }) => !href))
      expect(at(pathOf(faq)), faq.questionId).toMatchObject({ stage: 'answer', answer: { id: faq.questionId } });
    expect(at('/gethelp/somewhere-else/reset-pin')).toMatchObject({ stage: 'answer' });
  });

  test('Back leads one stage up', () => {
    expect(stageAbove(at('/gethelp'))).toBeNull();
    expect(stageAbove(at('/gethelp/codes'))).toBe('/gethelp');
    expect(stageAbove(at('/gethelp/codes/code-missing'))).toBe('/gethelp/codes');
    expect(stageAbove(at('/gethelp/codes/code-missing/code-resend'))).toBe('/gethelp/codes/code-missing');
    expect(stageAbove(at('/gethelp/nonsense'))).toBe('/gethelp');
  });

  test('an unknown URL is reported', () => {
    for (const path of ['/gethelp/nonsense', '/gethelp/codes/nonsense', '/gethelp/__proto__', '/gethelp/<script>'])
      expect(at(path), path).toEqual({ stage: 'unknown' });
  });
});

test('HLP-4 a category lists up to five popular questions, and a contact category none', () => {
  for (const category of ['recharge', 'ways-to-pay', 'codes', 'bundles']) {
    const view = at(`/gethelp/${category}`);
    if (view.stage !== 'category') throw new Error(view.stage);
    expect(view.popular.length).toBeGreaterThan(0);
    expect(view.popular.length).toBeLessThanOrEqual(5);
    expect(view.popular.every(({ path }) => path.startsWith(`/gethelp/${category}/`))).toBe(true);
  }
  const topic = at('/gethelp/codes/code-missing');
  if (topic.stage !== 'category') throw new Error(topic.stage);
  expect(topic.popular.map(({ id }) => id)).toEqual(['share-code']);
  expect(at('/gethelp/contact-details')).toMatchObject({ stage: 'category', name: 'Contact Details', popular: [] });
  expect(at('/gethelp/contact-details/talk-to-us')).toMatchObject({ stage: 'category', popular: [] });
});

test('HLP-4 popular questions are sorted by how much they helped', () => {
  const liked = faqs.map((faq) => ({
    ...faq,
    countLikePercentage: faq.questionId === 'recharge-not-arrived' ? 90 : 10,
  }));
  const view = viewAt(liked, '/gethelp/recharge', operator);
  expect(view).toHaveProperty('popular.0.id', 'recharge-not-arrived');
});

test('HLP-5 contact us, shops, dealers, service experience and loans link to their own pages', () => {
  const view = at('/gethelp/contact-details');
  if (view.stage !== 'category') throw new Error(view.stage);
  expect(view.topics.map(({ target }) => target)).toEqual([
    '/contact-us',
    '/store_finder/{slug}_shop',
    '/store_finder/dealers',
    '/give_your_feedback',
    '/more-{slug}-money',
    '/gethelp/contact-details/talk-to-us',
  ]);
  expect(at('/gethelp/contact-details/dealers')).toMatchObject({ stage: 'elsewhere', target: '/store_finder/dealers' });
  const own: Faq = { ...(faqs[0] as Faq), categoryId: 'own', category: 'Own', href: '/table', questionId: 'own' };
  const { parentCategory: _, parentCategoryId: __, ...top } = own;
  expect(viewAt([top], '/gethelp', operator)).toMatchObject({ categories: [{ target: '/table' }] });
});

describe.each(['FR', 'MG'])('%s has the same questions as English', (language) => {
  test('the same questions in the same places', () => {
    const placed = (all: Faq[]) => all.map((faq) => [faq.parentCategoryId, faq.categoryId, faq.questionId]);
    expect(placed(faqsOf('mg', language))).toEqual(placed(faqs));
  });
});

const packs = [pack, nigeria, congo].flatMap((each) =>
  each.languages.map(({ code }) => [each.code, code, each] as const),
);

describe.each(packs)('the help of %s in %s', (code, language, each) => {
  const list = faqsOf(code, language);
  const asked = list.filter(({ href }) => !href);

  test('has at least 12 categories, 40 topics and 115 questions, each once and with an answer', () => {
    expect(new Set(list.map((faq) => faq.parentCategoryId ?? faq.categoryId)).size).toBeGreaterThanOrEqual(12);
    expect(new Set(list.flatMap((faq) => (faq.parentCategoryId ? faq.categoryId : []))).size).toBeGreaterThanOrEqual(
      40,
    );
    expect(asked.length).toBeGreaterThanOrEqual(115);
    expect(asked.filter(({ answer }) => answer.length < 60).map(({ questionId }) => questionId)).toEqual([]);
    expect(new Set(list.map(({ questionId }) => questionId)).size).toBe(list.length);
  });

  test('ends each answer with a link to a page of this operator, in its language', () => {
    for (const { questionId, answer } of asked) {
      const [, label = '', path = ''] = /\n\[([^\]]+)\]\((\/[^)]*)\)$/.exec(answer) ?? [];
      expect(label.length, questionId).toBeGreaterThan(2);
      const [address = ''] = path.replace('{slug}', each.brand.slug).split('?');
      expect(screenAt(address, publicPack(each), { gallery: false }), `${questionId} ${path}`).not.toBeNull();
    }
  });

  test('names no payment method, currency, bundle or country of another operator', () => {
    const text = list.map(({ question, answer, category }) => `${question}\n${answer}\n${category}`).join('\n');
    const ways = { mpesa: /mpesa/i, smartcash: /smartcash/i, orange: /orange/i, paystack: /paystack/i };
    for (const [gateway, name] of Object.entries(ways))
      expect(name.test(text), gateway).toBe(each.methods.some((method) => method.gateway === gateway));
    const foreign = /ariary|MGA|\+261|Madagas|Tselatra|Resaka|cyclone|rivodoza/i;
    expect(foreign.test(text)).toBe(code === 'mg');
    expect(/naira|kobo|NGN/i.test(text)).toBe(code === 'ng');
    expect(/franc|dollar|USD|CDF|Nzela/i.test(text)).toBe(code === 'cd');
    expect(text).not.toMatch(/Fanilo|Mwinda/);
  });

  test('has no unfinished text', () => {
    const text = list.map(({ question, answer, category }) => `${question}\n${answer}\n${category}`).join('\n');
    expect(text).not.toMatch(/TODO|FIXME|lorem|\?\?|xxx|<\w/i);
    expect(asked.filter(({ question }) => question.length < 12 || question.length > 90)).toEqual([]);
  });
});

test.each([
  ['storeFinder', ['/store_finder/fanilo_shop', '/store_finder/dealers']],
  ['contactSection', ['/contact-us']],
] as const)('D21 with %s switched off in the pack, no help subject links to its pages', (feature, own) => {
  // With the placeholders that the server fills in.
  const filled = faqs.map((faq) => (faq.href ? { ...faq, href: faq.href.replace('{slug}', 'fanilo') } : faq));
  const targets = (by: typeof operator) => {
    const view = viewAt(filled, '/gethelp/contact-details', by);
    return view.stage === 'category' ? view.topics.map(({ target }) => target) : [];
  };
  expect(targets(operator)).toEqual(expect.arrayContaining([...own]));
  const off = { ...operator, features: { ...operator.features, [feature]: false } };
  const left = targets(operator).filter((target) => !(own as readonly string[]).includes(target));
  expect(targets(off)).toEqual(left);
  const gone = filled.find(({ href }) => href === own[0]);
  expect(viewAt(filled, `/gethelp/contact-details/${gone?.categoryId}`, off)).toEqual({ stage: 'unknown' });
});
