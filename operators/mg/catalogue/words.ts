/** The same thing in English, French and Malagasy. */
export type Words = Readonly<Record<'EN' | 'FR' | 'MG', string>>;

export const words = (EN: string, FR: string, MG: string): Words => ({ EN, FR, MG });

export const same = (text: string): Words => words(text, text, text);

export const joined = (parts: readonly Words[], separator: string): Words => {
  const join = (language: keyof Words) => parts.map((part) => part[language]).join(separator);
  return words(join('EN'), join('FR'), join('MG'));
};

export function capitalised({ EN, FR, MG }: Words): Words {
  const [en = '', fr = '', mg = ''] = [EN, FR, MG].map((text) => text.charAt(0).toUpperCase() + text.slice(1));
  return words(en, fr, mg);
}

/** A category's icon is found by one of these words: data, internet, sms, international, roaming. */
export const categories = {
  data: words('Internet data', 'Internet mobile', 'Internet finday'),
  night: words('Night data', 'Internet de nuit', 'Internet amin’ny alina'),
  voice: words('Calls', 'Appels', 'Antso'),
  sms: same('SMS'),
  mixed: words('All in one', 'Tout en un', 'Miaraka'),
  international: words('International', 'International', 'Antso international'),
  roaming: words('Roaming', 'Itinérance (roaming)', 'Roaming any ivelany'),
  broadband: words('Internet for your router', 'Internet pour votre box', 'Internet ho an’ny box'),
  home: words('Internet at home', 'Internet à la maison', 'Internet an-trano'),
};

/** Names of the bundle families; a proper name is the same in every language. */
export const families = {
  data: 'Tselatra',
  night: 'Alina',
  voice: 'Resaka',
  sms: 'Hafatra',
  mixed: 'Miaraka',
  international: 'Lavitra',
  roaming: 'Dia',
  broadband: 'Box',
  home: 'Tokantrano',
};

export type Family = keyof typeof families;

export function lasting(days: number): Words {
  if (days === -1) return words('no end date', 'sans date de fin', 'tsy misy fetra');
  return days === 1 ? words('1 day', '1 jour', '1 andro') : words(`${days} days`, `${days} jours`, `${days} andro`);
}

/** Longer than a month, or without an end: no period type. */
export function periodOf(days: number): Words | undefined {
  if (days === -1 || days > 31) return undefined;
  if (days < 7) return words('Daily', 'Par jour', 'Isan’andro');
  return days < 30 ? words('Weekly', 'Par semaine', 'Isan-kerinandro') : words('Monthly', 'Par mois', 'Isam-bolana');
}

export const unlimitedWord = words('Unlimited', 'Illimité', 'Tsy voafetra');

export const zones = {
  europe: words('Europe and the islands', 'Europe et îles', 'Eoropa sy ny nosy manodidina'),
  world: words('Asia and Africa', 'Asie et Afrique', 'Azia sy Afrika'),
};
