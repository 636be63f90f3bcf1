/**
 * The networks that a client address belongs to, narrowest first. One IPv6 customer can send from a whole /64, and an
 * attacker can rent a /56 or a /48. An IPv4 address and its /24 may be shared by all customers of a mobile network, so
 * the /24 gets a much higher limit.
 */
export function networksOf(address: string): [string, ...string[]] {
  const plain = address.startsWith('::ffff:') && address.includes('.') ? address.slice(7) : address;
  if (!plain.includes(':')) {
    const neighbours = /^(\d+\.\d+\.\d+)\.\d+$/.exec(plain)?.[1];
    return neighbours ? [plain, `${neighbours}.0/24`] : [plain];
  }
  const [head = '', tail = ''] = plain.split('::');
  const start = head.split(':').filter(Boolean);
  const end = tail.split(':').filter(Boolean);
  const zeros = plain.includes('::') ? Array(Math.max(8 - start.length - end.length, 0)).fill('0') : [];
  const groups = [...start, ...zeros, ...end].map((group) => group.padStart(4, '0'));
  const first = (digits: number) => groups.join('').slice(0, digits);
  return [`${first(16)}/64`, `${first(14)}/56`, `${first(12)}/48`];
}

/** The factors by which the limit of each network exceeds that of the narrowest. */
export function limitFactors(networks: number): readonly number[] {
  return networks === 2 ? [1, 16] : [1, 4, 16].slice(0, networks);
}
