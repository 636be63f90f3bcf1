import type { Fault } from './package-shape.ts';

/** Why content was refused, as a message for its author. */
export class ContentRefused extends Error {
  readonly why: 'invalid' | 'unknown' | 'changed' | 'planned';
  /** The page, and each of its faulty places. */
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
