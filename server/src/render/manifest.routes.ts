import { languageByCode, withPrefix } from '@portal/domain/language.ts';
import type { PublicPack } from '@portal/domain/operator.ts';
import { iconDrawing, iconNames, readIcon } from '@portal/operators/icons.ts';
import type { FastifyInstance } from 'fastify';

const dayLong = 'public, max-age=86400';
const purposes = { 'icon-192': 'any', 'icon-512': 'any', 'maskable-512': 'maskable' } as const;

export interface ManifestOptions {
  operator: PublicPack;
  /** The description in the install dialog, in the requested language. */
  describe(language: PublicPack['languages'][number]): string;
}

/** The web app manifest: name, colours and icons of the brand. */
export function registerManifest(app: FastifyInstance, { operator, describe }: ManifestOptions): void {
  const config = { access: { limit: 'none', proof: 'none' } } as const;
  const { brand, languages, code } = operator;

  app.get<{ Querystring: { lang?: string } }>(
    '/manifest.webmanifest',
    { config, schema: { hide: true } },
    async (request, reply) => {
      const language = languageByCode(String(request.query.lang ?? ''), languages) ?? languages[0];
      if (!language) return reply.callNotFound();
      const manifest = {
        id: '/',
        name: brand.name,
        short_name: brand.name,
        description: describe(language),
        lang: language.locale,
        dir: 'ltr',
        start_url: withPrefix('/', language),
        scope: '/',
        display: 'standalone',
        background_color: brand.tokens.sand ?? '#fff9f4',
        theme_color: brand.tokens.night ?? '#1d1b3a',
        categories: ['utilities'],
        icons: Object.entries(purposes).map(([name, purpose]) => ({
          src: `/icons/${name}.png`,
          sizes: name.replace(/\D*(\d+)$/, '$1x$1'),
          type: 'image/png',
          purpose,
        })),
      };
      return reply
        .type('application/manifest+json; charset=utf-8')
        .header('cache-control', 'no-cache')
        .send(JSON.stringify(manifest));
    },
  );

  // What a tab and a bookmark show.
  app.get('/icons/icon.svg', { config, schema: { hide: true } }, async (_request, reply) =>
    reply.type('image/svg+xml').header('cache-control', dayLong).send(iconDrawing(brand)),
  );

  for (const name of iconNames)
    app.get(`/icons/${name}.png`, { config, schema: { hide: true } }, async (_request, reply) =>
      reply
        .type('image/png')
        .header('cache-control', dayLong)
        .send(await readIcon(code, name)),
    );
}
