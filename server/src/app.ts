import { randomUUID } from 'node:crypto';
import swaggerUi from '@fastify/swagger-ui';
import { budgetsOf } from '@portal/domain/budgets.ts';
import type { OperatorPack } from '@portal/domain/operator.ts';
import { riskRulesOf, scaledRules } from '@portal/domain/risk.ts';
import Fastify, { type FastifyInstance } from 'fastify';
import { analyticsHandlers } from './analytics/analytics.routes.ts';
import { type Analytics, createAnalytics } from './analytics/analytics.service.ts';
import { billEvents } from './bills/bills.events.ts';
import { billHandlers } from './bills/bills.routes.ts';
import { createBills } from './bills/bills.service.ts';
import { budgetEvents, createBudgets } from './budgets/budgets.service.ts';
import { bundleHandlers } from './bundles/bundles.routes.ts';
import { createBundles } from './bundles/bundles.service.ts';
import { challengeEvents } from './challenges/challenges.events.ts';
import { createChallenges } from './challenges/challenges.service.ts';
import type { Config } from './config/config.ts';
import { connectGeocoder } from './connectors/geocoder/index.ts';
import { HttpClient } from './connectors/http-client.ts';
import { leadMailDesk } from './connectors/lead-mail/index.ts';
import { mailServer } from './connectors/mail/index.ts';
import type { OutboundRules } from './connectors/outbound-guard.ts';
import { type ReceiptState, smsCentre } from './connectors/sms/index.ts';
import { termsOf } from './connectors/terms.ts';
import { contentHandlers } from './content/content.routes.ts';
import { type Content, createContent } from './content/content.service.ts';
import { sanitise } from './content/sanitise.ts';
import { clockOf, databaseClock } from './db/clock.ts';
import type { Database } from './db/database.ts';
import { createEpochs } from './db/epochs.ts';
import { PersonalData, personalData, withPersonalData } from './db/personal-data.ts';
import { checkKeys, noteWriting, reseal } from './db/reseal.ts';
import { exchangeHandlers } from './exchange/exchange.routes.ts';
import { createExchange } from './exchange/exchange.service.ts';
import { forgetOldForms, formHandlers } from './forms/forms.routes.ts';
import { helpHandlers } from './help/help.routes.ts';
import { createHelp } from './help/help.service.ts';
import { cacheAnswers } from './http/cached-answers.ts';
import { compressAnswers } from './http/compress-answers.ts';
import { refuseCrossSiteWrites } from './http/cross-site.ts';
import { type ErrorWords, mapErrors } from './http/error-map.ts';
import type { Logger } from './http/logging.ts';
import { createMetrics } from './http/metrics.ts';
import { logRequests, registerOperational } from './http/operational.routes.ts';
import { registerPolicyReports } from './http/policy-reports.ts';
import { rateLimits } from './http/rate-limit.ts';
import { guardRedirects } from './http/redirects.ts';
import { registerCalls } from './http/register-calls.ts';
import { proxySandbox } from './http/sandbox-proxy.ts';
import { sayIn } from './http/say-in.ts';
import { sealedTokens } from './http/sealed-token.ts';
import { addSecurityHeaders, createSecurityHeaders } from './http/security-headers.ts';
import { registerSecurityTxt } from './http/security-txt.ts';
import { traceRequests } from './http/tracing.ts';
import { refuseUnaddressed, unreadableRequestOptions } from './http/unreadable-requests.ts';
import { createVisits } from './http/visits.ts';
import { forgetPersons } from './jobs/forget-persons.ts';
import { startJobs } from './jobs/jobs.ts';
import { repeat } from './jobs/repeat.ts';
import { leadEvents } from './leads/leads.events.ts';
import { leadHandlers } from './leads/leads.routes.ts';
import { createLeads, type Leads } from './leads/leads.service.ts';
import { lineHandlers } from './lines/lines.routes.ts';
import { createLines } from './lines/lines.service.ts';
import { ownerHandlers } from './lines/owner.routes.ts';
import { createNotices } from './notices/notices.service.ts';
import { describeCalls } from './openapi.ts';
import { otpEvents } from './otp/otp.events.ts';
import { otpHandlers } from './otp/otp.routes.ts';
import { createOtp } from './otp/otp.service.ts';
import { registerCallbacks } from './payments/callbacks.routes.ts';
import { epochEvents, paymentEvents, reconciliationEvents } from './payments/payments.events.ts';
import { gaugeOpenPayments } from './payments/payments.gauges.ts';
import { paymentGuards } from './payments/payments.guards.ts';
import { nameAsked, namePayment } from './payments/payments.quote.ts';
import { type Report, reconcileDay, reconcileOpenDays } from './payments/payments.reconcile.ts';
import { paymentHandlers } from './payments/payments.routes.ts';
import { createPayments, type Payments, referencesBy } from './payments/payments.service.ts';
import { hurryOpen } from './payments/payments.store.ts';
import { createPins } from './pins/pins.service.ts';
import { placeHandlers } from './places/places.routes.ts';
import { createPlaces, type Places } from './places/places.service.ts';
import { connectProviders } from './providers.ts';
import { registerReceipts } from './receipts/receipts.routes.ts';
import { createReceipts } from './receipts/receipts.service.ts';
import { registerPages } from './render/pages.routes.ts';
import { plainErrorPage } from './render/plain-error-page.ts';
import type { WebBuild } from './render/web-build.ts';
import { resourceHandlers } from './resources/resources.routes.ts';
import { riskEvents } from './risk/risk.events.ts';
import { createRisk, type Risk } from './risk/risk.service.ts';

export interface Portal {
  http: FastifyInstance;
  content: Content;
  places: Places;
  payments: Payments;
  leads: Leads;
  risk: Risk;
  analytics: Analytics;
  /** The three-way comparison of one day, such as 2026-03-02. */
  reconcile(day: string): Promise<Report>;
  /** Not ready any more, so that a balancer sends new requests elsewhere; what comes is still answered. */
  turnAway(): void;
  stop(): Promise<void>;
}

const requestLimitMs = 30_000;
const sweepMs = 1_000;
const forgetMs = 3_600_000;
const countMs = 5_000;
const rereadMs = 10_000;
/** As far back as any rule about risk counts, and more than any code or proof lives. */
const recentMs = 3 * 24 * 3_600_000;

/** Everything is wired here, by hand. */
export async function buildPortal(
  config: Config,
  parts: {
    database: Database;
    pack: OperatorPack;
    web: WebBuild | null;
    log: Logger;
    now?: () => Date;
    /** For a command: it does what it is told and leaves the work in the background to the portals. */
    isIdle?: boolean;
  },
): Promise<Portal> {
  const { database, log } = parts;
  const pack = withSwitches(parts.pack, config);
  const db = withPersonalData(database.db, new PersonalData({ keys: config.personalDataKeys, secret: config.secret }));
  await checkKeys(db);
  const clock = parts.now ? { ...clockOf(parts.now), read: async () => {} } : await databaseClock(db);
  const { now } = clock;
  // What the rules count and what a code ends must be found by its hash before the first request; the rest can wait.
  if (personalData(db).takesClear) await reseal(db, { since: new Date(now().getTime() - recentMs) });
  const metrics = createMetrics();
  const outbound = new HttpClient(outboundRules(config));

  const providers = connectProviders(config, pack, outbound, now);
  const { charging, billing, gateways, methods } = providers;
  const smsReceipts = metrics.counter('portal_sms_receipts_total', 'What the SMS centre said became of messages', [
    'state',
  ]);
  const receipt = (state: ReceiptState) => smsReceipts.inc({ state });
  const sms = smsCentre({ ...config.sms, sender: pack.smsSender, receipt });
  const mail = mailServer(config.mail);

  const content = createContent(db, pack, now);
  const help = createHelp({ db, pack, content, sanitise, now });
  const jobs = await startJobs(db, database.kind, log);
  const tellOfEpoch = epochEvents(log, metrics);
  const epochs = createEpochs(db, clock, async (transaction, epoch) => {
    if (epoch.isRestored) await hurryOpen(transaction);
    // In the past that is lost they may have been sent; the status pages tell the same.
    const dropped = epoch.isRestored ? await jobs.dropQueued(transaction, 'notice') : 0;
    tellOfEpoch(epoch, dropped);
  });
  await epochs.check();
  const limits = rateLimits(db, {
    secret: config.secret,
    scale: config.rateLimitScale,
    budgets: budgetsOf(pack),
    now,
  });
  const budgets = createBudgets(db, {
    secret: config.secret,
    scale: config.rateLimitScale,
    rules: budgetsOf(pack),
    now,
    events: budgetEvents(metrics),
  });
  const tokens = sealedTokens(config.secret, now);
  const challenges = createChallenges({ db, budgets, tokens, now, events: challengeEvents(metrics) });
  const visits = createVisits({ secret: config.secret, isSecure: config.production });
  const exchange = createExchange({ pack, rates: providers.exchangeRates, tokens });
  const analytics = createAnalytics(db, now);
  const pins = createPins({ db, tokens, secret: config.secret, now });
  const receipts = createReceipts({ pack, texts: content, gateways });
  const statusUrl = (id: string, locale: string) => {
    const prefix = pack.languages.find((language) => language.locale === locale)?.prefix ?? '';
    return `${config.publicUrl}${prefix}/payment/status?id=${id}`;
  };
  const notices = createNotices({
    find: (id) => payments.find(id),
    jobs,
    budgets,
    now,
    sms,
    mail,
    receipts,
    texts: content,
    pack,
    gateways,
    statusUrl,
  });
  const risk = createRisk({
    db,
    rules: scaledRules(riskRulesOf(pack), config.rateLimitScale),
    pack,
    simSwaps: providers.simSwaps,
    proofs: { spendProof: (...spent) => otp.spendProof(...spent) },
    budgets,
    secret: config.secret,
    now,
    events: riskEvents(log, metrics),
  });
  const payments: Payments = createPayments({
    db,
    clock,
    epochs,
    referencesOf: referencesBy(config.secret),
    gateways,
    charging,
    billing,
    orders: {
      ...termsOf({ lag: providers.leadDesk?.lag }),
      deliver: (delivery) => leads.orders.deliver(delivery),
      findDelivery: (delivery) => leads.orders.findDelivery(delivery),
    },
    guards: paymentGuards({
      pins,
      proofs: {
        holdProof: (...held) => otp.holdProof(...held),
        releaseProof: (...held) => otp.releaseProof(...held),
      },
      budgets,
      limits,
      risk,
      asksOnPhone: (name) => gateways.get(name)?.waitingFor === 'payer',
    }),
    risk,
    returnUrl: ({ id, language }) => `${statusUrl(id, language)}&from=gateway`,
    notify: notices.notify,
    events: paymentEvents(log, metrics),
  });
  gaugeOpenPayments(metrics, db, now);
  const lines = createLines(charging, pack.numbering, now);
  const bundles = createBundles(pack, lines);
  const bills = createBills(billing, lines, pack, { tokens, events: billEvents(log, metrics), now });
  const otp = createOtp({
    db,
    sms,
    mail,
    texts: content,
    pack,
    budgets,
    challenges,
    tokens,
    secret: config.secret,
    host: new URL(config.publicUrl).hostname,
    now,
    events: otpEvents(log, metrics),
  });
  const geocoder = config.geocoder
    ? connectGeocoder(outbound, config.geocoder, {
        bounds: pack.map.bounds,
        country: pack.country.iso,
        client: `${pack.brand.slug}-portal (${config.publicUrl})`,
      })
    : null;
  const places = createPlaces({ db, pack, geocoder, now });
  const mailedLeads = config.leadsMailTo
    ? leadMailDesk(mail, {
        to: config.leadsMailTo,
        brand: pack.brand.name,
        digits: pack.currency.digits,
        host: new URL(config.publicUrl).hostname,
      })
    : null;
  const leads: Leads = createLeads({
    db,
    pack,
    otp,
    lines,
    bundles,
    content,
    towns: places.towns,
    qualification: providers.qualification,
    desk: providers.leadDesk ?? mailedLeads,
    keepDays: config.leadsKeepDays,
    now,
    events: leadEvents(log, metrics),
  });
  const sales = { pack, methods, lines, bundles, bills, leads, exchange };
  const comparison = {
    db,
    statements: providers.statements,
    charging,
    billing,
    orders: leads.orders,
    timeZone: pack.timeZone,
    now,
  };
  const reportEvents = reconciliationEvents(log, metrics);
  let stopping = false;

  const checkout = checkoutOrigins(config);
  const headers = createSecurityHeaders({
    production: config.production,
    ...checkout,
    tileOrigins: pack.map.tiles ? [tileOrigin(pack.map.tiles.url)] : [],
  });
  const say = sayIn(content, { brand: pack.brand.name, currency: pack.currency.code });
  const words: ErrorWords = {
    // A client that names no language gets the words of the specification.
    say: (request, sentence) =>
      request.headers.lang === undefined ? sentence : say(content.languageOf(request.headers).locale, sentence),
    page: (error, { nonce }) => plainErrorPage(error, pack, nonce),
  };

  const http = Fastify({
    ...unreadableRequestOptions(headers, words),
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
  addSecurityHeaders(http, headers);
  // Another site can send plain text without asking first; JSON it cannot.
  http.removeContentTypeParser('text/plain');
  http.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    done();
  });
  http.addHook('onSend', (_request, reply, _payload, done) => {
    if (stopping) reply.header('connection', 'close');
    done();
  });
  if (config.tracing) traceRequests(http);
  cacheAnswers(http);
  compressAnswers(http);
  logRequests(http, log, metrics);
  guardRedirects(http, { publicUrl: config.publicUrl, checkoutOrigins: checkout.checkoutOrigins });
  refuseUnaddressed(http);
  refuseCrossSiteWrites(http);
  mapErrors(http, log, words);

  await describeCalls(http, pack);
  await http.register(swaggerUi, { routePrefix: '/docs/api', staticCSP: true });
  http.get(
    '/openapi.json',
    { config: { access: { limit: 'none', proof: 'none' } }, schema: { hide: true } },
    async () => http.swagger(),
  );

  registerOperational(http, { db, metrics, metricsKey: config.metricsKey, isStopping: () => stopping });
  await registerCallbacks(http, { payments, limits });
  await registerPolicyReports(http, { limits, metrics });
  registerSecurityTxt(http, {
    publicUrl: config.publicUrl,
    contact: config.securityContact,
    locales: pack.languages.map(({ locale }) => locale),
    now,
  });
  registerCalls(http, {
    limits,
    slug: pack.brand.slug,
    languageOf: (request) => content.languageOf(request.headers).locale,
    handlers: {
      ...resourceHandlers(pack, {
        pins,
        paystackKey: gateways.has('paystack') ? (config.paystack?.publicKey ?? null) : null,
      }),
      ...lineHandlers(lines, bills),
      ...ownerHandlers({ otp, lines, bills, pack, budgets, visits, now }),
      ...billHandlers({ bills, otp, budgets, challenges, visits, now }),
      ...bundleHandlers(bundles),
      ...contentHandlers(content, pack.opco),
      ...helpHandlers(help, { opco: pack.opco, visits, budgets, secret: config.secret }),
      ...placeHandlers(places, pack),
      ...exchangeHandlers(exchange, pack),
      ...leadHandlers(leads, visits),
      ...analyticsHandlers(analytics),
      ...formHandlers(db, { budgets, now }),
      ...otpHandlers({
        otp,
        pins,
        methods,
        walletUsers: providers.walletUsers,
        visits,
        namePayment: (purchase, { language, visit, ...how }) =>
          namePayment(purchase, how, { ...sales, language, visit }),
        nameAsked: async (id, asked) => nameAsked((await payments.find(id))?.payment, asked, pack),
      }),
      ...paymentHandlers({
        ...sales,
        payments,
        otp,
        pins,
        budgets,
        limits,
        gateways,
        texts: content,
        visits,
        statusUrl,
        now,
      }),
    },
  });
  registerReceipts(http, { payments, receipts, content, limits, slug: pack.brand.slug });
  if (config.sandboxUrl) await proxySandbox(http, config.sandboxUrl);
  if (parts.web)
    await registerPages(http, {
      activePackage: content.activePackage,
      pack,
      web: parts.web,
      tokens,
      limits,
      visits,
      log,
      production: config.production,
      sandbox: config.sandboxUrl !== null,
      publicUrl: config.publicUrl,
      serviceWorker: config.serviceWorker,
      questions: () => help.faqs(pack.defaultLocale),
      describe: ({ locale }) => content.text(locale, 'common.description', { brand: pack.brand.name }),
    });

  if (!parts.isIdle) await notices.start();
  const work = parts.isIdle
    ? []
    : [
        repeat(
          rereadMs,
          async () => {
            await epochs.check();
            await noteWriting(db);
            await clock.read();
          },
          (error) => log.warn({ job: 'epoch', err: error }, 'the database was not compared'),
        ),
        repeat(
          rereadMs,
          async () => {
            if (personalData(db).takesClear) await reseal(db, { isStopped: () => stopping });
          },
          (error) => log.warn({ job: 'reseal', err: error }, 'what was stored in clear was not all sealed'),
        ),
        repeat(
          sweepMs,
          () => payments.sweepOn(),
          (error) => log.error({ job: 'sweep', err: error }, 'sweep failed'),
        ),
        repeat(
          sweepMs,
          () => leads.sweep(20),
          (error) => log.error({ job: 'leads', err: error }, 'leads not handed over'),
        ),
        repeat(
          forgetMs,
          async () => {
            await payments.forgetOld();
            await otp.forgetOld();
            await challenges.forgetOld();
            await help.forgetOld();
            await leads.forgetOld();
            await forgetOldForms(db, now());
            await forgetPersons(db, now());
            await analytics.forgetOld();
          },
          (error) => log.warn({ job: 'forget', err: error }, 'old rows not forgotten'),
        ),
        repeat(
          forgetMs,
          async () => {
            for (const report of await reconcileOpenDays(comparison, reportEvents.abandoned))
              reportEvents.compared(report);
          },
          reportEvents.failed,
        ),
        repeat(countMs, analytics.settle, (error) => log.warn({ job: 'counts', err: error }, 'events not counted')),
        repeat(rereadMs, content.rereadTexts, (error) =>
          log.warn({ job: 'texts', err: error }, 'edited texts not read'),
        ),
        repeat(sweepMs, limits.settle, (error) => log.warn({ job: 'limits', err: error }, 'limits not settled')),
      ];

  return {
    http,
    content,
    places,
    payments,
    leads,
    risk,
    analytics,
    reconcile: (day) => reconcileDay(comparison, day),
    turnAway() {
      stopping = true;
    },
    async stop() {
      stopping = true;
      await http.close();
      await Promise.all(work.map((each) => each.stop()));
      await analytics.settle().catch(() => {});
      await payments.drain();
      await jobs.stop();
      await Promise.all([sms.close(), mail.close(), outbound.close()]);
      await database.close();
    },
  };
}

/** Only what the configuration names is called; in production a name leads inside only where that is said. */
export function outboundRules(config: Config): OutboundRules {
  const urls = JSON.stringify(config).match(/https?:\/\/[^"/]+/g) ?? [];
  return {
    hosts: [...new Set(urls.filter((url) => URL.canParse(url)).map((url) => new URL(url).hostname))],
    privateHosts: config.production ? config.privateHosts : null,
  };
}

/** What an operator may switch without another pack. */
function withSwitches(pack: OperatorPack, config: Config): OperatorPack {
  const enableAmPin = config.walletPinMode ?? pack.features.enableAmPin;
  const tiles = config.mapTiles ?? pack.map.tiles;
  return { ...pack, features: { ...pack.features, enableAmPin }, map: { ...pack.map, tiles } };
}

/** Where pictures of the map come from; servers that take turns are named by one pattern. */
function tileOrigin(url: string): string {
  const { protocol, host } = new URL(url.replace('{s}', 'tile-host'));
  return `${protocol}//${host.replace(/^tile-host\./, '*.')}`;
}

/** Where a payment may leave the portal to, and whose popup may open in it; on the pages that need it and nowhere else. */
function checkoutOrigins({ paystack, cardCheckout, orangeMoney }: Config) {
  const script = paystack ? new URL(paystack.scriptUrl).origin : null;
  return {
    checkoutOrigins: [...(cardCheckout?.checkoutOrigins ?? []), ...(orangeMoney?.checkoutOrigins ?? [])],
    popupOrigins: script ? [script, ...(popupHosts[script] ?? [])] : [],
  };
}

const popupHosts: Record<string, string[]> = {
  'https://js.paystack.co': ['https://checkout.paystack.com', 'https://api.paystack.co'],
};
