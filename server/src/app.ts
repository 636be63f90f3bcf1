import type { FastifyInstance } from 'fastify';
import type { Config } from './config/config.ts';
import { type Report, reconcileDay } from './payments/reconcile/payments.reconcile.ts';
import type { WebBuild } from './render/web-build.ts';
import { type Areas, createAreas } from './wiring/areas.ts';
import { startBackgroundWork } from './wiring/background.ts';
import { createFoundation, type FoundationParts } from './wiring/foundation.ts';
import { createHttp } from './wiring/http.ts';
import { registerRoutes } from './wiring/routes.ts';

export interface Portal
  extends Pick<
    Areas,
    | 'content'
    | 'catalogue'
    | 'placeTables'
    | 'help'
    | 'places'
    | 'payments'
    | 'leads'
    | 'risk'
    | 'analytics'
    | 'audit'
    | 'passkeys'
    | 'tickets'
  > {
  http: FastifyInstance;
  /** The three-way comparison of one day, such as 2026-03-02. */
  reconcile(day: string): Promise<Report>;
  /** Makes the readiness check fail, so that the load balancer stops sending requests. Requests are still served. */
  turnAway(): void;
  stop(): Promise<void>;
}

export interface PortalParts extends FoundationParts {
  web: WebBuild | null;
  /** For commands: starts no background jobs, which the portals run. */
  isIdle?: boolean;
}

/** Wires a portal without a container: foundation, business areas, routes and background jobs. */
export async function buildPortal(config: Config, parts: PortalParts): Promise<Portal> {
  const foundation = await createFoundation(config, parts);
  const areas = createAreas(foundation);
  const stopping = new AbortController();
  const http = createHttp(foundation, areas, stopping.signal);
  await registerRoutes(http, foundation, areas, { web: parts.web, stopping: stopping.signal });
  if (!parts.isIdle) await Promise.all([areas.notices.start(), foundation.live.start()]);
  // Close the event streams before anything else stops, so that clients reconnect to another process.
  stopping.signal.addEventListener('abort', foundation.streams.stop);
  const work = parts.isIdle ? [] : startBackgroundWork(foundation, areas, stopping.signal);
  const { content, catalogue, placeTables, help, places, payments, leads, risk, analytics, audit, passkeys } = areas;
  const { tickets, comparison } = areas;
  return {
    http,
    content,
    catalogue,
    placeTables,
    help,
    places,
    payments,
    leads,
    risk,
    analytics,
    audit,
    tickets,
    passkeys,
    reconcile: (day) => reconcileDay(comparison, day),
    turnAway: () => stopping.abort(),
    async stop() {
      stopping.abort();
      await http.close();
      await foundation.live.stop();
      await Promise.all(work.map((each) => each.stop()));
      await analytics.settle().catch(() => {});
      await payments.drain();
      await foundation.noticeQueue.stop();
      const { sms, mail, outbound } = foundation;
      await Promise.all([sms.close(), mail.close(), outbound.close()]);
      await parts.database.close();
    },
  };
}
