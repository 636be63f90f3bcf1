import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { environment } from '../server/src/config/environment.ts';
import { root } from './source-files.ts';

const read = (path: string) => readFileSync(join(root, path), 'utf8');
const names = (text: string, pattern: RegExp) => [...new Set([...text.matchAll(pattern)].map(([found]) => found))];

describe('monitoring', () => {
  const sources = globSync('server/src/**/*.ts', { cwd: root, exclude: (path) => path.endsWith('.test.ts') });
  const source = sources.map(read).join('\n');
  const made = names(source, /(?<=')portal_[a-z_]+(?=')/g);

  test.each(['ops/prometheus/alerts.yml', 'ops/grafana/portal.json'])('%s queries metrics that exist', (path) => {
    const asked = names(read(path), /portal_[a-z_]+/g).map((name) => name.replace(/_(bucket|count|sum)$/, ''));
    expect(asked.length).toBeGreaterThan(5);
    expect(asked.filter((name) => !made.includes(name))).toEqual([]);
  });

  test('every metric is on the dashboard', () => {
    const shown = read('ops/grafana/portal.json');
    expect(made.filter((name) => !shown.includes(name))).toEqual([]);
  });

  test('every metric and every alert is documented', () => {
    const page = read('docs/operations.md');
    const alerts = names(read('ops/prometheus/alerts.yml'), /(?<=alert: )\w+/g);
    expect([...made, ...alerts].filter((name) => !page.includes(name))).toEqual([]);
  });
});

test('the service and the container set only settings that exist', () => {
  const given = ['ops/portal.service', 'ops/Containerfile'].flatMap((path) =>
    names(read(path), /\b[A-Z][A-Z_]+(?==[^ ])/g).map((name) => name.replace(/_FILE$/, '')),
  );
  expect(given.length).toBeGreaterThan(4);
  expect(given.filter((name) => !(name in environment.shape))).toEqual([]);
});

test('the container installs the dependencies of everything that it contains', () => {
  const last =
    read('ops/Containerfile')
      .split(/^FROM /m)
      .at(-1) ?? '';
  const taken = names(last, /(?<=\/srv\/portal\/)\w+(?=\/package\.json| \w)/g);
  expect(taken.length).toBeGreaterThan(4);
  expect(taken.filter((folder) => !last.includes(`--workspace ${folder}`))).toEqual([]);
});
