import { findCycles } from './import-cycles.ts';
import { type Import, importsOf } from './imports.ts';
import { isTest, sourceFiles } from './source-files.ts';

/** The top-level folders that each may import; those not listed (e2e, scripts, bench) may import anything. */
const directions: Record<string, string[]> = {
  domain: [],
  contract: ['domain'],
  operators: ['domain'],
  server: ['domain', 'contract', 'operators'],
  web: ['domain', 'contract'],
  console: ['domain', 'contract'],
  sandbox: ['domain'],
};
/** What tests may import in addition: the emulators and the real pack. */
const testsAlso: Record<string, string[]> = { server: ['sandbox'], web: ['operators'] };

/** Folders of server/src that are infrastructure and not a business area. */
const serverSupport = new Set(['config', 'connectors', 'http', 'db', 'render', 'retention', 'notice-queue']);
const belowAreas = new Set(['config', 'connectors', 'db']);

/** A folder of web/src may import its own rank and lower ones, but screens may not import each other. */
const webRanks: Record<string, number> = { ui: 0, lib: 0, loading: 0, offline: 1, features: 1, screens: 2, app: 3 };

/** Every import in the wrong direction and every cycle, as `file:line sentence`. */
export function zoneProblems(files: Map<string, string>): string[] {
  const imports = new Map([...files].map(([path, source]) => [path, importsOf(path, source)]));
  const problems: string[] = [];
  for (const [path, list] of imports) {
    for (const each of list) {
      const problem = directionProblem(path, each);
      if (problem) problems.push(`${path}:${each.line} imports ${each.to}: ${problem}`);
    }
  }
  const cycles = findCycles(importGraph(imports)).map(
    (cycle) => `${cycle[0]} imports itself by way of ${cycle.slice(1).join(' → ')}`,
  );
  return [...problems, ...cycles];
}

function importGraph(imports: Map<string, Import[]>): Map<string, string[]> {
  const targets = (list: Import[]) => list.map(({ to }) => to).filter((to) => imports.has(to));
  return new Map([...imports].map(([path, list]) => [path, targets(list)]));
}

function directionProblem(from: string, { to }: Import): string | null {
  const zone = topFolder(from);
  const target = topFolder(to);
  const allowed = directions[zone];
  if (!allowed) return null;
  if (zone !== target) {
    const also = isTest(from) ? (testsAlso[zone] ?? []) : [];
    return [...allowed, ...also].includes(target) ? null : `${zone} may not import ${target}`;
  }
  if (isTest(from)) return null;
  if (zone === 'server') return serverProblem(from, to);
  if (zone === 'web') return webProblem(from, to);
  return null;
}

function serverProblem(from: string, to: string): string | null {
  const here = folderUnder('server/src/', from);
  const there = folderUnder('server/src/', to);
  // Files directly in server/src and in wiring/ may import everything.
  const isWiring = here === null || here === 'wiring';
  if (isWiring || there === null || here === there || serverSupport.has(there)) return null;
  // The simulation is a test, so it may use test support.
  if (here === 'simulation' && there === 'testing') return null;
  if (belowAreas.has(here)) return `${here} may not know an area`;
  return to === `server/src/${there}/${there}.service.ts` ? null : `areas meet only through ${there}.service.ts`;
}

function webProblem(from: string, to: string): string | null {
  const here = folderUnder('web/src/', from);
  const there = folderUnder('web/src/', to);
  if (here === null || there === null) return null;
  if ((webRanks[there] ?? 0) > (webRanks[here] ?? 0)) return `${here} may not import ${there}`;
  if (here !== 'screens' || there !== 'screens') return null;
  const screens = [from, to].map((path) => folderUnder('web/src/screens/', path));
  return screens[0] === screens[1] ? null : 'one screen may not import another';
}

const topFolder = (path: string): string => path.split('/')[0] ?? '';

/** The folder directly below the prefix that contains the path; null if there is none. */
function folderUnder(prefix: string, path: string): string | null {
  const parts = path.startsWith(prefix) ? path.slice(prefix.length).split('/') : [];
  return parts.length > 1 ? (parts[0] ?? null) : null;
}

if (import.meta.main) {
  const folders = [...Object.keys(directions), 'e2e', 'scripts', 'bench'].join(',');
  const files = await sourceFiles(`{${folders}}/**/*.{ts,tsx,mjs}`);
  const problems = zoneProblems(files);
  for (const problem of problems) console.log(problem);
  console.log(`${files.size} files, ${problems.length} imports against the direction or in a cycle.`);
  process.exitCode = problems.length > 0 ? 1 : 0;
}
