export type Texts = Readonly<Record<string, string>>;
export type Translate = (key: string, params?: Record<string, string | number>) => string;

/** A missing text shows its key rather than nothing: a blank button helps nobody, and tests look for keys on screen. */
export function translator(texts: Texts): Translate {
  return (key, params) => {
    const text = texts[key] ?? key;
    return params ? text.replace(/\{(\w+)\}/g, (whole, name: string) => String(params[name] ?? whole)) : text;
  };
}

/** The texts that a screen needs at first: its own namespaces and the common one. */
export function textsOf(all: Texts, namespaces: readonly string[]): Texts {
  const wanted = new Set(['common', ...namespaces]);
  return Object.fromEntries(Object.entries(all).filter(([key]) => wanted.has(key.slice(0, key.indexOf('.')))));
}
