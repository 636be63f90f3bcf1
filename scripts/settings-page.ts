import { environment } from '../server/src/config/environment.ts';

/** Every setting of the server with its default, as docs/settings.md. */
export function settingsPage(): string {
  const rows = Object.entries(environment.shape).map(([name, setting]) => {
    const { success, data } = setting.safeParse(undefined);
    const isGiven = success && data !== undefined && String(data) !== '';
    return `| \`${name}\` | ${isGiven ? `\`${data}\`` : ''} | ${setting.description} |`;
  });
  return `# Settings

Made from \`server/src/config/environment.ts\` by \`npm run generate\`; do not edit it here. A setting is an environment
variable. Each may instead be given as the path of a file in a variable of the same name with \`_FILE\` after it, which is
how secrets should come. In production nothing about a provider is guessed: what is missing is named at the start, and
the portal does not start.

| Setting | Default | What it is |
|---|---|---|
${rows.join('\n')}
`;
}
