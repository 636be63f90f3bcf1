import { pack } from '../operators/mg/pack.ts';
import { isTest, sourceFiles } from './source-files.ts';

export interface Brand {
  name: string;
  slug: string;
}

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Every place that hard-codes what belongs in an operator's pack, as `file:line`. */
export function brandProblems(files: Map<string, string>, { name, slug }: Brand): string[] {
  const spelt = new RegExp(`${escaped(name)}|${escaped(slug)}`, 'i');
  // 0.261 is a number; +261 and '261' are the country code.
  const country = /(?<![\w.])(?:MGA|261)(?!\w|\.\d)/;
  return [...files]
    .filter(([path]) => !isTest(path))
    .flatMap(([path, source]) =>
      source.split('\n').flatMap((line, index) => {
        const word = spelt.exec(line)?.[0] ?? country.exec(line)?.[0];
        return word
          ? [`${path}:${index + 1} spells "${word}", which belongs in an operator's pack: ${line.trim().slice(0, 120)}`]
          : [];
      }),
    );
}

if (import.meta.main) {
  const files = await sourceFiles(
    '{server,web,console,domain,contract}/**/*.{ts,tsx,css,json,html,svg,sql,webmanifest}',
  );
  const problems = brandProblems(files, pack.brand);
  for (const problem of problems) console.log(problem);
  console.log(`${files.size} files, ${problems.length} places that spell the brand or its country.`);
  process.exitCode = problems.length > 0 ? 1 : 0;
}
