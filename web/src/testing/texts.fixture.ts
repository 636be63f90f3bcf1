import en from '../../../operators/texts/en/translation.json' with { type: 'json' };
import fr from '../../../operators/texts/fr/translation.json' with { type: 'json' };
import mg from '../../../operators/texts/mg/translation.json' with { type: 'json' };
import { translator } from '../lib/translate.ts';

/** The texts that all operators share, as they are in the source. */
export const written = { EN: en, FR: fr, MG: mg };

const flat = (node: object, path = ''): [string, string][] =>
  Object.entries(node).flatMap(([key, value]) =>
    typeof value === 'string' ? [[path + key, value] as [string, string]] : flat(value, `${path}${key}.`),
  );

export const translatorIn = (code: keyof typeof written) => translator(Object.fromEntries(flat(written[code])));
