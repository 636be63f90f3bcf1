import { once } from 'node:events';
import type { AddressInfo, Server } from 'node:net';
import Fastify from 'fastify';
import { registerBilling } from './billing/register-billing.ts';
import { CallbackBaseError, CallbackSender } from './callbacks/callback-sender.ts';
import { registerCardCheckout } from './card-checkout/register-card-checkout.ts';
import { registerCharging } from './charging/register-charging.ts';
import type { SandboxContext } from './context.ts';
import { registerCrm } from './crm/register-crm.ts';
import { registerExchangeRates } from './exchange-rates/register-exchange-rates.ts';
import { FaultBoard } from './faults/fault-board.ts';
import { registerHostedStyle } from './hosted/hosted-page.ts';
import { createMailServer } from './mail/mail-server.ts';
import { registerMpesa } from './mpesa/register-mpesa.ts';
import { registerOpenid } from './openid/register-openid.ts';
import { registerOrangeMoney } from './orange-money/register-orange-money.ts';
import { registerPaystack } from './paystack/register-paystack.ts';
import { registerPhone } from './phone/register-phone.ts';
import { registerQualification } from './qualification/register-qualification.ts';
import { completeSettings, refuseInProduction, type SandboxOptions, SandboxRefusal } from './settings.ts';
import { registerSimSwap } from './sim-swap/register-sim-swap.ts';
import { registerSmartcash } from './smartcash/register-smartcash.ts';
import { createSmsCentre } from './sms/sms-centre.ts';
import { SandboxState } from './state/sandbox-state.ts';
import { registerWallet } from './wallet/register-wallet.ts';
import { numberPlan } from './wire/line-number.ts';

const host = '127.0.0.1';

export interface Sandbox {
  http: string;
  smpp: string;
  smtp: string;
  setCallbackBase(url: string): void;
  stop(): Promise<void>;
}

/** Starts every emulator on loopback; throws SandboxRefusal if it cannot. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  refuseInProduction(process.env);
  const settings = completeSettings(options);
  const stopping = new AbortController();
  const faults = new FaultBoard();
  const timings = { limitMs: settings.callbackLimitMs, retryDelayMs: settings.callbackRetryMs };
  const callbacks = new CallbackSender(faults, timings);
  if (settings.callbackBase !== undefined) setBaseOrRefuse(callbacks, settings.callbackBase);
  const state = new SandboxState(settings);
  state.onReset(() => faults.clear());
  state.onReset(() => callbacks.reset());
  const numbers = numberPlan({ countryCode: settings.countryCode, prefix: settings.nationalPrefix });
  const context: SandboxContext = { settings, state, numbers, faults, callbacks, stopping: stopping.signal };

  const app = Fastify({
    forceCloseConnections: true,
    bodyLimit: 1_048_576,
    routerOptions: { ignoreTrailingSlash: true },
  });
  registerCharging(app, context);
  registerBilling(app, context);
  registerCrm(app, context);
  registerQualification(app, context);
  registerSimSwap(app, context);
  registerExchangeRates(app, context);
  registerWallet(app, context);
  registerMpesa(app, context);
  registerSmartcash(app, context);
  registerHostedStyle(app);
  registerCardCheckout(app, context);
  registerPaystack(app, context);
  registerOrangeMoney(app, context);
  registerOpenid(app);
  registerPhone(app, context);
  const smsCentre = createSmsCentre(context);
  const mailServer = createMailServer(context);

  const stop = async () => {
    stopping.abort();
    state.reset();
    const smsClosed = new Promise<void>((resolve) => smsCentre.close(() => resolve()));
    for (const session of [...smsCentre.sessions]) session.destroy();
    const mailClosed = new Promise<void>((resolve) => mailServer.close(() => resolve()));
    await Promise.all([app.close(), smsClosed, mailClosed]);
  };

  try {
    await orRefuse(app.listen({ port: settings.port, host }), 'SANDBOX_PORT', settings.port);
    smsCentre.listen(settings.smppPort, host);
    await orRefuse(once(smsCentre, 'listening'), 'SANDBOX_SMPP_PORT', settings.smppPort);
    mailServer.listen(settings.smtpPort, host);
    await orRefuse(once(mailServer.server, 'listening'), 'SANDBOX_SMTP_PORT', settings.smtpPort);
    return {
      http: `http://${host}:${portOf(app.server)}`,
      smpp: `smpp://${host}:${portOf(smsCentre)}`,
      smtp: `smtp://${host}:${portOf(mailServer.server)}`,
      setCallbackBase: (url) => callbacks.setBase(url),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function orRefuse(listening: Promise<unknown>, name: string, port: number): Promise<void> {
  try {
    await listening;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') {
      throw new SandboxRefusal(`Port ${port} (${name}) is already in use on ${host}; free it or choose another.`);
    }
    throw error;
  }
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}

function setBaseOrRefuse(callbacks: CallbackSender, url: string): void {
  try {
    callbacks.setBase(url);
  } catch (error) {
    if (error instanceof CallbackBaseError) throw new SandboxRefusal(`SANDBOX_CALLBACK_BASE: ${error.message}`);
    throw error;
  }
}
