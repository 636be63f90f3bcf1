import { sourceFiles } from './source-files.ts';

/** Patterns of real secrets. The sandbox's are plain words and public. */
const patterns: [what: string, pattern: RegExp][] = [
  ['a private key', /-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----/],
  ['a live key of a payment provider', /\b(?:sk|pk|rk)_live_\w{8,}|\bFLWSECK-\w{8,}/],
  ['a key of a cloud', /\bAKIA[A-Z0-9]{16}\b|\bAIza[\w-]{35}\b/],
  ['a token of a code host or registry', /\b(?:ghp|gho|ghs|github_pat|npm)_\w{30,}|\bglpat-[\w-]{20,}/],
  ['a signed token', /\beyJ[\w-]{15,}\.eyJ[\w-]{15,}\.[\w-]{20,}/],
  ['an address with a password', /\b[a-z]+:\/\/[\w.-]+:(?!\$|\*|<|…)[^\s@/'"`{}]{3,}@(?!.*\bexample\b)/],
  [
    'a setting with a value',
    /\b(?:PORTAL_SECRET|\w+_(?:CLIENT_SECRET|SECRET_KEYS?|PASSKEY|PASSWORD))=(?!\$|\.|…|<|"?\$)['"]?\w{8,}/,
  ],
];

/** Every line that looks like it holds a secret, as `file:line`, without the secret. */
export function secretProblems(files: Map<string, string>): string[] {
  return [...files].flatMap(([path, source]) =>
    source.split('\n').flatMap((line, index) => {
      const found = patterns.find(([, pattern]) => pattern.test(line));
      return found ? [`${path}:${index + 1} holds ${found[0]}; secrets come from the environment or a file`] : [];
    }),
  );
}

if (import.meta.main) {
  const files = await sourceFiles(
    '**/*.{ts,tsx,mjs,js,json,md,yml,yaml,sql,html,env,cfg,service,txt}',
    '**/Containerfile',
  );
  const problems = secretProblems(files);
  for (const problem of problems) console.log(problem);
  console.log(`${files.size} files, ${problems.length} lines that look like a secret.`);
  process.exitCode = problems.length > 0 ? 1 : 0;
}
