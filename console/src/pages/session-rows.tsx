import type { ConsoleResult } from '@portal/contract/console/contract.ts';
import type { ReactNode } from 'react';
import { useFormat } from '../lib/use-format.ts';
import { Rows } from '../ui/rows.tsx';

type Session = ConsoleResult<'sessions'>[number];

export function SessionRows({
  label,
  rows,
  action,
}: {
  label: string;
  rows: Session[];
  action: (session: Session) => ReactNode;
}) {
  const { time } = useFormat();
  return (
    <Rows
      label={label}
      rows={rows}
      keyOf={({ id }) => id}
      columns={[
        { title: 'col.started', cell: ({ startedAt }) => time(startedAt) },
        { title: 'col.seen', cell: ({ seenAt }) => time(seenAt) },
        { title: 'col.browser', cell: ({ browser }) => browserName(browser) },
        { title: 'col.actions', cell: action },
      ]}
    />
  );
}

/** The browser's common name; the whole user agent where it is unknown. */
function browserName(userAgent: string): string {
  const browser = /(Firefox|Edg|OPR|Chrome|Safari)\/(\d+)/.exec(userAgent.replace(/HeadlessChrome/, 'Chrome'));
  const system = /(Android|iPhone|iPad|Windows|Mac OS X|Linux)/.exec(userAgent)?.[1];
  return browser ? [`${browser[1]} ${browser[2]}`, system].filter(Boolean).join(' · ') : userAgent;
}
