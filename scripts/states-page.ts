import { shownStatus } from '../domain/payment/shown-status.ts';
import { isFinal, paymentStates, transitions } from '../domain/payment/transitions.ts';

/** docs/states.md: every payment state and its transitions, as a diagram and a table. */
export function statesPage(): string {
  const moves = paymentStates.map((state) => ({ state, moves: Object.entries(transitions[state]) }));
  const edges = moves.flatMap(({ state, moves }) => moves.map(([event, to]) => `  ${state} --> ${to}: ${event}`));
  const finals = paymentStates.filter(isFinal).map((state) => `  ${state} --> [*]`);
  const rows = moves.map(({ state, moves }) => {
    const next = moves.map(([event, to]) => `${event} → ${to}`).join('<br>') || 'none';
    const shown = [shownStatus(state, 'payer'), shownStatus(state, 'redirect')].join(' | ');
    return `| ${state}${isFinal(state) ? ' (final)' : ''} | ${shown} | ${next} |`;
  });
  return `# The states of a payment

Generated from \`domain/payment/transitions.ts\` by \`npm run generate\`; a check fails if it is stale.

\`\`\`mermaid
stateDiagram-v2
  [*] --> CREATED
${[...edges, ...finals].join('\n')}
\`\`\`

| State | Shown while the payer approves | Shown when the payer is redirected | Moves |
|---|---|---|---|
${rows.join('\n')}
`;
}
