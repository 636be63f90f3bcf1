import { randomUUID } from 'node:crypto';
import swaggerUi from '@fastify/swagger-ui';
import type { OperatorPack } from '@portal/domain/operator.ts';
import Fastify, { type FastifyInstance } from 'fastify';
import { bundleHandlers } from './bundles/bundles.routes.ts';
import { createBundles } from './bundles/bundles.service.ts';
import type { Config } from './config/config.ts';
import { chargingSystem } from './connectors/charging/index.ts';
import { HttpClient } from './connectors/http-client.ts';
import { mailServer } from './connectors/mail/index.ts';
import type { PaymentGateway } from './connectors/ports.ts';
import { smsCentre } from './connectors/sms/index.ts';
import { walletGateway } from './connectors/wallet/index.ts';
import { contentHandlers } from './content/content.routes.ts';
import { type Content, createContent } from './content/content.service.ts';
import type { Database } from './db/database.ts';
import { refuseCrossSiteWrites } from './http/cross-site.ts';
import { mapErrors } from './http/error-map.ts';
import type { Logger } from './http/logging.ts';
import { createMetrics } from './http/metrics.ts';
import { logRequests, registerOperational } from './http/operational.routes.ts';
import { rateLimits } from './http/rate-limit.ts';
import { registerCalls } from './http/register-calls.ts';
import { proxySandbox } from './http/sandbox-proxy.ts';
import { sealedTokens } from './http/sealed-token.ts';
import { securityHeaders } from './http/security-headers.ts';
import { startJobs } from './jobs/jobs.ts';
import { repeat } from './jobs/repeat.ts';
import { lineHandlers } from './lines/lines.routes.ts';
import { createLines } from './lines/lines.service.ts';
import { createNotices } from './notices/notices.service.ts';
import { describeCalls } from './openapi.ts';
import { registerCallbacks } from './payments/callbacks.routes.ts';
import { paymentEvents } from './payments/payments.events.ts';
import { paymentHandlers } from './payments/payments.routes.ts';
import { createPayments } from './payments/payments.service.ts';
import { registerPages } from './render/pages.routes.ts';
import type { WebBuild } from './render/web-build.ts';
import { resourceHandlers } from './resources/resources.routes.ts';

export interface Portal {
  http: FastifyInstance;
  content: Content;
  stop(): Promise<void>;
}

const requestLimitMs = 30_000;
const sweepMs = 1_000;
const forgetMs = 3_600_000;

/** Everything is wired here, by hand. */
export async function buildPortal(
  config: Config,
  parts: { database: Database; pack: OperatorPack; web: WebBuild | null; log: Logger; now?: () => Date },
): Promise<Portal> {
  const { database, pack, log } = parts;
  const { db } = database;
  const now = parts.now ?? (() => new Date());
  const metrics = createMetrics();
  const outbound = new HttpClient();

  const charging = chargingSystem(outbound, config.charging);
  const wallet = walletGateway('wallet', outbound, {
    ...config.wallet,
    country: pack.country.iso,
    currency: pack.currency.code,
  });
  const gateways = new Map<string, PaymentGateway>([wallet].map((gateway) => [gateway.name, gateway]));
  const sms = smsCentre({ ...config.sms, sender: pack.smsSender });
  const mail = mailServer(config.mail);

  const content = createContent(db, pack, now);
  const jobs = await startJobs(db, database.kind, log);
  const notices = createNotices({ db, jobs, sms, texts: content, pack });
  const lines = createLines(charging, pack.numbering, now);
  const payments = createPayments({
    db,
    now,
    gateways,
    charging,
    notify: notices.notify,
    events: paymentEvents(log, metrics),
  });
  const limits = rateLimits(db, { secret: config.secret, scale: config.rateLimitScale, now });
  let stopping = false;

  const http = Fastify({
    logger: false,
    genReqId: () => randomUUID(),
    requestIdHeader: false,
    bodyLimit: 64 * 1024,
    requestTimeout: requestLimitMs,
    connectionTimeout: 60_000,
    forceCloseConnections: 'idle',
    trustProxy: config.trustedProxies.length > 0 ? config.trustedProxies : false,
    routerOptions: { ignoreTrailingSlash: false, maxParamLength: 500 },
  });
  // Another site can send plain text without asking first; JSON it cannot.
  http.removeContentTypeParser('text/plain');
  http.addHook('onSend', async (request, reply) => void reply.header('x-request-id', request.id));
  logRequests(http, log, metrics);
  await securityHeaders(http, { production: config.production });
  refuseCrossSiteWrites(http);
  mapErrors(http, log);

  await describeCalls(http, pack);
  await http.register(swaggerUi, { routePrefix: '/docs/api', staticCSP: true });
  http.get(
    '/openapi.json',
    { config: { access: { limit: 'none', proof: 'none' } }, schema: { hide: true } },
    async () => http.swagger(),
  );

  registerOperational(http, { db, metrics, metricsKey: config.metricsKey, isStopping: () => stopping });
  await registerCallbacks(http, { payments, limits });
  registerCalls(http, {
    limits,
    slug: pack.brand.slug,
    languageOf: (request) => content.languageOf(request.headers).locale,
    handlers: {
      ...resourceHandlers(pack),
      ...lineHandlers(lines),
      ...bundleHandlers(createBundles(pack, lines)),
      ...contentHandlers(content),
      ...paymentHandlers({ payments, lines, pack, gateways, texts: content, now }),
    },
  });
  if (config.sandboxUrl) await proxySandbox(http, config.sandboxUrl);
  if (parts.web)
    await registerPages(http, {
      pack,
      web: parts.web,
      tokens: sealedTokens(config.secret, now),
      limits,
      log,
      production: config.production,
      sandbox: config.sandboxUrl !== null,
      publicUrl: config.publicUrl,
    });

  await notices.start();
  const sweeping = repeat(
    sweepMs,
    () => payments.sweep(50),
    (error) => log.error({ job: 'sweep', err: error }, 'sweep failed'),
  );
  const forgetting = repeat(forgetMs, payments.forgetOld, (error) =>
    log.warn({ job: 'forget', err: error }, 'old rows not forgotten'),
  );
  const settling = repeat(sweepMs, limits.settle, (error) =>
    log.warn({ job: 'limits', err: error }, 'limits not settled'),
  );

  return {
    http,
    content,
    async stop() {
      stopping = true;
      await http.close();
      await Promise.all([sweeping.stop(), settling.stop(), forgetting.stop()]);
      await payments.drain();
      await jobs.stop();
      await Promise.all([sms.close(), mail.close(), outbound.close()]);
      await database.close();
    },
  };
}
