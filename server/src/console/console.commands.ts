import { isEmail } from '@portal/domain/email.ts';
import type { Passkeys } from './passkeys.ts';

export const consoleUsage =
  'npm run console -- first-admin <email> <name>   a link that lets the first admin in, once, within an hour';

/** Returns the exit code: 0 done, 1 not possible, 2 usage error. */
export async function runConsoleCommand(
  [verb, email = '', ...names]: string[],
  passkeys: Pick<Passkeys, 'inviteFirstAdmin'> | null,
  print: (line: string) => void,
): Promise<number> {
  const name = names.join(' ').trim();
  if (verb !== 'first-admin' || !isEmail(email) || !name) {
    print(consoleUsage);
    return 2;
  }
  if (!passkeys) {
    print('The operator’s people sign in at the OpenID provider: give somebody the role admin there.');
    return 1;
  }
  const invited = await passkeys.inviteFirstAdmin({ email, name });
  if (!invited) {
    print('There is an admin already: they invite others in the console, under People.');
    return 1;
  }
  print(`Open this once, before ${invited.endsAt.toISOString()}, on the device that ${name} will sign in with:`);
  print(invited.link);
  return 0;
}
