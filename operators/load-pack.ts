import type { OperatorPack } from '@portal/domain/operator.ts';
import { packProblems } from './check-pack.ts';
import { findPack, knownPacks } from './pack-folder.ts';

/** An invalid pack is refused here with a message, rather than by the first customer who meets the gap. */
export async function loadPack(code: string, folder: string | null = null): Promise<OperatorPack> {
  const found = findPack(code, folder);
  if (!found) throw new Error(`There is no operator pack "${code}". Known packs: ${knownPacks(folder).join(', ')}.`);
  const module: { pack?: unknown } = await import(new URL('pack.ts', found).href);
  const problems = packProblems(code, module.pack);
  if (problems.length > 0) throw new Error(`The operator pack "${code}" cannot be used: ${problems.join('; ')}.`);
  return module.pack as OperatorPack;
}
