import type { OperatorPack } from '@portal/domain/operator.ts';

const packs: Record<string, () => Promise<{ pack: OperatorPack }>> = {
  mg: () => import('./mg/pack.ts'),
  ng: () => import('./ng/pack.ts'),
};

export async function loadPack(code: string): Promise<OperatorPack> {
  const load = packs[code];
  if (!load) throw new Error(`There is no operator pack "${code}". Known packs: ${Object.keys(packs).join(', ')}.`);
  return (await load()).pack;
}
