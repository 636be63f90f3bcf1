import type { FastifyInstance } from 'fastify';

const day = 24 * 3600 * 1000;
/** RFC 9116 recommends less than a year, so that cached copies do not go stale. */
const validDays = 180;

interface Site {
  publicUrl: string;
  /** A mailbox or a page for reports; the help centre if the operator names none. */
  contact: string | null;
  locales: readonly string[];
  now: () => Date;
}

/** Serves the contact for reports of vulnerabilities, where RFC 9116 puts it. */
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
