export type Language = {
  /** The value of `selectedLanguage`. */
  readonly code: string;
  readonly locale: string;
  /** Empty for the language without a URL prefix. */
  readonly prefix: string;
};

export type PathLanguage<L extends Language> = { language: L; path: string; isPrefixed: boolean };

export function defaultLanguage<L extends Language>(languages: readonly L[]): L {
  const language = languages.find(({ prefix }) => prefix === '') ?? languages[0];
  if (!language) throw new RangeError('an operator needs at least one language');
  return language;
}

export function languageOfPath<L extends Language>(path: string, languages: readonly L[]): PathLanguage<L> {
  const language = languages.find(({ prefix }) => prefix !== '' && startsWithSegment(path, prefix));
  if (!language) return { language: defaultLanguage(languages), path: path || '/', isPrefixed: false };
  const rest = path.slice(language.prefix.length);
  return { language, path: rest.startsWith('/') ? rest : `/${rest}`, isPrefixed: true };
}

function startsWithSegment(path: string, prefix: string): boolean {
  return path.startsWith(prefix) && ['', '/', '?', '#'].includes(path.charAt(prefix.length));
}

export function withPrefix(path: string, language: Language): string {
  if (language.prefix === '') return path || '/';
  // '/sw' rather than '/sw/', so that each page has one URL.
  return path === '/' || path === '' ? language.prefix : language.prefix + path.replace(/^\/(?=[?#])/, '');
}

export function languageByCode<L extends Language>(code: string, languages: readonly L[]): L | undefined {
  return languages.find((language) => language.code.toUpperCase() === code.toUpperCase());
}

/** The first of the browser's languages that the operator has, else the one without prefix. */
export function preferredLanguage<L extends Language>(accepted: readonly string[], languages: readonly L[]): L {
  for (const tag of accepted) {
    const spoken = languages.find(({ locale }) => primarySubtag(locale) === primarySubtag(tag));
    if (spoken) return spoken;
  }
  return defaultLanguage(languages);
}

function primarySubtag(tag: string): string {
  return tag.trim().toLowerCase().split(/[-_]/)[0] ?? '';
}

/** The tags of an Accept-Language header by preference, without those refused by q=0. */
export function acceptedLanguages(header: string): string[] {
  return header
    .split(',')
    .slice(0, 20)
    .map((part) => {
      const [tag = '', ...parameters] = part.split(';').map((piece) => piece.trim());
      const quality = parameters.find((parameter) => parameter.startsWith('q='));
      return { tag, quality: quality === undefined ? 1 : Number(quality.slice(2)) };
    })
    .filter(({ tag, quality }) => tag !== '' && quality > 0)
    .sort((left, right) => right.quality - left.quality)
    .map(({ tag }) => tag);
}
