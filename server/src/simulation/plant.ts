import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { otherBugs } from './planted-bugs.other.ts';
import { plantedBugs } from './planted-bugs.ts';

const bug = [...plantedBugs, ...otherBugs].find(({ name }) => name === process.env.PLANTED_BUG);
if (!bug) throw new Error(`There is no planted bug named "${process.env.PLANTED_BUG}".`);
const target = new URL(`../../../${bug.file}`, import.meta.url);
const source = readFileSync(target, 'utf8');
if (source.split(bug.find).length !== 2) throw new Error(`"${bug.name}" finds no single place in ${bug.file}.`);

registerHooks({
  load(url, context, nextLoad) {
    if (!url.startsWith('file:') || fileURLToPath(url) !== fileURLToPath(target)) return nextLoad(url, context);
    return { format: 'module-typescript', shortCircuit: true, source: source.replace(bug.find, () => bug.replace) };
  },
});
