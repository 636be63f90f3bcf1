import type { ResultOf } from '@portal/contract/contract.ts';
import type { NumberMarks } from '@portal/domain/number-format.ts';
import type { PublicPack } from '@portal/domain/operator.ts';
import type { ScreenName } from '@portal/domain/screens.ts';
import type { FormState } from '../lib/page.tsx';
import type { Texts } from '../lib/translate.ts';

export interface NavigationLink {
  label: string;
  href: string;
}

/** Header and footer, from the content service. */
export interface Chrome {
  header: { links: NavigationLink[] };
  footer: { groups: { title: string; links: NavigationLink[] }[]; note: string };
}

/** The operator's notice to every customer, in their language. */
export type Announcement = ResultOf<'announcements'>['announcements'][number];

/** The data that the server embeds in the page and the browser hydrates with. */
export interface InitialPage {
  operator: PublicPack;
  language: string;
  texts: Texts;
  chrome: Chrome;
  announcements: Announcement[];
  screen: ScreenName | null;
  /** URL of the screen's own script. */
  script: string;
  /** How the page formats numbers. */
  marks: NumberMarks;
  path: string;
  query: Record<string, string>;
  loaded: unknown;
  form: FormState | null;
  sandbox: boolean;
  gallery: boolean;
  /** False where the operator switched the service worker off. */
  worker: boolean;
}
