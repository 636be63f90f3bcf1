import type { OperatorPack } from '@portal/domain/operator.ts';

type Words = Readonly<Record<string, string>>;
type View = (words: Words, pack: OperatorPack) => unknown;

/** All texts of one namespace, without its prefix. */
const namespace =
  (name: string): View =>
  (words) =>
    Object.fromEntries(
      Object.entries(words)
        .filter(([key]) => key.startsWith(`${name}.`))
        .map(([key, text]) => [key.slice(name.length + 1), text]),
    );

const picked =
  (keys: Readonly<Record<string, string>>): View =>
  (words) =>
    Object.fromEntries(Object.entries(keys).map(([name, key]) => [name, words[key] ?? '']));

const network = picked({
  two_g: 'coverage.two_g',
  three_g: 'coverage.three_g',
  four_g: 'coverage.four_g',
  five_g: 'coverage.five_g',
});

const stores = picked({
  cityPincode: 'stores.cityPincode',
  or: 'stores.or',
  useCurrentLocation: 'stores.useCurrentLocation',
  noResults: 'stores.noResults',
  noMatchingResult: 'stores.noMatchingResult',
  tryAgain: 'stores.tryAgain',
  noResultMobile: 'stores.denied',
});

/** Pages that other clients of the content service request by these names, built from the translation. */
export const contentViews: Readonly<Record<string, View>> = {
  'footer-translation': namespace('common'),
  'lead-status-translation': namespace('status'),
  getHelp: namespace('help'),
  recharge: namespace('recharge'),
  search: picked({ search: 'help.search', noMatch: 'help.noMatch' }),
  question: picked({
    relatedWith: 'help.relatedQuestions',
    question: 'help.popular',
    search: 'help.search',
    thankyou: 'help.thanks',
    feedback: 'help.helpful',
    answer: 'help.found',
  }),
  network,
  storeLocator: (words, pack) => ({
    [`find${pack.brand.name}In`]: words['stores.title'] ?? '',
    ...(stores(words, pack) as object),
  }),
  'help-documents': (words) => [
    { title: words['pages.contactUs'] ?? '', href: '/contact-us' },
    { title: words['pages.privacy'] ?? '', href: '/privacy-policy' },
  ],
  'meta-data-config': namespace('meta'),
  'privacy-policy-config': (words) => ({ title: words['pages.privacy'] ?? '', pageUrl: '/privacy-policy' }),
  'lead-status-config': (words, pack) => ({ title: words['status.lead'] ?? '', care: pack.care.number }),
};
