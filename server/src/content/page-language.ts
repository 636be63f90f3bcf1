import type { OperatorPack } from '@portal/domain/operator.ts';

/** The language of a package's page: `/sw/footer` has the one with the prefix `/sw`. */
export function pageLanguage({ languages }: Pick<OperatorPack, 'languages'>, page: string) {
  const prefix = page.slice(0, page.lastIndexOf('/'));
  return languages.find((language) => language.prefix === prefix);
}
