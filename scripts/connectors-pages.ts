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

Generated from \`server/src/connectors/${folder}/wire-facts.ts\` by \`npm run generate\`. \`documented\`: in the provider's
documentation, or in several clients in use. \`believed\`: without a source; the last column says why no money is lost if it is wrong.

${summary}

## Sources
${Object.entries(sources)
  .map(([name, where]) => `- **${name}**: ${where}`)
  .join('\n')}

## Behaviour
| Fact | Certainty | Source | If wrong |
|---|---|---|---|
${factRows.join('\n')}
${codes.length === 0 ? '' : `\n## Codes\nA code that is not listed proves nothing: the outcome is unknown and the portal enquires again.\n\n| Code | Meaning | Read as | Certainty | Source |\n|---|---|---|---|---|\n${codeRows.join('\n')}\n`}${examples.length === 0 ? '' : `\n## Examples\nThe tests parse them with the functions for live responses.\n\n| Call | HTTP | Response | Read as |\n|---|---|---|---|\n${shown.join('\n')}\n`}`;
}

function overview(): string {
  const rows = Object.entries(wireFacts).map(([folder, { title, codes, facts }]) => {
    const all = [...codes, ...facts];
    const believed = all.filter(({ certainty }) => certainty === 'believed').length;
    return `| [${title}](${folder}.md) | ${all.length} | ${believed} |`;
  });
  return `# Connectors: what is known about each protocol

| Protocol | Facts and codes | Of these believed |
|---|---|---|
${rows.join('\n')}

\`npm run certify -- <way to pay> …\` checks with a live account of a provider, step by step, which of these are true
([operations.md](../operations.md)).
`;
}
