import { Fragment, type ReactNode } from 'react';
import { breakPlaces } from '../lib/break-places.ts';

/** A text that may end its lines within addresses and emails, where these have a place for it; anything else as it is. */
export const wrapped = (content: ReactNode): ReactNode =>
  typeof content !== 'string'
    ? content
    : breakPlaces(content).map((part, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no other name.
        <Fragment key={at}>
          {at > 0 && <wbr />}
          {part}
        </Fragment>
      ));
