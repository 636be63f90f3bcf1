import type { Texts } from '../content/content.service.ts';

/** Words of the server's refusals are found by the English sentence itself; figures in it stand for whatever they are. */
export function sayIn(texts: Texts, brand: string): (locale: string, sentence: string) => string {
  return (locale, sentence) => {
    const figures = sentence.match(figure) ?? [];
    const key = `errors.${sentence.replaceAll(figure, '{n}').replaceAll(brand, '{brand}')}`;
    const found = texts.text(locale, key);
    if (found === key) return sentence;
    let next = 0;
    return found.replaceAll('{brand}', brand).replaceAll('{n}', () => figures[next++] ?? '');
  };
}

const figure = /\d+(?:[\d,.]*\d)?/g;
