import type { SealedTokens } from '../http/sealed-token.ts';
import type { Content } from './content.service.ts';

/** The drafts and the path to preview, and the console session: the URL is invalid once that ends. */
export interface Preview {
  session: string;
  drafts: { page: string; version: number }[];
  at: string;
}

export const previewPath = '/content-preview';
const purpose = 'content preview';
const lifeSeconds = 300;

export function previewTokens(tokens: SealedTokens) {
  return {
    addressOf: (preview: Preview): string => `${previewPath}?draft=${tokens.seal(purpose, preview, lifeSeconds)}`,
    open: (token: string): Preview | null => tokens.open(purpose, token) as Preview | null,
  };
}

/** The packages of a preview, as pages get them. */
export async function previewedContent({ editing, previewOf }: Content, { drafts }: Preview) {
  const bodies = await Promise.all(
    drafts.map(async ({ page, version }) => [page, await editing.show(page, version)] as const),
  );
  return previewOf(new Map(bodies));
}
