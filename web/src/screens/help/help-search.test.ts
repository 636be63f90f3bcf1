import { faqsOf } from '@portal/operators/help.fixture.ts';
import { describe, expect, test } from 'vitest';
import { buildSearch, buildSearchInSlices, fold } from './help-search.ts';

const lists = { EN: faqsOf('mg', 'EN'), FR: faqsOf('mg', 'FR'), MG: faqsOf('mg', 'MG') };
const searches = {
  EN: buildSearch([lists.EN, lists.FR, lists.MG]),
  FR: buildSearch([lists.FR, lists.EN, lists.MG]),
  MG: buildSearch([lists.MG, lists.FR, lists.EN]),
};

test.each([
  ['EN', 'refnud', 'refund'],
  ['EN', 'balnace', 'balance'],
  ['EN', 'reciept', 'receipt'],
  ['FR', 'factrue', 'facture'],
  ['FR', 'remobursement', 'remboursement'],
  ['MG', 'fakitora', 'faktiora'],
  ['MG', 'lahraana', 'laharana'],
] as const)('HLP-6 %s: %s finds what %s finds', (language, slipped, right) => {
  const found = searches[language](right).map(({ id }) => id);
  expect(found.length).toBeGreaterThan(0);
  expect(searches[language](slipped).map(({ id }) => id)).toEqual(found);
});

test.each(['EN', 'FR', 'MG'] as const)(
  'HLP-6 %s: the longest word of a question with two adjacent letters swapped finds the same as the correct word',
  (language) => {
    const search = searches[language];
    let tried = 0;
    const missed: string[] = [];
    for (const { question } of lists[language]) {
      const [word = ''] = fold(question)
        .split(/[^a-z]+/)
        .sort((one, other) => other.length - one.length);
      const [best] = search(word).map(({ id }) => id);
      if (word.length < 6 || best === undefined) continue;
      for (let at = 1; at < word.length - 1; at += 1) {
        const slipped = word.slice(0, at) + word[at + 1] + word[at] + word.slice(at + 2);
        tried += 1;
        if (!search(slipped).some(({ id }) => id === best)) missed.push(`${word}: ${slipped}`);
      }
    }
    expect(tried).toBeGreaterThan(300);
    expect(missed.length / tried, missed.join('\n')).toBeLessThan(0.02);
  },
);

/** Queries with typical typos: the page's language, the words, and the acceptable answers. */
const queries: [keyof typeof searches, string, string][] = [
  ['EN', 'code not arived', 'code-not-arrived'],
  ['EN', 'otp code did not come', 'code-not-arrived'],
  ['EN', 'resend cod', 'code-resend code-not-arrived'],
  ['EN', 'wrong pin', 'pin-wrong'],
  ['EN', 'forgot pin', 'reset-pin'],
  ['EN', 'forgoten my pin', 'reset-pin'],
  ['EN', 'walet blocked', 'wallet-locked how-long-locked'],
  ['EN', 'blocked wallet how long', 'how-long-locked'],
  ['EN', 'refund when', 'when-refund'],
  ['EN', 'refnd late', 'refund-late'],
  ['EN', 'money back', 'when-refund refund-where wrong-number-recharged'],
  ['EN', 'paid twice', 'paid-twice'],
  ['EN', 'recipt pdf', 'get-receipt'],
  ['EN', 'credit has not arrived', 'recharge-not-arrived'],
  ['EN', 'recharge wrong number', 'wrong-number-recharged'],
  ['EN', 'minimum recharge amount', 'smallest-amount'],
  ['EN', 'smalest amount', 'smallest-amount'],
  ['EN', 'invalid mobile no', 'number-not-recognised'],
  ['EN', 'cheapest bundel', 'which-bundle'],
  ['EN', 'night bundle hours', 'night-bundles'],
  ['EN', 'bundle validity', 'bundle-validity'],
  ['EN', 'pay bill', 'pay-bill-online pay-part'],
  ['EN', 'acount number', 'account-number-where fixed-account-number'],
  ['EN', 'invoice overdue', 'invoice-overdue'],
  ['EN', 'mpesa', 'pay-with-mpesa'],
  ['EN', 'smartcash', 'pay-with-smartcash'],
  ['EN', 'visa mastercard', 'pay-with-card'],
  ['EN', 'card declined', 'card-declined'],
  ['EN', '5g', 'coverage-5g'],
  ['EN', 'no netwrk', 'no-network'],
  ['EN', 'slow internet', 'slow-internet fixed-slow'],
  ['EN', 'router recharge', 'router-recharge'],
  ['EN', 'lost phone stolen', 'sim-lost'],
  ['EN', 'puk', 'sim-puk'],
  ['EN', 'roaming', 'roaming-bundles roaming-activate roaming-cost'],
  ['EN', 'home internet order', 'order-home'],
  ['EN', 'track ordr', 'track-order'],
  ['EN', 'complaint', 'how-complain complaint-answer'],
  ['EN', 'i won a prize', 'fake-message'],
  ['EN', 'cookies', 'cookies'],
  ['EN', 'nearest shop', 'nearest-shop'],
  ['EN', 'change language', 'change-language'],
  ['EN', 'fahana tsy tonga', 'recharge-not-arrived how-long-recharge'],
  ['EN', 'code secret oublié', 'reset-pin'],
  ['FR', 'code pas recu', 'code-not-arrived'],
  ['FR', 'code recu par sms n arive pas', 'code-not-arrived'],
  ['FR', 'code secret oublie', 'reset-pin'],
  ['FR', 'porte monnaie bloqué', 'wallet-locked how-long-locked'],
  ['FR', 'porte-monaie bloque', 'wallet-locked how-long-locked'],
  ['FR', 'remboursement', 'when-refund refund-where refund-late'],
  ['FR', 'rembourcement en retard', 'refund-late'],
  ['FR', 'payé deux fois', 'paid-twice'],
  ['FR', 'paye 2 fois double paiement', 'paid-twice'],
  ['FR', 'recharger autre numero', 'recharge-other'],
  ['FR', 'mauvais numero recharge', 'wrong-number-recharged'],
  ['FR', 'montant minimum recharge', 'smallest-amount'],
  ['FR', 'crédit pas arrivé', 'recharge-not-arrived'],
  ['FR', 'forfait moins cher', 'which-bundle'],
  ['FR', 'forfet de nuit', 'night-bundles'],
  ['FR', 'facture postpayee', 'pay-bill-online'],
  ['FR', 'facture trop elevee', 'bill-too-high'],
  ['FR', 'numero de compte', 'account-number-where fixed-account-number'],
  ['FR', 'facture internet fixe', 'see-invoices pay-fixed-invoice'],
  ['FR', 'carte refusée', 'card-declined'],
  ['FR', 'payer par mpesa', 'pay-with-mpesa'],
  ['FR', 'reçu', 'get-receipt receipt-no-sms'],
  ['FR', 'reseau chez moi', 'see-coverage'],
  ['FR', 'pas de resau', 'no-network'],
  ['FR', 'internet lent', 'slow-internet fixed-slow'],
  ['FR', 'box recharger', 'router-recharge'],
  ['FR', 'telephone volé', 'sim-lost'],
  ['FR', 'carte sim perdue', 'sim-lost'],
  ['FR', 'itinérance', 'roaming-activate roaming-cost'],
  ['FR', 'envoyer credit famille etranger', 'send-credit-home'],
  ['FR', 'internet maison commande', 'order-home'],
  ['FR', 'suivre comande', 'track-order'],
  ['FR', 'reclamation', 'how-complain complaint-answer'],
  ['FR', 'message gagné lot', 'fake-message'],
  ['FR', 'boutique proche', 'nearest-shop'],
  ['FR', 'changer de langue', 'change-language'],
  ['FR', 'kaody tsy tonga', 'code-not-arrived'],
  ['FR', 'famerenam-bola', 'when-refund refund-late refund-where'],
  ['MG', 'tsy tonga ny kaody', 'code-not-arrived'],
  ['MG', 'kaody miafina hadino', 'reset-pin'],
  ['MG', 'poketra voasakana', 'wallet-locked how-long-locked'],
  ['MG', 'fahana tsy tonga', 'recharge-not-arrived'],
  ['MG', 'credit tsy tonga', 'recharge-not-arrived how-long-recharge'],
  ['MG', 'diso laharana fahana', 'wrong-number-recharged'],
  ['MG', 'famerenam bola tara', 'refund-late'],
  ['MG', 'averina ny vola rahoviana', 'when-refund'],
  ['MG', 'tolotra mora', 'which-bundle'],
  ['MG', 'tolotra alina', 'night-bundles'],
  ['MG', 'forfait mora indrindra', 'which-bundle'],
  ['MG', 'faktiora', 'see-amount-due pay-bill-online see-invoices pay-fixed-invoice'],
  ['MG', 'facture internet fixe', 'see-invoices pay-fixed-invoice'],
  ['MG', 'tapakila', 'get-receipt'],
  ['MG', 'tambajotra tsy misy', 'no-network'],
  ['MG', 'miadana internet', 'slow-internet fixed-slow'],
  ['MG', 'finday very', 'sim-lost'],
  ['MG', 'fivarotana akaiky', 'nearest-shop'],
  ['MG', 'loka hafatra', 'fake-message'],
  ['MG', 'internet an trano', 'order-home home-available home-price home-pay'],
  ['MG', 'remboursement oviana', 'when-refund'],
  ['MG', 'mpesa fandoavana', 'pay-with-mpesa'],
  // Words that occur in no answer.
  ['EN', 'top up', 'recharge-other smallest-amount repeat-recharge recharge-cost'],
  ['EN', 'otp', 'code-not-arrived code-why code-resend share-code too-many-codes'],
  ['EN', 'otp not received', 'code-not-arrived'],
  ['EN', 'orange money', 'pay-with-orange'],
  ['EN', 'check balance', 'see-balance'],
  ['EN', 'customer care number', 'call-care'],
  ['EN', 'no signal', 'no-network'],
  ['EN', 'scam', 'fake-message unknown-payment fake-site'],
  ['EN', 'reciept', 'get-receipt'],
  ['EN', 'wifi at home', 'order-home home-available home-price'],
  ['EN', 'charged twice', 'paid-twice'],
  ['EN', 'code expired', 'code-expired'],
  ['EN', 'fake sms', 'fake-message'],
  ['EN', 'bill too much', 'bill-too-high'],
  ['EN', 'my recharge failed', 'recharge-not-arrived failed-money-taken'],
  ['FR', 'recharge pas arrivee', 'recharge-not-arrived'],
  ['FR', 'code non recu', 'code-not-arrived'],
  ['FR', 'agence', 'nearest-shop shops'],
  ['FR', 'service client', 'call-care contact-us'],
  ['FR', 'arnaque', 'fake-message unknown-payment fake-site'],
  ['FR', 'puce', 'get-sim sim-lost keep-number sim-registered sim-damaged'],
  ['FR', 'puce perdue', 'sim-lost keep-number'],
  ['FR', 'consulter mon solde', 'see-balance'],
  ['FR', 'orange money', 'pay-with-orange'],
  ['FR', 'emprunter', 'money-loans'],
  ['FR', 'code expiré', 'code-expired'],
  ['FR', 'faux sms', 'fake-message'],
  ['MG', 'halatra finday', 'sim-lost'],
  ['MG', 'facture ambony loatra', 'bill-too-high'],
  ['MG', 'nomeraoko', 'find-my-number number-format'],
  ['MG', 'solde sisa', 'see-balance'],
  ['MG', 'orange money', 'pay-with-orange'],
  ['MG', 'very puce', 'sim-lost keep-number'],
  ['MG', 'antso any ivelany', 'call-abroad'],
  ['MG', 'lany daty ny kaody', 'code-expired'],
];

const rank = (language: keyof typeof searches, text: string, wanted: string): number => {
  const found = searches[language](text).map(({ id }) => id);
  const places = wanted.split(' ').map((id) => found.indexOf(id));
  return Math.min(...places.map((place) => (place < 0 ? 99 : place)));
};

test('HLP-6 of a hundred searches with typos and mixed languages, ninety find the answer in the first three', () => {
  expect(queries.length).toBeGreaterThanOrEqual(100);
  const ids = new Set(lists.EN.map(({ questionId }) => questionId));
  for (const [, , wanted] of queries) for (const id of wanted.split(' ')) expect(ids, id).toContain(id);
  const missed = queries.filter(([language, text, wanted]) => rank(language, text, wanted) > 2);
  expect(missed.length, missed.map(([language, text]) => `${language}: ${text}`).join('\n')).toBeLessThanOrEqual(
    Math.floor(queries.length / 10),
  );
});

const lostMoney: [keyof typeof searches, string][] = [
  ['EN', 'money taken'],
  ['EN', 'my money was taken'],
  ['EN', 'i lost my money'],
  ['EN', 'money gone'],
  ['EN', 'debited but failed'],
  ['FR', 'argent débité'],
  ['FR', 'mon argent est parti'],
  ['FR', 'argent perdu'],
  ['MG', 'lasa ny vola'],
  ['MG', 'very ny volako'],
];

test.each(lostMoney)('HLP-6 %s: a search for lost money by "%s" finds the answer first', (language, text) => {
  expect(rank(language, text, 'failed-money-taken')).toBe(0);
});

describe('HLP-6 a search', () => {
  test('shows the questions in the page’s language, for any language of the query', () => {
    const [first] = searches.EN('tsy tonga ny kaody');
    expect(first).toEqual({
      id: 'code-not-arrived',
      question: 'The code does not arrive. What can I do?',
      path: '/gethelp/codes/code-missing/code-not-arrived',
    });
  });

  test('HLP-6 a compound is found as one word, as two or with a hyphen', () => {
    for (const [together, hyphened] of [
      ['famerenambola', 'famerenam-bola'],
      ['fandoavambola', 'fandoavam-bola'],
    ] as const) {
      const [first] = searches.MG(hyphened);
      expect(first, hyphened).toBeDefined();
      expect(searches.MG(together).map(({ id }) => id)).toContain(first?.id);
      expect(searches.MG(hyphened.replace('-', ' ')).length).toBeGreaterThan(0);
    }
  });

  test('ignores accents, case and ligatures', () => {
    expect(fold('Œuvre ÉLEVÉE à Tôlanaro')).toBe('oeuvre elevee a tolanaro');
    expect(searches.FR('CREDIT PAS ARRIVE')).toEqual(searches.FR('crédit pas arrivé'));
  });

  test('finds by the beginning of a word', () => {
    expect(
      searches
        .EN('refun')
        .slice(0, 3)
        .map(({ id }) => id),
    ).toContain('when-refund');
  });

  test('a subject with its own page links to it', () => {
    expect(searches.EN('dealers')[0]).toMatchObject({ id: 'dealers', path: '/store_finder/dealers' });
  });

  test.each([
    '<script>',
    '<script>alert(1)</script>',
    '"><img src=x onerror=alert(1)>',
    '%%%',
    '   ',
    'zzzzqqqq',
    '\\',
  ])('%j is only text and finds nothing or something, but never fails', (text) => {
    expect(searches.EN(text)).toEqual(expect.any(Array));
  });

  test('a search for <script> has no match', () => {
    for (const search of Object.values(searches)) expect(search('<script>')).toEqual([]);
  });

  test('works with one language while the others are loading', () => {
    expect(buildSearch([lists.EN])('refund')[0]?.id).toMatch(/refund/);
    expect(buildSearch([[]])('refund')).toEqual([]);
  });

  test('in slices finds the same, and stops when aborted', async () => {
    const sliced = await buildSearchInSlices([lists.EN, lists.FR, lists.MG], new AbortController().signal);
    for (const [, text] of queries) expect(sliced?.(text), text).toEqual(searches.EN(text));
    const abort = new AbortController();
    const unwanted = buildSearchInSlices([lists.EN], abort.signal);
    abort.abort();
    expect(await unwanted).toBeNull();
  });

  test('a key press that changes nothing returns the same list object', () => {
    const before = searches.EN('refund late');
    expect(searches.EN('refund late ')).toBe(before);
    expect(searches.EN('roaming')).not.toEqual(before);
  });
});
