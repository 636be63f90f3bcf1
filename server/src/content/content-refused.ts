import type { Fault } from './package-shape.ts';

/** A fault, and the page that it is on. */
export type PageFault = Fault & { page: string };

/** Why content was refused, as a message for its author. */
export class ContentRefused extends Error {
  readonly why: 'invalid' | 'unknown' | 'changed' | 'planned';
  /** The first page, and each faulty place of all pages. */
  readonly page: string | null;
  readonly faults: readonly PageFault[];

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
