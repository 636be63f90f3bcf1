import type { SandboxContext } from '../context.ts';
import { type Fault, faultKinds, faultProviders } from '../faults/fault-board.ts';
import { type BundleBalance, type ListedLine, listedLines } from '../state/line-table.ts';
import type { Mail } from '../state/mails.ts';
import type { Message } from '../state/messages.ts';
import type { Prompt } from '../state/prompts.ts';
import { shownMoney } from '../wire/money.ts';
import { html, type SafeHtml } from './html.ts';
import { describeLine } from './phone-api.ts';

export interface Notice {
  text: string;
  isProblem: boolean;
}

const empty = html``;
const mailsShown = 20;
const providerNames = {
  mpesa: 'MPESA',
  smartcash: 'SmartCash',
  orange: 'Orange Money',
} as const;
const lineNames = { PREPAID: 'Prepaid line', POSTPAID: 'Postpaid line', HYBRID: 'Hybrid line' } as const;
const promptStates = {
  pending: 'Waiting',
  approved: 'Approved',
  declined: 'Declined',
  expired: 'Expired',
  failed: 'Not enough money',
} as const;

export function phonePage(context: SandboxContext, number: string, notice: Notice | undefined): string {
  const { state, faults } = context;
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>Sandbox phone</title>
<link rel="stylesheet" href="/sandbox/phone.css">
<script src="/sandbox/phone.js" defer></script>
</head>
<body data-line="${number}">
<header class="top">
  <p class="brand"><a href="/">${context.settings.brand}</a> <span>sandbox</span></p>
  <p class="hint">Nothing here is real money. <a href="/">Open the portal</a></p>
</header>
<main>
  <h1>Sandbox phone</h1>
  <div id="notice" class="notice" role="status">${notice ? noticeText(notice) : empty}</div>
  <div class="columns">
    ${phone(context, number)}
    ${lineList(context, number)}
    <div class="side">
      ${mailPanel(state.mails.list().slice(0, mailsShown))}
      ${faultPanel(faults.list(), number)}
    </div>
  </div>
</main>
</body>
</html>
`;
  return page.text;
}

function noticeText(notice: Notice): SafeHtml {
  return html`<p class="${notice.isProblem ? 'problem' : 'done'}">${notice.text}</p>`;
}

function phone(context: SandboxContext, number: string): SafeHtml {
  const { state, settings } = context;
  return html`<section class="phone" aria-labelledby="phone-heading">
  <form class="choose" method="get" action="/sandbox">
    <label for="line">Mobile number</label>
    <div class="row">
      <span class="prefix" aria-hidden="true">+${settings.countryCode}</span>
      <input id="line" name="line" inputmode="numeric" autocomplete="off" maxlength="15" value="${shown(context, number)}">
      <button>Show</button>
    </div>
  </form>
  <h2 id="phone-heading">${grouped(shown(context, number))}</h2>
  <div id="balances">${balances(context, number)}</div>
  <h3>Payment requests</h3>
  <ul id="prompts" class="list" aria-live="polite" data-empty="No payment request.">${state.prompts
    .list(number)
    .slice(0, 10)
    .map((prompt) => promptItem(context, prompt, number))}</ul>
  <h3>Messages</h3>
  <ul id="messages" class="list messages" aria-live="polite" data-empty="No message yet.">${state.messages
    .list(number)
    .map(messageItem)}</ul>
</section>`;
}

function balances(context: SandboxContext, number: string): SafeHtml {
  const line = describeLine(context, number);
  if (!line) return html`<p class="kind none">Not a line of this operator</p>`;
  const { currency, currencyDigits, secondCurrency } = context.settings;
  const money = (amount: number, code = currency) => shownMoney(amount, code, context.settings);
  const figures: [string, string][] = [];
  if (line.airtime !== null) figures.push(['Airtime', money(line.airtime)]);
  if (line.reserved > 0) figures.push(['Held for a payment', money(line.reserved)]);
  figures.push([
    'Wallet',
    line.wallet === null ? 'none' : `${money(line.wallet)}${line.walletLocked ? ' (locked)' : ''}`,
  ]);
  if (secondCurrency && typeof line.secondWallet === 'number')
    figures.push([`Wallet, ${secondCurrency}`, money(line.secondWallet, secondCurrency)]);
  if (line.account) figures.push(['Account', line.account]);
  if (line.outstanding !== null) figures.push(['Outstanding', money(line.outstanding * 10 ** currencyDigits)]);
  return html`<p class="kind">${line.broadband ? 'Home router, prepaid' : lineNames[line.lineType]}</p>
<dl class="figures">${figures.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
${line.bundles.length > 0 ? html`<h3>Bundles</h3><ul class="bundles">${line.bundles.map(bundleItem)}</ul>` : empty}`;
}

function bundleItem(bundle: BundleBalance): SafeHtml {
  const amount = bundle.amount === null ? '' : `${bundle.amount} ${bundle.unit}`;
  const left = bundle.unlimited ? 'Unlimited' : amount;
  const until = bundle.expiresAt === null ? 'without end' : `until ${bundle.expiresAt.slice(0, 10)}`;
  return html`<li><span>${bundle.description}</span> <b>${left}</b> <small>${until}</small></li>`;
}

function promptItem({ settings }: SandboxContext, prompt: Prompt, number: string): SafeHtml {
  const provider = prompt.provider === 'wallet' ? `${settings.brand} Money` : providerNames[prompt.provider];
  const pinId = `pin-${prompt.id}`;
  const action =
    prompt.state === 'pending'
      ? html`<form method="post" action="/sandbox/prompts/${prompt.id}?line=${number}" data-live-form>
  <label for="${pinId}">PIN</label>
  <input id="${pinId}" name="pin" type="password" inputmode="numeric" autocomplete="off" maxlength="4" size="4" placeholder="1234">
  <button name="action" value="approve">Approve</button>
  <button name="action" value="decline" class="quiet">Decline</button>
</form>`
      : empty;
  return html`<li data-key="${prompt.id}-${prompt.state}" class="prompt ${prompt.state}">
<p><b>${shownMoney(prompt.amount, prompt.currency, settings)}</b> <span class="chip ${prompt.state}">${promptStates[prompt.state]}</span> <span class="meta">${provider}, ${clock(prompt.at)}</span></p>
${action}</li>`;
}

function messageItem(message: Message): SafeHtml {
  return html`<li data-key="${message.id}"><p class="meta"><b>${message.from || 'Unknown sender'}</b> ${clock(message.at)}</p><p class="bubble">${message.text}</p></li>`;
}

function lineList(context: SandboxContext, number: string): SafeHtml {
  const own = context.settings.nationalPrefix.slice(1);
  const unit = context.settings.currencyDigits === 0 ? '' : ', counted in hundredths';
  return html`<section class="lines" aria-labelledby="lines-heading">
  <h2 id="lines-heading">Lines</h2>
  <ul>${listedLines.map((line) => lineItem(context, line, line.number === number))}</ul>
  <p class="hint">Any other number that begins with ${own} is a prepaid line: airtime 10,000, wallet 100,000${unit}, PIN 1234.</p>
</section>`;
}

function lineItem(context: SandboxContext, line: ListedLine, isShown: boolean): SafeHtml {
  const national = shown(context, line.number);
  const behaviour = line.behaviour.replace(/39\d{7}/, (number) => shown(context, number));
  return html`<li${isShown ? html` class="shown"` : empty}>
<a class="number" href="/sandbox?line=${line.number}"${isShown ? html` aria-current="true"` : empty}>${grouped(national)}</a>
<span class="what"><b>${line.kind}.</b> ${behaviour}</span>
<a class="use" href="${line.use.href.replace(line.number, national)}">${line.use.label}<span class="unseen"> with ${national}</span></a></li>`;
}

function mailPanel(mails: Mail[]): SafeHtml {
  return html`<section class="card" aria-labelledby="mail-heading">
  <h2 id="mail-heading">Mail</h2>
  <ul id="mails" class="list" aria-live="polite" data-empty="No mail yet.">${mails.map(mailItem)}</ul>
</section>`;
}

function mailItem(mail: Mail): SafeHtml {
  const files =
    mail.attachments.length > 0 ? html`<p class="meta">Attached: ${mail.attachments.join(', ')}</p>` : empty;
  return html`<li data-key="${mail.id}"><details><summary><b>${mail.subject || 'No subject'}</b> <span class="meta">to ${mail.to.join(', ')}, ${clock(mail.at)}</span></summary><pre>${mail.text || mail.html}</pre>${files}</details></li>`;
}

function faultPanel(faults: readonly Fault[], number: string): SafeHtml {
  const options = (names: readonly string[]) => names.map((name) => html`<option>${name}</option>`);
  return html`<section class="card" aria-labelledby="faults-heading">
  <h2 id="faults-heading">Faults</h2>
  <ul id="faults" class="list" data-empty="Everything works.">${faults.map(faultItem)}</ul>
  <form class="faults" method="post" action="/sandbox/faults?line=${number}" data-live-form>
    <label>Provider <select name="provider">${options(faultProviders)}</select></label>
    <label>Fault <select name="fault">${options(faultKinds)}</select></label>
    <label>Times <input name="times" inputmode="numeric" size="4" placeholder="always"></label>
    <label>Rate, 0 to 1 <input name="rate" inputmode="decimal" size="4" placeholder="1"></label>
    <label>Delay in ms <input name="delayMs" inputmode="numeric" size="6" placeholder="usual"></label>
    <button>Inject fault</button>
  </form>
  <div class="actions">
    <form method="post" action="/sandbox/faults/clear?line=${number}" data-live-form><button class="quiet">Clear faults</button></form>
    <form method="post" action="/sandbox/reset?line=${number}" data-live-form><button class="quiet">Reset all</button></form>
  </div>
</section>`;
}

function faultItem(fault: Fault): SafeHtml {
  const details = [
    fault.operation && `only ${fault.operation}`,
    fault.times !== undefined && `${fault.times} more`,
    fault.rate !== undefined && `rate ${fault.rate}`,
    fault.delayMs !== undefined && `${fault.delayMs} ms`,
  ].filter(Boolean);
  return html`<li data-key="${fault.id}-${fault.times ?? ''}"><b>${fault.provider}</b> ${fault.fault} <span class="meta">${details.join(', ')}</span></li>`;
}

/** A line's number as its operator writes it, without the leading 0. */
function shown({ numbers }: SandboxContext, line: string): string {
  return numbers.national(line).slice(1);
}

function grouped(number: string): string {
  return number.length === 9
    ? number.replace(/^(\d{2})(\d{2})(\d{3})(\d{2})$/, '$1 $2 $3 $4')
    : number.replace(/^(\d{3})(\d{3})(\d+)$/, '$1 $2 $3');
}

function clock(at: string): SafeHtml {
  return html`<time datetime="${at}">${at.slice(11, 19)} UTC</time>`;
}
