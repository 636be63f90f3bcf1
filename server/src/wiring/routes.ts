import swaggerUi from '@fastify/swagger-ui';
import { readTicketNumber } from '@portal/domain/ticket.ts';
import type { FastifyInstance } from 'fastify';
import { insightHandlers } from '../analytics/analytics.handlers.ts';
import { analyticsHandlers } from '../analytics/analytics.routes.ts';
import { approvalHandlers } from '../approvals/approvals.handlers.ts';
import { auditHandlers } from '../audit/audit.handlers.ts';
import { billHandlers } from '../bills/bills.routes.ts';
import { bundleHandlers } from '../bundles/bundles.routes.ts';
import { registerConsolePages } from '../console/console.pages.ts';
import { registerConsole } from '../console/console.routes.ts';
import { peopleHandlers } from '../console/people.handlers.ts';
import { roleHandlers } from '../console/roles.ts';
import { savedViewHandlers } from '../console/saved-views.handlers.ts';
import { contentConsoleHandlers } from '../content/content.handlers.ts';
import { previewedContent, previewPath, previewTokens } from '../content/content.preview.ts';
import { contentHandlers } from '../content/content.routes.ts';
import { exchangeHandlers } from '../exchange/exchange.routes.ts';
import { feedbackHandlers } from '../forms/forms.handlers.ts';
import { formHandlers } from '../forms/forms.routes.ts';
import { countByDay } from '../forms/forms.store.ts';
import { helpHandlers } from '../help/help.routes.ts';
import { pagesOriginOf } from '../http/console-host.ts';
import { registerOperational } from '../http/operational.routes.ts';
import { registerPolicyReports } from '../http/policy-reports.ts';
import { type Handlers, registerCalls } from '../http/register-calls.ts';
import { proxySandbox } from '../http/sandbox-proxy.ts';
import { registerSecurityTxt } from '../http/security-txt.ts';
import { leadConsoleHandlers } from '../leads/leads.handlers.ts';
import { leadHandlers } from '../leads/leads.routes.ts';
import { lineHandlers } from '../lines/lines.routes.ts';
import { ownerHandlers } from '../lines/owner.routes.ts';
import { describeCalls } from '../openapi.ts';
import { otpHandlers } from '../otp/otp.routes.ts';
import { registerCallbacks } from '../payments/callbacks/callbacks.routes.ts';
import { nameAsked, namePayment } from '../payments/core/payments.quote.ts';
import { createEndings } from '../payments/desk/payments.endings.ts';
import { paymentConsoleHandlers } from '../payments/desk/payments.handlers.ts';
import { paymentHandlers } from '../payments/http/payments.routes.ts';
import { registerPaymentStream } from '../payments/http/payments.stream.ts';
import { reconciliationHandlers } from '../payments/reconcile/payments.reconcile.handlers.ts';
import { personHandlers } from '../persons/persons.handlers.ts';
import { placeConsoleHandlers } from '../places/places.handlers.ts';
import { placeHandlers } from '../places/places.routes.ts';
import { registerReceipts } from '../receipts/receipts.routes.ts';
import { registerPages } from '../render/pages.routes.ts';
import { registerPreview } from '../render/preview.routes.ts';
import type { WebBuild } from '../render/web-build.ts';
import { resourceHandlers } from '../resources/resources.routes.ts';
import { sheetHandlers } from '../sheets/sheets.handlers.ts';
import { ticketConsoleHandlers } from '../tickets/tickets.handlers.ts';
import { ticketHandlers } from '../tickets/tickets.routes.ts';
import { wayConsoleHandlers } from '../ways/ways.handlers.ts';
import { wayHandlers } from '../ways/ways.routes.ts';
import type { Areas } from './areas.ts';
import type { Foundation } from './foundation.ts';

/** Registers all routes, in the order of the API's description. */
export async function registerRoutes(
  http: FastifyInstance,
  foundation: Foundation,
  areas: Areas,
  { web, stopping }: { web: WebBuild | null; stopping: AbortSignal },
): Promise<void> {
  const { config, pack, db, metrics, limits, visits, streams, live, now } = foundation;
  const { content, payments, receipts } = areas;
  await describeCalls(http, pack);
  await http.register(swaggerUi, { routePrefix: '/docs/api', staticCSP: true });
  http.get(
    '/openapi.json',
    { config: { access: { limit: 'none', proof: 'none' } }, schema: { hide: true } },
    async () => http.swagger(),
  );
  registerOperational(http, { db, metrics, metricsKey: config.metricsKey, isStopping: () => stopping.aborted });
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
    handlers: callHandlers(foundation, areas),
  });
  registerPaymentStream(http, { payments, live, streams, limits, visits });
  registerReceipts(http, { payments, receipts, content, limits, slug: pack.brand.slug });
  await registerConsoleRoutes(http, foundation, areas, { hasPages: web !== null });
  if (config.sandboxUrl) await proxySandbox(http, config.sandboxUrl);
  if (web) {
    registerDraftPages(http, foundation, areas, web);
    await registerWeb(http, foundation, areas, web);
  }
}

async function registerConsoleRoutes(
  http: FastifyInstance,
  foundation: Foundation,
  areas: Areas,
  { hasPages }: { hasPages: boolean },
): Promise<void> {
  const { config, pack, db, providers, limits, tokens, log, now } = foundation;
  const {
    content,
    help,
    analytics,
    audit,
    approvals,
    persons,
    console,
    passkeys,
    payments,
    goodwill,
    risk,
    leads,
    ways,
    tickets,
    notices,
    sheets,
  } = areas;
  const fourEyes = { over: config.fourEyesOver, currency: pack.currency.code };
  const signIn = passkeys ? { passkeys } : providers.identities && { provider: providers.identities };
  if (!config.console || !signIn) return;
  await registerConsole(http, {
    db,
    console,
    audit,
    signIn,
    handlers: {
      ...peopleHandlers({ console, passkeys, pack }),
      ...auditHandlers({
        ...{ db, audit, timeZone: pack.timeZone },
        // An act on a ticket counts as an act on its payment, too.
        idsCalled: async (name) => {
          const number = readTicketNumber(name);
          const ticket = number ? await tickets.find(number) : undefined;
          const payment = await payments.idOf(name.toLowerCase().replace(/[\s-]/g, ''));
          return [payment, ticket?.id, ticket?.payment_id].filter((id) => id !== undefined);
        },
      }),
      ...roleHandlers({ db, console, passkeys, approvals, fourEyes: config.fourEyesRoles, now }),
      ...savedViewHandlers({ db, audit, now }),
      ...approvalHandlers(approvals),
      ...personHandlers({ db, persons, approvals, audit }),
      ...paymentConsoleHandlers({
        ...{ db, pack, now, fourEyes, statusUrl: areas.statusUrl },
        ...{ payments, goodwill, risk, leads, audit, approvals, console, ways, tickets, notices },
      }),
      ...reconciliationHandlers({
        ...{ comparison: areas.comparison, compared: areas.comparisonEvents.compared, audit, pack },
      }),
      ...ticketConsoleHandlers({ tickets, payments, notices, audit, pack }),
      ...leadConsoleHandlers({ db, leads, payments, audit, console, pack, now }),
      ...feedbackHandlers({ db, audit, now }),
      ...insightHandlers({
        analytics,
        votes: help.votesByDay,
        titles: help.faqs,
        searches: help.vainSearches,
        feedback: (range) => countByDay(db, { ...range, timeZone: pack.timeZone }),
        payments: createEndings(db, { timeZone: pack.timeZone, now }).count,
        pack,
        now,
      }),
      ...sheetHandlers({ db, sheets, approvals, audit, timeZone: pack.timeZone }),
      ...placeConsoleHandlers({ pack, tables: areas.placeTables, data: areas.country }),
      ...wayConsoleHandlers({
        ...{ ways, changes: areas.wayChanges, approvals, console, fourEyes: config.fourEyesWays },
        ...{ methods: providers.methods, pack, now },
      }),
      ...contentConsoleHandlers({
        ...{ content, approvals, console, votes: help.votes, pack, tokens, now },
        pagesOrigin: pagesOriginOf(config),
        takesTwo: config.fourEyesPublishing,
      }),
    },
    limits,
    tokens,
    origin: config.console.origin,
    isSecure: config.production,
    log,
  });
  if (hasPages) await registerConsolePages(http, { limits, signIn: config.console.signIn });
}

/** Previews of drafts for editors; not registered without a console. */
function registerDraftPages(http: FastifyInstance, foundation: Foundation, areas: Areas, web: WebBuild): void {
  const { config, pack, tokens, limits } = foundation;
  const { content, help, console } = areas;
  if (!config.console) return;
  const previews = previewTokens(tokens);
  registerPreview(http, {
    path: previewPath,
    async open(token) {
      const preview = previews.open(token);
      if (!preview || !(await console.isOpen(preview.session, 'content.read'))) return null;
      const activePackage = await previewedContent(content, preview);
      return { at: preview.at, activePackage, faqs: (locale) => help.faqsOf(locale, activePackage) };
    },
    ...{ pack, web, limits, publicUrl: config.publicUrl, production: config.production },
    sandbox: config.sandboxUrl !== null,
    framedBy: pagesOriginOf(config) ? config.console.origin : "'self'",
  });
}

function callHandlers(foundation: Foundation, areas: Areas): Handlers {
  const { config, pack, db, providers, limits, budgets, visits, now } = foundation;
  const {
    content,
    help,
    analytics,
    otp,
    pins,
    challenges,
    lines,
    bundles,
    bills,
    leads,
    places,
    exchange,
    payments,
    tickets,
    ways,
  } = areas;
  const { gateways, methods, walletUsers } = providers;
  const sales = { pack, methods, lines, bundles, bills, leads, exchange };
  return {
    ...resourceHandlers(pack, {
      pins,
      paystackKey: gateways.has('paystack') ? (config.paystack?.publicKey ?? null) : null,
    }),
    ...lineHandlers(lines, bills),
    ...ownerHandlers({ otp, lines, bills, pack, budgets, challenges, visits, now }),
    ...billHandlers({ bills, otp, budgets, challenges, visits, now }),
    ...bundleHandlers(bundles),
    ...contentHandlers(content, pack.opco),
    ...helpHandlers(help, { opco: pack.opco, visits, budgets }),
    ...placeHandlers(places, pack),
    ...exchangeHandlers(exchange, pack),
    ...wayHandlers(ways),
    ...leadHandlers(leads, visits),
    ...analyticsHandlers(analytics),
    ...formHandlers(db, { budgets, now }),
    ...otpHandlers({
      otp,
      pins,
      methods,
      walletUsers,
      visits,
      namePayment: (purchase, { language, visit, ...how }) =>
        namePayment(purchase, how, { ...sales, language, visit, refuseClosed: ways.announcements.refuseClosed }),
      nameAsked: async (id, asked) => nameAsked((await payments.find(id))?.payment, asked, pack),
    }),
    ...paymentHandlers({
      ...sales,
      payments,
      otp,
      pins,
      budgets,
      limits,
      ways,
      gateways,
      texts: content,
      visits,
      statusUrl: areas.statusUrl,
      now,
    }),
    ...ticketHandlers({ tickets, payments, budgets, visits, texts: content, now }),
  };
}

function registerWeb(http: FastifyInstance, foundation: Foundation, { content, help }: Areas, web: WebBuild) {
  const { config, pack, tokens, limits, visits, log } = foundation;
  return registerPages(http, {
    activePackage: content.activePackage,
    pack,
    web,
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
}
