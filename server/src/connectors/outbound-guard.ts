import { lookup as resolve } from 'node:dns';
import { BlockList, isIP } from 'node:net';

export interface OutboundRules {
  /** The only hosts that may be called; null allows any. */
  hosts: readonly string[] | null;
  /** Of these, names that may resolve to a private address of the operator's network; null allows every name. */
  privateHosts: readonly string[] | null;
}

const inside = new BlockList();
const ranges4: [string, number][] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 3],
];
const ranges6: [string, number][] = [
  ['::', 128],
  ['::1', 128],
  ['64:ff9b::', 96],
  ['fc00::', 7],
  ['fe80::', 10],
  ['ff00::', 8],
];
for (const [network, bits] of ranges4) inside.addSubnet(network, bits, 'ipv4');
for (const [network, bits] of ranges6) inside.addSubnet(network, bits, 'ipv6');

export function isPrivateAddress(address: string): boolean {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  const plain = mapped ?? address;
  return inside.check(plain, isIP(plain) === 6 ? 'ipv6' : 'ipv4');
}

export function mayCall(url: string, { hosts }: OutboundRules): boolean {
  if (!URL.canParse(url)) return false;
  const { hostname, protocol } = new URL(url);
  return /^https?:$/.test(protocol) && (hosts === null || hosts.includes(hostname));
}

type Found = (error: Error | null, addresses: { address: string; family: number }[]) => void;

/** Checks the resolved address on each connection: a public name may point to a private address tomorrow (DNS rebinding). */
export function guardedLookup({ privateHosts }: OutboundRules) {
  return (hostname: string, options: object, found: Found): void => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return found(error, []);
      const isTrusted = privateHosts === null || privateHosts.includes(hostname);
      const allowed = isTrusted ? addresses : addresses.filter(({ address }) => !isPrivateAddress(address));
      if (allowed.length > 0) return found(null, allowed);
      found(Object.assign(new Error(`${hostname} leads to a private address`), { code: 'ENOTFOUND' }), []);
    });
  };
}
