import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { stateKey } from '../lib/use-state-words.ts';
import { en, type Texts } from './en.ts';
import { fr } from './fr.ts';
import { mg } from './mg.ts';

const languages: [string, Texts][] = [
  ['en', en],
  ['fr', fr],
  ['mg', mg],
];

test.each(languages)('in %s airtime as a payment method has the customers’ word', (language, texts) => {
  const file = new URL(`../../../operators/texts/${language}/translation.json`, import.meta.url);
  const { payment } = JSON.parse(readFileSync(file, 'utf8'));
  expect(texts['wayToPay.airtime']).toBe(payment.group.AIRTIME);
});

/** The glossary’s terms for the state of the money: one term for each state. */
test.each([
  ['French', fr, /prélev|encaiss/i],
  ['Malagasy', mg, /voaray ny vola/i],
])('in %s money that was taken has the word of the glossary and the customers’ pages', (_language, texts, others) => {
  expect(Object.entries(texts).filter(([, text]) => others.test(text))).toEqual([]);
});

test.each(languages)('in %s bills are paid and orders placed: only airtime and bundles are delivered', (_, texts) => {
  for (const type of ['POSTPAID_BILL', 'HBB_LEADS'])
    for (const state of ['PAID', 'FULFILLING', 'FULFIL_UNKNOWN', 'SUCCEEDED']) {
      const words = (texts as Record<string, string>)[stateKey(state, type)];
      expect(words, state).toMatch(type === 'HBB_LEADS' ? /order|commande|kaomandy/ : /bill|facture|faktiora/);
      expect(words, state).not.toMatch(/deliver|livr|tonga|haterina|panaterana/);
    }
  expect(stateKey('SUCCEEDED', 'PREPAID_RECHARGE')).toBe('state.SUCCEEDED');
  expect(stateKey('REFUNDED', 'POSTPAID_BILL')).toBe('state.REFUNDED');
});
