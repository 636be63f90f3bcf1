import type { Bundle } from '@portal/domain/bundle.ts';

/** The operator's content for the home page, from the content service. */
export interface HomeContent {
  promotions: { title: string; text: string; label: string; href: string }[];
  links: { title: string; text: string; href: string }[];
}

export interface HomeLoaded {
  language: string;
  popular: readonly Bundle[];
  /** Null when the content service did not answer: the built-in links are shown, and no promotions. */
  content: HomeContent | null;
}
