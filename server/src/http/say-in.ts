import type { Texts } from '../content/content.service.ts';

/** Words of the server's refusals are found by the English sentence itself; figures in it stand for whatever they are. */
export function sayIn(
  texts: Texts,
  { brand, currency }: { brand: string; currency: string },
): (locale: string, sentence: string) => string {
  return (locale, sentence) => {
    const figures = sentence.match(figure) ?? [];
    const key = `errors.${sentence.replaceAll(figure, '{n}').replaceAll(brand, '{brand}').replaceAll(currency, '{currency}')}`;
    const found = texts.text(locale, key);
    if (found === key) return sentence;
    let next = 0;
    return found
      .replaceAll('{brand}', brand)
      .replaceAll('{currency}', currency)
      .replaceAll('{n}', () => figures[next++] ?? '');
  };
}

const figure = /\d+(?:[\d,.]*\d)?/g;
