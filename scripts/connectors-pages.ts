import { wireFacts } from '../server/src/connectors/wire-facts.list.ts';
import type { WireFacts } from '../server/src/connectors/wire-facts.ts';

const cell = (text: string) => text.replaceAll('|', '\\|');

/** docs/connectors/*.md: the wire facts of each provider and how certain they are. */
export function connectorsPages(): Map<string, string> {
  const pages = Object.entries(wireFacts).map(([folder, facts]) => [
    `docs/connectors/${folder}.md`,
    page(folder, facts),
  ]);
  return new Map([...pages, ['docs/connectors/README.md', overview()]] as [string, string][]);
}

function page(folder: string, { title, summary, sources, facts, codes, examples }: WireFacts): string {
  const codeRows = codes.map(
    ({ code, says, read, certainty, source }) =>
      `| \`${code}\` | ${cell(says)} | ${cell(read)} | ${certainty} | ${source} |`,
  );
  const factRows = facts.map(
    ({ fact, certainty, source, ifWrong }) => `| ${cell(fact)} | ${certainty} | ${source} | ${cell(ifWrong ?? '')} |`,
  );
  const shown = examples.map(
    ({ call, status, json, reads }) =>
      `| ${call} | ${status} | \`${cell(JSON.stringify(json))}\` | \`${cell(JSON.stringify(reads))}\` |`,
  );
  return `# ${title}

Generated from \`server/src/connectors/${folder}/wire-facts.ts\` by \`npm run generate\`. \`documented\`: the provider says so, or
several clients in use agree. \`believed\`: nobody could show it to us; the last column says why a wrong belief costs nobody money.

${summary}

## Sources
${Object.entries(sources)
  .map(([name, where]) => `- **${name}**: ${where}`)
  .join('\n')}

## Behaviour
| | | source | if wrong |
|---|---|---|---|
${factRows.join('\n')}
${codes.length === 0 ? '' : `\n## Codes\nA code that is not listed proves nothing: the payment is unknown, and asked about.\n\n| code | says | read as | | source |\n|---|---|---|---|---|\n${codeRows.join('\n')}\n`}${examples.length === 0 ? '' : `\n## Examples\nRead by the tests through the functions that live answers go through.\n\n| call | HTTP | answer | read as |\n|---|---|---|---|\n${shown.join('\n')}\n`}`;
}

function overview(): string {
  const rows = Object.entries(wireFacts).map(([folder, { title, codes, facts }]) => {
    const all = [...codes, ...facts];
    const believed = all.filter(({ certainty }) => certainty === 'believed').length;
    return `| [${title}](${folder}.md) | ${all.length} | ${believed} |`;
  });
  return `# Connectors: what is known of each protocol

| | facts and codes | of these believed |
|---|---|---|
${rows.join('\n')}

\`npm run certify -- <way to pay> …\` tries a live account of a provider step by step and says which of these hold
([operations.md](../operations.md)).
`;
}
