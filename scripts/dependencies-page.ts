import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './source-files.ts';

interface LockedPackage {
  version?: string;
  license?: string;
  link?: boolean;
  resolved?: string;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}

type Lock = Record<string, LockedPackage>;

export interface Dependency {
  name: string;
  version: string;
  licence: string;
}

/** Workspaces that run in production; tests and tools do not. */
const shipped = ['domain', 'contract', 'operators', 'server', 'web'];
/** Packages that state their licence only in a file. */
const known: Record<string, string> = { 'png-js': 'MIT' };

export const readLock = (): Lock => JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages;

/** Every package that the shipped workspaces depend on, by the lock file, so the same on every machine. */
export function shippedDependencies(lock: Lock): Dependency[] {
  const found = new Map<string, Dependency>();
  const waiting = [...shipped];
  const seen = new Set<string>();
  for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
    const entry = lock[place];
    if (!entry || seen.has(place)) continue;
    seen.add(place);
    if (place.includes('node_modules/') && !entry.link) {
      const name = place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length);
      const licence = entry.license ?? known[name] ?? 'unknown';
      found.set(`${name}@${entry.version}`, { name, version: entry.version ?? '', licence });
    }
    for (const name of Object.keys({ ...entry.dependencies, ...entry.optionalDependencies }))
      waiting.push(placeOf(name, place, lock));
  }
  return [...found.values()].sort((one, other) => (one.name < other.name ? -1 : 1));
}

/** Resolves a package like Node: in the importer's node_modules, then further up. */
function placeOf(name: string, from: string, lock: Lock): string {
  for (let folder = from; ; folder = folder.slice(0, Math.max(folder.lastIndexOf('/node_modules/'), 0))) {
    const place = folder ? `${folder}/node_modules/${name}` : `node_modules/${name}`;
    const entry = lock[place];
    if (entry) return entry.link ? (entry.resolved ?? place) : place;
    if (!folder) return place;
  }
}

/** docs/dependencies.md: versions and licences of everything shipped. */
export function dependenciesPage(): string {
  const all = shippedDependencies(readLock());
  const counts = Map.groupBy(all, ({ licence }) => licence);
  const summary = [...counts].sort(([, one], [, other]) => other.length - one.length);
  return `# What the portal is made of

Generated from \`package-lock.json\` by \`npm run generate\`; do not edit it here. ${all.length} packages run in production
or in a browser; packages that only build and test are not listed. A bill of materials in CycloneDX, including tools:
\`npm run sbom > sbom.json\`. Data that is not code has its notices in NOTICE.

${summary.map(([licence, packages]) => `- ${licence}: ${packages.length}`).join('\n')}

| Package | Version | Licence |
|---|---|---|
${all.map(({ name, version, licence }) => `| ${name} | ${version} | ${licence} |`).join('\n')}
`;
}
