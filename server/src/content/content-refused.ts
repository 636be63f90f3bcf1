import type { Fault } from './package-shape.ts';

/** Why content was not taken, in words for whoever brought it. */
export class ContentRefused extends Error {
  readonly why: 'invalid' | 'unknown' | 'changed' | 'planned';
  /** The page it is about, and each place of it that is wrong. */
  readonly page: string | null;
  readonly faults: readonly Fault[];

  constructor(
    message: string,
    { why = 'invalid', page = null, faults = [] }: Partial<Pick<ContentRefused, 'why' | 'page' | 'faults'>> = {},
  ) {
    super(message);
    this.why = why;
    this.page = page;
    this.faults = faults;
  }
}
