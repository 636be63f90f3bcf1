import type { FastifyInstance } from 'fastify';

const day = 24 * 3600 * 1000;
/** RFC 9116 wants less than a year; a copy that somebody keeps is to be asked for anew well before. */
const validDays = 180;

interface Site {
  publicUrl: string;
  /** A mailbox or a page for whoever found a hole; the help centre where the operator names none. */
  contact: string | null;
  locales: readonly string[];
  now: () => Date;
}

/** Tells whoever found a hole whom to tell, where RFC 9116 has them look. */
export function registerSecurityTxt(app: FastifyInstance, { publicUrl, contact, locales, now }: Site): void {
  const address = '/.well-known/security.txt';
  const languages = [...new Set(locales.map((locale) => locale.split('-')[0]))].join(', ');
  const text = (expires: Date) => `Contact: ${contact ?? `${publicUrl}/gethelp`}
Expires: ${expires.toISOString()}
Preferred-Languages: ${languages}
Canonical: ${publicUrl}${address}
`;
  app.get(
    address,
    { config: { access: { limit: 'none', proof: 'none' } }, schema: { hide: true } },
    (_request, reply) => {
      const today = Math.floor(now().getTime() / day) * day;
      return reply
        .type('text/plain; charset=utf-8')
        .header('cache-control', 'public, max-age=3600')
        .send(text(new Date(today + validDays * day)));
    },
  );
}
