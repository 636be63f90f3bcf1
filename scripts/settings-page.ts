import { environment } from '../server/src/config/environment.ts';

/** Every setting of the server with its default, as docs/settings.md. */
export function settingsPage(): string {
  const rows = Object.entries(environment.shape).map(([name, setting]) => {
    const { success, data } = setting.safeParse(undefined);
    const isGiven = success && data !== undefined && String(data) !== '';
    return `| \`${name}\` | ${isGiven ? `\`${data}\`` : ''} | ${setting.description} |`;
  });
  return `# Settings

Generated from \`server/src/config/environment.ts\` by \`npm run generate\`; do not edit it here. A setting is an environment
variable. Each may instead be the path of a file in a variable of the same name with the suffix \`_FILE\`, which is
recommended for secrets. In production the portal does not start while a required setting of a provider is missing, and
names every missing one.

| Setting | Default | Meaning |
|---|---|---|
${rows.join('\n')}
`;
}
