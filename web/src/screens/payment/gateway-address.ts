import type { ResultOf } from '@portal/contract/contract.ts';
import type { Answer } from '../../lib/api.ts';

type Processed = Answer<ResultOf<'process'>>;

const mostTries = 10;
const betweenTriesMs = 1_000;
const pause = () => new Promise<void>((resolve) => setTimeout(resolve, betweenTriesMs));

/**
 * A gateway may take longer than our own response; a repeated call starts nothing new and returns the URL once it is
 * known.
 */
export async function processToGateway(process: () => Promise<Processed>, wait = pause): Promise<Processed> {
  let processed = await process();
  for (let tries = 1; tries < mostTries && isStillAsking(processed); tries++) {
    await wait();
    processed = await process();
  }
  return processed;
}

function isStillAsking(processed: Processed): boolean {
  if (!processed.ok) return false;
  const { next, redirectUrl, popup } = processed.result;
  return next === 'await' && !redirectUrl && !popup;
}
