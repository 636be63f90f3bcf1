import { Fragment, type ReactNode } from 'react';
import { breakPlaces } from '../lib/line-breaks.ts';

/** Allows line breaks within long URLs and emails in a text; any other node is unchanged. */
export const wrapped = (content: ReactNode): ReactNode =>
  typeof content !== 'string'
    ? content
    : breakPlaces(content).map((part, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: parts of a text have no id.
        <Fragment key={at}>
          {at > 0 && <wbr />}
          {part}
        </Fragment>
      ));
