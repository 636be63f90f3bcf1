import { withPrefix } from '@portal/domain/language.ts';
import type { PublicPack } from '@portal/domain/operator.ts';
import { disallowedPaths, indexedPaths } from '@portal/domain/screens.ts';
import type { FastifyInstance } from 'fastify';

/** The sitemap with every indexed page in each language and its alternates, and robots.txt. */
export function registerSitemap(
  app: FastifyInstance,
  site: { publicUrl: string; operator: PublicPack; questionPaths: () => Promise<readonly string[]> },
): void {
  const { languages, brand } = site.operator;
  const config = { access: { limit: 'none', proof: 'none' } } as const;
  const address = (path: string, language: PublicPack['languages'][number]) =>
    escapeXml(site.publicUrl + withPrefix(path, language));
  const entriesOf = (path: string) => {
    const alternates = languages
      .map((one) => `<xhtml:link rel="alternate" hreflang="${one.locale}" href="${address(path, one)}"/>`)
      .join('');
    return languages.map((language) => `<url><loc>${address(path, language)}</loc>${alternates}</url>`);
  };
  const sitemap = (paths: readonly string[]) => `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">
${paths.flatMap(entriesOf).join('\n')}
</urlset>
`;
  const robots = `User-agent: *
${disallowedPaths(brand.slug)
  .map((path) => `Disallow: ${path}`)
  .join('\n')}
Disallow: /receipts/
Disallow: /sandbox
Disallow: /orp/bfe/
Sitemap: ${site.publicUrl}/sitemap.xml
`;
  const age = 'public, max-age=3600';
  app.get('/sitemap.xml', { config, schema: { hide: true } }, async (_request, reply) =>
    reply
      .type('application/xml')
      .header('cache-control', age)
      .send(sitemap([...indexedPaths(site.operator), ...(await site.questionPaths())])),
  );
  app.get('/robots.txt', { config, schema: { hide: true } }, (_request, reply) =>
    reply.type('text/plain').header('cache-control', age).send(robots),
  );
}

function escapeXml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
