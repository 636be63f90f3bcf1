import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { periods } from '../server/src/db/retention.ts';
import { root } from './source-files.ts';

const [begin, end] = ['<!-- periods: made by npm run generate -->', '<!-- end of periods -->'];

/** docs/security.md with the table of what is kept for how long as `server/src/db/retention.ts` has it. */
export function securityPage(): string {
  const page = readFileSync(join(root, 'docs/security.md'), 'utf8');
  const [before = '', rest = ''] = page.split(begin);
  const [, after] = rest.split(end);
  if (after === undefined) throw new Error('docs/security.md has no place for the table of periods');
  const rows = Object.entries(periods).flatMap(([table, period]) =>
    'holds' in period
      ? [
          `| \`${table}\` | ${period.holds} | ${period.days} days from \`${period.since}\`${
            'setting' in period ? ` (\`${period.setting}\`)` : ''
          } | ${period.ending} |`,
        ]
      : [],
  );
  const table = ['| Table | what of a person is in it | kept | then |', '|---|---|---|---|', ...rows].join('\n');
  return `${before}${begin}\n${table}\n${end}${after}`;
}
