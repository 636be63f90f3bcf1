import { createWriteStream, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { loadPack } from '../operators/load-pack.ts';
import { people } from '../sandbox/src/openid/people.ts';
import type { Stack } from './stack.ts';

const { env } = process;
const production = env.NODE_ENV === 'production';
const providers = [env.CHARGING_URL, env.WALLET_URL, env.SMPP_URL, env.SMTP_URL];

/** Absent in production unless asked for by name, and pointless where every provider is a real one. */
export const wantsSandbox =
  env.SANDBOX !== '0' && (production ? env.SANDBOX === '1' : !env.SANDBOX_URL && !providers.every(Boolean));

/** A service's log belongs on stderr; at a desk it would bury the addresses, so it goes to a file. */
export function logTo(dataDir: string): { write: (line: string) => void; where: string | null } {
  if (production) return { write: (line) => void process.stderr.write(`${line}\n`), where: null };
  mkdirSync(dataDir, { recursive: true });
  const where = join(dataDir, 'portal.log');
  const file = createWriteStream(where);
  return { write: (line) => void file.write(`${line}\n`), where };
}

export async function printWelcome(
  { url, sandboxUrl }: Pick<Stack, 'url' | 'sandboxUrl'>,
  log: string | null,
): Promise<void> {
  console.log(`
  The portal     ${url}
  The API        ${url}/docs/api`);
  if (sandboxUrl) {
    const { numbering } = await loadPack(env.OPERATOR || 'mg', env.OPERATORS_DIR || null);
    const own = (numbering.ownPrefixes[0] ?? '').padEnd(numbering.nationalLength - 7, '0');
    console.log(`  Sandbox phone  ${url}/sandbox   (SMS, push prompts, balances)

  Lines to try at ${url}/prepaid-recharge
    ${own}0000001   pays: the prompt is approved after 3 s
    ${own}0000012   pays, the delivery is refused: the money comes back
    ${own}0000007   declines the prompt: nothing is taken

  The console    ${url}/console
    signs in by one click: ${people.map(({ email }) => email.split('@')[0]).join(', ')} (@console.example)`);
  }
  if (log) console.log(`\n  Log            ${log}`);
  console.log('\n  Ctrl-C stops it.\n');
}
