import { paths } from '@portal/domain/paths.ts';
import { wayHealthRulesOf } from '@portal/domain/payment/way-health.ts';
import { riskRulesOf, scaledRules } from '@portal/domain/risk.ts';
import { writeTicketNumber } from '@portal/domain/ticket.ts';
import { readPlaces } from '@portal/operators/places.ts';
import { createAnalytics } from '../analytics/analytics.service.ts';
import { createApprovals } from '../approvals/approvals.service.ts';
import { createAudit } from '../audit/audit.service.ts';
import { billEvents } from '../bills/bills.events.ts';
import { createBills } from '../bills/bills.service.ts';
import { catalogueSheet, createBundles } from '../bundles/bundles.service.ts';
import { challengeEvents } from '../challenges/challenges.events.ts';
import { createChallenges } from '../challenges/challenges.service.ts';
import { connectGeocoder } from '../connectors/geocoder/index.ts';
import { leadMailReceiver } from '../connectors/lead-mail/index.ts';
import { termsOf } from '../connectors/provider-terms.ts';
import { createConsole } from '../console/console.service.ts';
import { createPasskeys } from '../console/passkeys.ts';
import { roleChanges } from '../console/roles.ts';
import { publications } from '../content/content.publications.ts';
import { createContent, sitesPage } from '../content/content.service.ts';
import { sanitise } from '../content/sanitise.ts';
import { createExchange } from '../exchange/exchange.service.ts';
import { createHelp } from '../help/help.service.ts';
import { leadEvents } from '../leads/leads.events.ts';
import { createLeads } from '../leads/leads.service.ts';
import { createLines } from '../lines/lines.service.ts';
import { createLeadNotices, queueLeadNotice } from '../notices/notices.leads.ts';
import { createNotices } from '../notices/notices.service.ts';
import { sentMessages } from '../notices/notices.store.ts';
import { otpEvents } from '../otp/otp.events.ts';
import { createOtp } from '../otp/otp.service.ts';
import { paymentEvents } from '../payments/core/payments.events.ts';
import { gaugeOpenPayments, gaugeStuckGoodwill } from '../payments/core/payments.gauges.ts';
import { paymentGuards } from '../payments/core/payments.guards.ts';
import {
  createGoodwill,
  createPayments,
  goodwillCredits,
  goodwillEnds,
  type Payments,
  type PaymentsDependencies,
  referencesBy,
  refunds,
} from '../payments/payments.service.ts';
import { reconciliationEvents } from '../payments/reconcile/payments.reconcile.events.ts';
import type { Reconciliation } from '../payments/reconcile/payments.reconcile.ts';
import { createPersons } from '../persons/persons.service.ts';
import { createPins } from '../pins/pins.service.ts';
import { createPlaces, createPlaceTables } from '../places/places.service.ts';
import { createReceipts } from '../receipts/receipts.service.ts';
import { riskEvents } from '../risk/risk.events.ts';
import { createRisk } from '../risk/risk.service.ts';
import { createSheets } from '../sheets/sheets.service.ts';
import { gaugeTickets, ticketEvents } from '../tickets/tickets.events.ts';
import { createTickets, type Tickets } from '../tickets/tickets.service.ts';
import { wayChanges } from '../ways/ways.changes.ts';
import { createWays } from '../ways/ways.service.ts';
import type { Foundation } from './foundation.ts';

export type Areas = ReturnType<typeof createAreas>;

/** Creates the business areas. Each may use the ones before it. */
export function createAreas(foundation: Foundation) {
  const tables = createTables(foundation);
  const words = createWords(foundation, tables);
  const proofs = createProofs(foundation, words);
  const sales = createSales(foundation, { ...words, ...tables }, proofs);
  const money = createMoney(foundation, { ...words, ...proofs, ...sales });
  const desk = createDesk(foundation, { ...words, ...tables, ...money });
  return { ...words, ...proofs, ...tables, ...sales, ...money, ...desk };
}

/** Content: pages, help, and the counts of both. */
function createWords({ db, pack, now }: Foundation, { placeTables }: ReturnType<typeof createTables>) {
  const content = createContent(db, pack, now, { [sitesPage]: placeTables.sites.current });
  return {
    content,
    help: createHelp({ db, pack, content, sanitise, now }),
    analytics: createAnalytics(db, now, pack.timeZone),
  };
}

/** Proofs by a client: one-time codes, PINs and challenges. */
function createProofs(foundation: Foundation, { content }: ReturnType<typeof createWords>) {
  const { config, db, pack, sms, mail, budgets, tokens, log, metrics, now } = foundation;
  const { secret } = config;
  const challenges = createChallenges({ db, budgets, tokens, now, events: challengeEvents(metrics) });
  const host = new URL(config.publicUrl).hostname;
  const events = otpEvents(log, metrics);
  return {
    challenges,
    pins: createPins({ db, tokens, secret, now }),
    otp: createOtp({ db, sms, mail, texts: content, pack, budgets, challenges, tokens, secret, host, now, events }),
  };
}

/** The tables that the operator's people edit, and the audit. */
function createTables({ db, clock, pack, live, log, now }: Foundation) {
  const audit = createAudit(db, now);
  const sheets = createSheets({ db, clock, audit, timeZone: pack.timeZone, live, log });
  const catalogue = sheets.keep(catalogueSheet(pack), pack.catalogue);
  const country = readPlaces(pack.code);
  return { audit, sheets, catalogue, country, placeTables: createPlaceTables(sheets, pack, country) };
}

/** Sales: lines, bundles, places, bills, exchange and leads. */
function createSales(
  { config, db, pack, providers, outbound, mail, tokens, noticeQueue, log, metrics, now }: Foundation,
  { content, catalogue, country, placeTables }: ReturnType<typeof createWords> & ReturnType<typeof createTables>,
  { otp }: ReturnType<typeof createProofs>,
) {
  const { charging, billing } = providers;
  const { hostname } = new URL(config.publicUrl);
  const lines = createLines(charging, pack.numbering, now);
  const bundles = createBundles(pack, lines, catalogue.current);
  const geocoder = config.geocoder
    ? connectGeocoder(outbound, config.geocoder, {
        bounds: pack.map.bounds,
        country: pack.country.iso,
        client: `${pack.brand.slug}-portal (${config.publicUrl})`,
      })
    : null;
  const places = createPlaces({ db, pack, geocoder, tables: placeTables, data: country });
  const mailReceiver = config.leadsMailTo
    ? leadMailReceiver(mail, {
        to: config.leadsMailTo,
        brand: pack.brand.name,
        digits: pack.currency.digits,
        host: hostname,
      })
    : null;
  return {
    lines,
    bundles,
    places,
    bills: createBills(billing, lines, pack, { tokens, events: billEvents(log, metrics), now }),
    exchange: createExchange({ pack, rates: providers.exchangeRates, tokens }),
    leads: createLeads({
      db,
      pack,
      otp,
      lines,
      bundles,
      content,
      towns: places.towns,
      qualification: providers.qualification,
      receiver: providers.leadReceiver ?? mailReceiver,
      keepDays: config.leadsKeepDays,
      notify: (transaction, lead) => queueLeadNotice(noticeQueue, transaction, lead),
      now,
      events: leadEvents(log, metrics),
    }),
  };
}

/** The console: people, sign-in, approvals and erasures. */
function createDesk(
  { config, db, clock, pack, providers, tokens, now }: Foundation,
  {
    content,
    audit,
    sheets,
    payments,
    goodwill,
    ways,
  }: ReturnType<typeof createWords> & ReturnType<typeof createTables> & ReturnType<typeof createMoney>,
) {
  const changes = wayChanges({ db, ways, audit, now });
  const persons = createPersons({ db, audit, pack, gateways: [...providers.gateways.keys()], now });
  const { signIn = 'openid', origin = '' } = config.console ?? {};
  const console = createConsole({ db, audit, signIn, now });
  const passkeys =
    signIn === 'passkeys' ? createPasskeys({ db, console, audit, tokens, origin, brand: pack.brand.name, now }) : null;
  const approvals = createApprovals({
    ...{ db, clock, audit },
    kinds: {
      refund: refunds(payments, audit, pack.numbering.groups),
      goodwill: goodwillCredits(db, payments, goodwill, pack.numbering.groups),
      goodwillEnd: goodwillEnds(db, payments, goodwill),
      erasure: persons.erasures,
      ...changes.closings,
      catalogue: sheets.approvable,
      places: sheets.approvable,
      publication: publications({ db, editing: content.editing, pack, now }),
      roles: roleChanges({ db, console, passkeys }),
    },
  });
  return { approvals, persons, console, passkeys, wayChanges: changes };
}

type BeforeMoney = ReturnType<typeof createWords> & ReturnType<typeof createProofs> & ReturnType<typeof createSales>;

/** Payments, the checks that may stop them, and the messages about them. */
function createMoney(foundation: Foundation, { content, otp, pins, leads }: BeforeMoney) {
  const { config, db, clock, now, epochs, pack, providers, budgets, limits, log, metrics, sms, mail } = foundation;
  const { noticeQueue: queue, live } = foundation;
  const { secret } = config;
  const { gateways, charging, billing } = providers;
  const receipts = createReceipts({ pack, texts: content, gateways });
  const urlOf = (path: string) => (id: string, locale: string) => {
    const prefix = pack.languages.find((language) => language.locale === locale)?.prefix ?? '';
    return `${config.publicUrl}${prefix}${path}?id=${id}`;
  };
  const statusUrl = urlOf(paths.paymentStatus);
  const trackUrl = urlOf(paths.homeBroadbandStatus);
  const notices = createNotices({
    sent: sentMessages(db),
    async written(message) {
      const found = await tickets.written(message);
      return (
        found && { number: writeTicketNumber(found.ticket.id), text: found.text, key: tickets.keyOf(found.ticket.id) }
      );
    },
    find: (id) => payments.find(id),
    queue,
    budgets,
    now,
    sms,
    mail,
    receipts,
    gateways,
    texts: content,
    pack,
    statusUrl,
    tellOfLead: createLeadNotices({ find: leads.find, budgets, now, sms, mail, texts: content, pack, trackUrl }),
  });
  const risk = createRisk({
    db,
    rules: scaledRules(riskRulesOf(pack), config.rateLimitScale),
    pack,
    simSwaps: providers.simSwaps,
    proofs: otp,
    budgets,
    secret,
    now,
    events: riskEvents(log, metrics),
  });
  const core: PaymentsDependencies = {
    db,
    clock,
    epochs,
    referencesOf: referencesBy(secret),
    settledLimitMs: config.settledLimitMs,
    gateways,
    charging,
    billing,
    orders: { ...termsOf({ lag: providers.leadReceiver?.lag }), ...leads.orders },
    guards: paymentGuards({
      pins,
      proofs: otp,
      budgets,
      limits,
      risk,
      asksOnPhone: (name) => gateways.get(name)?.waitingFor === 'payer',
    }),
    risk,
    returnUrl: ({ id, language }) => `${statusUrl(id, language)}&from=gateway`,
    notify: notices.notify,
    events: paymentEvents(log, metrics),
  };
  const payments: Payments = createPayments(core);
  const goodwill = createGoodwill(core, { most: config.goodwillMost });
  gaugeOpenPayments(metrics, db, now);
  gaugeStuckGoodwill(metrics, db, now);
  const tickets: Tickets = createTickets({
    db,
    answerHours: pack.care.answerHours,
    secret,
    notify: (transaction, { paymentId, message }) =>
      notices.notify(transaction, { paymentId, kind: 'careWrote', occasion: message }),
    untimedRefunds: [...gateways.values()].flatMap(({ name, isRefundUndocumented }) =>
      isRefundUndocumented ? [name] : [],
    ),
    now,
    events: ticketEvents(log, metrics),
  });
  gaugeTickets(metrics, tickets, now);
  const ways = createWays({
    db,
    rules: wayHealthRulesOf(pack),
    pack,
    methods: providers.methods,
    texts: content,
    live,
    now,
    log,
  });
  const comparison: Reconciliation = {
    db,
    statements: providers.statements,
    charging,
    billing,
    orders: leads.orders,
    timeZone: pack.timeZone,
    now,
  };
  const comparisonEvents = reconciliationEvents(log, metrics);
  return { receipts, statusUrl, notices, risk, payments, goodwill, tickets, ways, comparison, comparisonEvents };
}
