import { expect, test } from 'vitest';
import { zoneProblems } from './check-zones.ts';

const problemsOf = (files: Record<string, string>) => zoneProblems(new Map(Object.entries(files)));

test.each([
  ['domain/money.ts', "import { pack } from '@portal/operators/mg/pack.ts';", 'domain may not import operators'],
  ['contract/lines.ts', "export * from '@portal/operators/pack.ts';", 'contract may not import operators'],
  [
    'server/src/app.ts',
    "import { startSandbox } from '../../sandbox/src/sandbox.ts';",
    'server may not import sandbox',
  ],
  ['server/src/db/database.ts', "import { pay } from '../payments/payments.service.ts';", 'db may not know an area'],
  [
    'server/src/connectors/ports.ts',
    "import type { Payment } from '../payments/payments.store.ts';",
    'connectors may not know an area',
  ],
  [
    'server/src/bills/bills.service.ts',
    "import { find } from '../payments/payments.store.ts';",
    'only through payments.service.ts',
  ],
  [
    'server/src/http/logging.ts',
    "type Q = import('../payments/payments.store.ts').Q;",
    'only through payments.service.ts',
  ],
  [
    'sandbox/src/main.ts',
    "import { readConfig } from '../../server/src/config/config.ts';",
    'sandbox may not import server',
  ],
  [
    'web/src/ui/button.tsx',
    "import { LineCheck } from '../features/line-check/line-check.tsx';",
    'ui may not import features',
  ],
  ['web/src/lib/api.ts', "const router = import('../app/router.tsx');", 'lib may not import app'],
  [
    'web/src/features/map/map.ts',
    "import styles from '../../screens/help/help.module.css';",
    'features may not import screens',
  ],
  [
    'web/src/screens/help/help.tsx',
    "import { Stores } from '../store-locator/store-locator.tsx';",
    'one screen may not import another',
  ],
  ['web/src/lib/session.ts', "import { pack } from '@portal/operators/mg/pack.ts';", 'web may not import operators'],
])('an import against the direction is refused: %s', (path, source, sentence) => {
  expect(problemsOf({ [path]: `// first line\n${source}\n` })).toEqual([expect.stringContaining(sentence)]);
  expect(problemsOf({ [path]: `// first line\n${source}\n` })[0]).toMatch(`${path}:2 `);
});

test.each([
  ['contract/lines.ts', "import { money } from '@portal/domain/money.ts';"],
  ['server/src/app.ts', "import { routes } from './payments/payments.routes.ts';"],
  ['server/src/retention/delete-expired.ts', "import { pay } from '../payments/payments.service.ts';"],
  ['server/src/payments/payments.service.ts', "import { find } from './payments.store.ts';"],
  ['server/src/payments/payments.db.test.ts', "import { find } from '../bills/bills.store.ts';"],
  ['server/src/payments/payments.db.test.ts', "import { startSandbox } from '../../../sandbox/src/sandbox.ts';"],
  ['web/src/app/router.tsx', "const help = import('../screens/help/help.tsx');"],
  ['web/src/screens/help/help.tsx', "import styles from './help.module.css';"],
  ['web/src/lib/api.ts', "// import { a } from '../app/router.tsx'\nexport const text = \"from '../app/router.tsx'\";"],
  ['e2e/stack.ts', "import { startStack } from '../scripts/stack.ts';"],
])('an import along the direction is fine: %s', (path, source) => {
  expect(problemsOf({ [path]: source })).toEqual([]);
});

test('a cycle is refused and reported as a path, tests included', () => {
  const problems = problemsOf({
    'domain/a.ts': "import { b } from './b.ts';",
    'domain/b.ts': "export { c } from '@portal/domain/c.ts';",
    'domain/c.ts': "import { a } from './a.ts';",
    'domain/d.test.ts': "import { d } from './d.test.ts';",
  });
  expect(problems).toEqual([
    'domain/a.ts imports itself by way of domain/b.ts → domain/c.ts → domain/a.ts',
    'domain/d.test.ts imports itself by way of domain/d.test.ts',
  ]);
});

test('a cycle of type imports is refused too', () => {
  const half = { 'domain/b.ts': "import { a } from './a.ts';" };
  expect(problemsOf({ ...half, 'domain/a.ts': "import type { B } from './b.ts';" })).toHaveLength(1);
  expect(problemsOf({ ...half, 'domain/a.ts': "type B = import('./b.ts').B;" })).toHaveLength(1);
});
